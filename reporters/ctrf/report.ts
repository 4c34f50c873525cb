import type { Results } from '../results.ts'

export function* ctrfReport(_results: Results): Generator<string> {}
