/** The open points that checks observe. */
import type { OpenPointId } from '../../specs/open-points.ts'

/** A test holds this list against what a run on the embedded portal observes. */
export const observedPoints: readonly OpenPointId[] = [
  'required-parameters',
  'refusal-status',
  'content-types',
  'get-on-operation',
  'astral-counting',
  'text-normalisation',
  'markup',
  'empty-text',
  'equal-names',
  'negative-last-sync',
  'run-transitions',
  'duplicate-items',
  'spaces-in-items',
  'second-sync',
  'sync-job',
  'idempotent-deletion',
  'certificate-text',
]
