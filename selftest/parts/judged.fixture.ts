/** Judgements of portals, made by hand. */
import type { Judged, OpenCheck } from '../trial.ts'

export const judgedWith = (changes: Partial<Judged> = {}): Judged => ({
  open: [],
  failed: [],
  wrongs: [],
  durationMs: 2100,
  ...changes,
})

export const openCheck = (outcome: string, changes: Partial<OpenCheck> = {}): OpenCheck => ({
  id: 'x',
  requirement: 'add-workspace/creates',
  outcome,
  why: 'because',
  ...changes,
})
