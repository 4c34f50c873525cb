import type { Results } from '../results.ts'

export function* htmlReport(_results: Results): Generator<string> {}
