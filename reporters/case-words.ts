/** The case of a finding, in words. */
import { jsonIn } from '../schemas/values.ts'

/** The maximum of characters shown of a value. results.json has all of it. */
const longestValue = 60

/** The end of a text that the evidence cut. */
export const cutEnd = /… \([^()]*\)$/

/** The smallest case in words, if it is JSON: each parameter with its value and the length of the value. */
export function caseWords(counterexample: string): string {
  const end = cutEnd.exec(counterexample)?.[0]
  if (end !== undefined && /^[{[]/.test(counterexample)) {
    const parts = ['']
    for (const [, name, value] of counterexample.matchAll(/"([^"\\]+)":("(?:[^"\\]|\\.)*")|\},\{/g)) {
      // The next of several requests.
      if (name === undefined) parts.push('')
      else {
        const words = `${name}: ${valueWords(jsonIn(value as string) ?? value)}`
        parts.push([parts.pop(), words].filter(Boolean).join(', '))
      }
    }
    const words = parts.filter(Boolean).join('; ')
    return words === '' ? counterexample : `${words} ${end}`
  }
  const value = jsonIn(counterexample)
  if (isObject(value)) return partWords(value)
  return typeof value === 'number' ? `number ${value}` : counterexample
}

/** Of a control and a probe, the probe is shown, since the control differs from it in one thing only. */
function partWords(value: object): string {
  if (Array.isArray(value))
    return value.map((part) => (isObject(part) ? partWords(part) : valueWords(part))).join('; ')
  const { control, probe } = value as { control?: unknown; probe?: unknown }
  const shown = isObject(control) && isObject(probe) ? probe : value
  return Object.entries(shown)
    .map(([name, each]) => `${name}: ${valueWords(each)}`)
    .join(', ')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value in quotes, with its length if it is long. */
export function valueWords(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const characters = [...text]
  const shown = characters.length > longestValue ? `${characters.slice(0, longestValue).join('')}…` : text
  const quoted = typeof value === 'string' ? `"${shown}"` : shown
  return characters.length > longestValue ? `${quoted} (${characters.length} characters)` : quoted
}
