/** The verdict of a run in words, and the operations that it covers, for all reports. */
import type { Edition } from '../specs/operation.ts'
import { type Coverage, coverageOf, type OperationId, operationOf } from '../specs/operations.ts'
import { isGating, type Outcome, type Verdict } from '../specs/outcomes.ts'
import type { Results } from './results.ts'
import { capitalised, countOf, outcomeWords } from './wording.ts'

/** The operations that a verdict covers, if the release or edition of the target lacks some. Undefined: all. */
export function coveredBy({ requirements, target }: Pick<Results, 'requirements' | 'target'>) {
  const isLeftOut = (id: OperationId): boolean => {
    const main = operationOf(id).requirements[0].id
    return requirements.some((each) => each.id === main && each.outcome === 'not-applicable')
  }
  const { version, edition } = target
  return coverageOf({ version, edition: edition as Edition | undefined }, isLeftOut)
}

/** `conformant for 5 of 7 operations`, for small places. */
export function verdictLabel(verdict: Verdict, coverage: Coverage | undefined): string {
  if (coverage === undefined) return verdict
  const operations = `${coverage.judged} of ${coverage.of} operations`
  return verdict === 'conformant' ? `${verdict} for ${operations}` : `${verdict}, ${operations} judged`
}

/** As above, of the results of a run. */
export const verdictWords = (results: Results): string => verdictLabel(results.verdict, coveredBy(results))

/** The verdict, such as `Conformant for 5 of 7 operations`, and its grounds: sentences that follow it and a colon. */
export function verdictInWords(results: Results): { readonly word: string; readonly grounds: string } {
  const { verdict } = results
  const coverage = coveredBy(results)
  const isConformant = verdict === 'conformant'
  const grounds = [
    isConformant && coverage !== undefined ? `${coverage.why}.` : undefined,
    ofServer(results),
    isConformant || coverage === undefined ? undefined : coverageSentence(coverage),
    silence(results),
    ofClients(results),
    uncheckedTls(results),
  ]
  const word = isConformant ? verdictLabel(verdict, coverage) : verdict
  return { word: capitalised(word), grounds: grounds.filter((part) => part !== undefined).join(' ') }
}

/** The verdict and its grounds on one line, such as `Non-conformant: 2 of 90 requirements failed.` */
export function verdictSentence(results: Results): string {
  const { word, grounds } = verdictInWords(results)
  return `${word}: ${grounds}`
}

/** `5 of 7 operations were judged: release 10.5 has no reassign-items and no update-task-run.` */
export const coverageSentence = ({ judged, of, why }: Coverage): string =>
  `${judged} of ${of} operations were judged: ${why}.`

function ofServer({ verdict, requirements }: Results): string {
  const gating = requirements.filter(({ level }) => isGating(level))
  const having = (outcome: Outcome): number => gating.filter((each) => each.outcome === outcome).length
  const waived = having('waived')
  const open = (['inconclusive', 'not-tested', 'waived'] as const)
    .filter((outcome) => having(outcome) > 0)
    .map((outcome) => `${having(outcome)} ${outcomeWords[outcome].word}`)
    .join(', ')
  const of = `of ${gating.length - having('not-applicable')} must and implied requirements that apply`
  if (verdict === 'non-conformant') {
    return `${having('failed')} ${of} failed${open === '' ? '' : `; ${open}`}.`
  }
  if (verdict === 'conformant') {
    return `${having('passed')} ${of} passed${waived === 0 ? '' : `, ${waived} waived`}.`
  }
  if (having('passed') === 0) return `nothing passed, so nothing is proved${open && `; ${open}`}.`
  return `nothing failed and ${having('passed')} ${of} passed, but ${open}.`
}

/** If no check could be decided, the fixtures, the address or the credentials are more likely wrong than the target. */
function silence({ requirements, run, target, errors = [] }: Results): string | undefined {
  const judged = requirements.filter(
    ({ outcome }) => outcome !== 'not-tested' && outcome !== 'not-applicable',
  )
  const silent = judged.length > 0 && judged.every(({ outcome }) => outcome === 'inconclusive')
  if (!silent || run.stopped !== undefined || run.traffic !== undefined || errors.length > 0) return undefined
  if (run.requests === 0)
    return 'No request was sent: no fixture could be had. The reasons above say why; doctor --fixtures examines a fixture provider.'
  return `No answer came from a portal that accepts the caller: check the base URL (target.baseUrl: ${target.baseUrl}) and the credentials.`
}

/** The verdict is about the server only, unlike the exit code of `validate`. */
function ofClients({ run: { traffic } }: Results): string | undefined {
  const count = traffic?.client.filter(({ level }) => level === 'finding').length ?? 0
  if (count === 0) return undefined
  return `${countOf(count, 'finding about clients makes', 'findings about clients make')} the exit code 1.`
}

/** The caution of every report if certificates of the target were not checked. */
export function uncheckedTls({ target }: Pick<Results, 'target'>): string | undefined {
  if (target.insecure !== true) return undefined
  return 'Insecure: TLS certificates were not checked (http.insecure), so another server may have answered in place of the target.'
}
