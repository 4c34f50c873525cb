/** Collects what broke in the suite itself: one line each, and one for many that broke in the same way. */

export class RunErrors {
  readonly #places = new Map<string, Set<string>>()

  /** `where`: a check, a file, or the part of the program in which it happened. */
  add(where: string, error: unknown): void {
    const message = firstLine(error)
    const places = this.#places.get(message) ?? new Set()
    this.#places.set(message, places.add(where))
  }

  lines(): string[] {
    return [...this.#places].map(([message, places]) => {
      const [first, ...others] = places
      return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}: ${message}`
    })
  }
}

/** The message of anything that was thrown, on one line. */
export function firstLine(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  const text = typeof message === 'string' && message !== '' ? message : String(error)
  return text.split('\n', 1)[0] as string
}
