/** Texts that may be secrets: `init` neither writes nor repeats them. */
import { usageError } from '../command-error.ts'

const shortestSecret = 16

/** Whether letters and digits are mixed as in a token, unlike in names of variables and words. */
export function looksLikeSecret(text: string): boolean {
  return text.split(/[\s"'=,;:/]+/).some(isSecretWord)
}

function isSecretWord(word: string): boolean {
  if (word.length < shortestSecret || word.startsWith('$')) return false
  const digits = word.replace(/\D/g, '').length
  const letters = word.replace(/[^A-Za-z]/g, '').length
  const plainName = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(word) && digits * 4 <= letters
  const words = /^[A-Za-z]+([._-][A-Za-z]+)*[._-]?\d{0,4}$/.test(word)
  return digits > 0 && letters > 0 && !plainName && !words
}

/** Whether the text can name an environment variable and does not look like a secret. */
export function namesVariable(text: string, environment: NodeJS.ProcessEnv): boolean {
  if (!/^[A-Za-z_]\w*$/.test(text)) return false
  return environment[text] !== undefined || !looksLikeSecret(text)
}

/** The address, or a variable in its place. Throws a usage error if it is no URL, or holds a name or a password. */
export function addressOf(where: string, text: string): string {
  if (!/^(https?:\/\/|\$\{)/i.test(text))
    throw usageError(`${where}: a URL that begins with https:// or http:// is expected.`)
  if (!/^https?:\/\/[^/]*@|[?#]/i.test(text)) return text
  throw usageError(`${where}: an address without user name, password, ? and # is expected`)
}

/** User name and variable of `USER:VARIABLE`, or of a user name alone; undefined if the text is neither, or may hold a secret. */
export function loginIn(
  text: string,
  usual: string,
  environment: NodeJS.ProcessEnv,
): [username: string, variable: string] | undefined {
  const [username = '', variable = usual] = text.split(/:(?=[^:]*$)/)
  const isLogin = username !== '' && !looksLikeSecret(username) && namesVariable(variable, environment)
  return isLogin ? [username, variable] : undefined
}
