/** Expressions of GitHub, as far as our workflows use them. */
import { runInNewContext } from 'node:vm'

/** By dotted names, such as `matrix.shard`. */
export type Values = Readonly<Record<string, unknown>>

const functions = {
  always: () => true,
  format: (text: string, ...parts: unknown[]) =>
    text.replace(/\{(\d+)\}/g, (_, at: string) => String(parts[Number(at)])),
  fromJSON: JSON.parse,
}

/** The value of an expression, with or without `${{ }}` around it. What is not known is empty, as it is there. */
export function resultOf(expression: string, values: Values): unknown {
  const bare = expression.trim().replace(/^\$\{\{|\}\}$/g, '')
  const code = bare.replace(/'[^']*'|[a-z]\w*(?:\.[\w-]+)+/gi, (part) =>
    part.startsWith("'") ? part : `look(${JSON.stringify(part)})`,
  )
  return runInNewContext(code, { ...functions, look: (name: string) => values[name] ?? '' })
}

/** The text with its expressions filled in. */
export function evaluated(text: unknown, values: Values): string {
  return String(text).replace(/\$\{\{.*?\}\}/g, (expression) => String(resultOf(expression, values)))
}

/** A condition; without a word on the state of things it holds only after success. */
export function isTrue(condition: string | undefined, success: boolean, values: Values): boolean {
  if (condition === undefined) return success
  return (success || condition.includes('always()')) && Boolean(resultOf(condition, values))
}

/** The values of an object under dotted names. */
export function valuesBelow(name: string, object: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [`${name}.${key}`, value]))
}
