import type { Results } from '../results.ts'

export function* junitReport(_results: Results): Generator<string> {}
