/** The verdict of a run in a sentence. */
import { isGating, type Outcome } from '../specs/outcomes.ts'
import type { Results } from './results.ts'

/** What the verdict is and what it rests on, such as `Non-conformant: 2 of 90 requirements failed.` */
export function verdictSentence(results: Results): string {
  const parts = [sentenceOf(results), ofClients(results), uncheckedTls(results)]
  return parts.filter((part) => part !== undefined).join(' ')
}

/** The verdict is on the server alone, the exit code of `validate` is not. */
function ofClients({ run: { traffic } }: Results): string | undefined {
  const count = traffic?.client.filter(({ level }) => level === 'finding').length ?? 0
  if (count === 0) return undefined
  return `${count} ${count === 1 ? 'finding about clients makes' : 'findings about clients make'} the exit code 1.`
}

/** What every report says where certificates of the target were not checked. */
export function uncheckedTls({ target }: Pick<Results, 'target'>): string | undefined {
  if (target.insecure !== true) return undefined
  return 'Insecure: TLS certificates were not checked (http.insecure), so anybody may have answered in place of the target.'
}

/** What the target put off, and at what pace it was asked then. */
export function putOffSentence({
  throttled,
  unavailable,
  perSecond,
}: NonNullable<Results['run']['putOff']>): string {
  const parts = [
    ...(throttled === 0 ? [] : [`${throttled} with HTTP 429`]),
    ...(unavailable === 0 ? [] : [`${unavailable} with HTTP 502 to 504 or no connection`]),
  ]
  const pace =
    perSecond === undefined ? '' : ` It was found to keep up with about ${perSecond} requests a second.`
  return `The target put off ${throttled + unavailable} requests, which were repeated: ${parts.join(', ')}.${pace}`
}

function sentenceOf({ verdict, requirements }: Results): string {
  const gating = requirements.filter(({ level }) => isGating(level))
  const having = (...outcomes: Outcome[]): number =>
    gating.filter(({ outcome }) => outcomes.includes(outcome)).length
  const applicable = gating.length - having('not-applicable')
  const waived = having('waived')
  const open = openOnes([
    [having('inconclusive'), 'inconclusive'],
    [having('not-tested'), 'not tested'],
    [waived, 'waived'],
  ])
  const of = `of ${applicable} must and implied requirements that apply`
  if (verdict === 'non-conformant') {
    return `Non-conformant: ${having('failed')} ${of} failed${open === '' ? '' : `; ${open}`}.`
  }
  if (verdict === 'conformant') {
    return `Conformant: ${having('passed')} ${of} passed${waived === 0 ? '' : `, ${waived} waived`}.`
  }
  if (having('passed') === 0)
    return `Incomplete: nothing was passed, so nothing is proved${open && `; ${open}`}.`
  return `Incomplete: nothing failed and ${having('passed')} ${of} passed, but ${open}.`
}

function openOnes(counts: readonly (readonly [count: number, word: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')
}
