/** The verdict of a run in a sentence. */
import { isGating, type Outcome } from '../specs/outcomes.ts'
import type { Results } from './results.ts'

/** What the verdict is and what it rests on, such as `Non-conformant: 2 of 90 requirements failed.` */
export function verdictSentence(results: Results): string {
  const warning = uncheckedTls(results)
  return warning === undefined ? sentenceOf(results) : `${sentenceOf(results)} ${warning}`
}

/** What every report says where certificates of the target were not checked. */
export function uncheckedTls({ target }: Pick<Results, 'target'>): string | undefined {
  if (target.insecure !== true) return undefined
  return 'Insecure: TLS certificates were not checked (http.insecure), so anybody may have answered in place of the target.'
}

function sentenceOf({ verdict, requirements }: Results): string {
  const gating = requirements.filter(({ level }) => isGating(level))
  const having = (...outcomes: Outcome[]): number =>
    gating.filter(({ outcome }) => outcomes.includes(outcome)).length
  const applicable = gating.length - having('not-applicable')
  const open = openOnes(having('inconclusive'), having('not-tested'))
  const of = `of ${applicable} must and implied requirements that apply`
  if (verdict === 'non-conformant') {
    return `Non-conformant: ${having('failed')} ${of} failed${open === '' ? '' : `; ${open}`}.`
  }
  if (verdict === 'conformant') {
    const waived = having('waived')
    return `Conformant: ${having('passed')} ${of} passed${waived === 0 ? '' : `, ${waived} waived`}.`
  }
  if (having('passed') === 0)
    return `Incomplete: nothing was passed, so nothing is proved${open && `; ${open}`}.`
  return `Incomplete: nothing failed and ${having('passed')} ${of} passed, but ${open}.`
}

function openOnes(inconclusive: number, notTested: number): string {
  const parts = [
    ...(inconclusive === 0 ? [] : [`${inconclusive} inconclusive`]),
    ...(notTested === 0 ? [] : [`${notTested} not tested`]),
  ]
  return parts.join(', ')
}
