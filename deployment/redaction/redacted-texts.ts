/** Hides secrets in values that hold texts: what was thrown, and plain data. */

/** A copy of a plain value with every text in it changed; keys stay. */
export function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withTexts(inner, change)]),
  ) as Value
}

/** What was thrown, with its message changed; an error remains the error that it is. */
export function withMessage(thrown: unknown, change: (text: string) => string): unknown {
  if (typeof thrown === 'string') return change(thrown)
  if (!(thrown instanceof Error)) return thrown
  if (thrown.stack !== undefined) thrown.stack = change(thrown.stack)
  thrown.message = change(thrown.message)
  return thrown
}
