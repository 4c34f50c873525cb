/** A terminal window that interprets the control sequences of the live view: `text` is what a user sees. */

export class Window {
  readonly isTTY = true
  columns: number
  rows: number
  /** All written texts. */
  readonly written: string[] = []
  cursorShown = true
  wraps = true
  #lines: string[] = ['']
  #row = 0
  #column = 0

  constructor(columns: number, rows: number) {
    this.columns = columns
    this.rows = rows
  }

  write(text: string): void {
    this.written.push(text)
    for (const token of text.match(/\u001b\[\??[\d;]*[a-zA-Z]|[\r\n]|[^\r\n\u001b]+/g) ?? [])
      this.#interpret(token)
  }

  /** The lines in the window and above, without trailing spaces. */
  get text(): string {
    return this.#lines.map((line) => line.trimEnd()).join('\n')
  }

  /** Makes the window narrower and wraps its lines again, as terminals do. */
  narrow(columns: number): void {
    const broken = this.#lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? [''])
    this.columns = columns
    this.#lines = broken
    this.#row = broken.length - 1
    this.#column = broken.at(-1)?.length ?? 0
  }

  #interpret(token: string): void {
    if (token === '\r') this.#column = 0
    else if (token === '\n') this.#down()
    else if (token.startsWith('\u001b')) this.#control(token.slice(2))
    else this.#print(token)
  }

  #control(sequence: string): void {
    if (sequence === '?25l' || sequence === '?25h') this.cursorShown = sequence.endsWith('h')
    else if (sequence === '?7l' || sequence === '?7h') this.wraps = sequence.endsWith('h')
    else if (sequence.endsWith('A')) this.#row = Math.max(0, this.#row - Number.parseInt(sequence, 10))
    else if (sequence === 'K') this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column)
    else if (sequence === 'J') {
      this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column)
      this.#lines.length = this.#row + 1
    } else if (!sequence.endsWith('m'))
      throw new Error(`unknown control sequence ${JSON.stringify(sequence)}`)
  }

  #down(): void {
    this.#row += 1
    this.#lines[this.#row] ??= ''
  }

  #print(text: string): void {
    const line = (this.#lines[this.#row] ?? '').padEnd(this.#column)
    this.#lines[this.#row] = line.slice(0, this.#column) + text + line.slice(this.#column + text.length)
    this.#column += text.length
  }
}
