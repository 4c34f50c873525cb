import type { Results } from '../results.ts'

export function* harReport(_results: Results): Generator<string> {}
