/** What would be judged on a target and what not, without sending anything. */
import type { RequirementId } from '../specs/requirements.ts'
import type { Configuration } from '../target/configuration.ts'
import { type Without, withoutJudging } from './applicability.ts'
import { type CheckDefinition, onCheck } from './check.ts'
import type { CheckId } from './check-result.ts'
import { suiteFiles } from './suite-files.ts'
import type { Selection } from './worker-input.ts'

export interface PlannedCheck {
  readonly id: CheckId
  readonly requirement: RequirementId
  readonly title: string
  /** The suite file that holds it, without its ending. */
  readonly file: string
  /** Absent: it will be judged. */
  readonly without?: Without
}

/** A check and the file that declares it. */
interface Declared {
  readonly file: string
  readonly definition: CheckDefinition
}

let declared: Promise<readonly Declared[]> | undefined

/** Every check of the suite, in the order of the files; loaded once. */
export function declaredChecks(): Promise<readonly Declared[]> {
  declared ??= load()
  return declared
}

async function load(): Promise<Declared[]> {
  const all: Declared[] = []
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  for (const file of suiteFiles) {
    onCheck((definition) => all.push({ file, definition }))
    await import(`./${file}.suite.${ending}`)
  }
  return all
}

/** Every check of the suite in the order of the contract, with what becomes of it on this target. */
export async function planChecks(
  configuration: Configuration,
  selection: Selection,
): Promise<PlannedCheck[]> {
  return (await declaredChecks()).map(({ file, definition }) => {
    const { id, requirement, title } = definition
    const without = withoutJudging(definition, configuration, selection)
    return { id, requirement, title, file, ...(without === undefined ? {} : { without }) }
  })
}
