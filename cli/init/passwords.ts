/** The passwords of one `init`, from environment variables or typed, in memory only. */
import { hidden, secretHider } from '../../deployment/redaction/hiding.ts'

export class Passwords {
  readonly #environment: NodeJS.ProcessEnv
  readonly #typed = new Map<string, string>()
  readonly #secrets = new Set<string>()
  #hider = secretHider([], hidden)

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment
  }

  /** Whether the environment has the variable. If so, its value replaces a typed password. */
  take(variable: string): boolean {
    const value = this.#environment[variable]
    if (value === undefined) return false
    this.#typed.delete(variable)
    this.#hide(value)
    return true
  }

  type(variable: string, password: string): void {
    this.#typed.set(variable, password)
    this.#hide(password)
  }

  /** The environment, with the typed passwords in their variables. */
  get environment(): NodeJS.ProcessEnv {
    return { ...this.#environment, ...Object.fromEntries(this.#typed) }
  }

  /** Those of the variables that the user must set. */
  unset(variables: readonly string[]): string[] {
    return variables.filter((name) => this.#typed.has(name) || this.#environment[name] === undefined)
  }

  /** The text without the passwords. */
  readonly hide = (text: string): string => this.#hider.text(text)

  #hide(password: string): void {
    if (password === '') return
    this.#secrets.add(password)
    this.#hider = secretHider([...this.#secrets], hidden)
  }
}
