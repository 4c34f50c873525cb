/** A name for a folder: one for each check, whatever number of cases it has and in whatever order they go on. */
import type { Given } from '../../runner/context/given.ts'
import { standIns } from './ownership.ts'

const known = new WeakMap<object, Promise<string>>()

/** The name of a folder of an ordinary request, the same throughout a check. */
export function oneFolder(given: Pick<Given<never>, 'request'>): Promise<string> {
  const folder =
    known.get(given) ??
    given.request('reassign-items', standIns).then(({ targetFoldername }) => String(targetFoldername))
  known.set(given, folder)
  return folder
}
