import type { Results } from '../results.ts'

export function* markdownReport(_results: Results): Generator<string> {}
