/** `report --waivers`: writes a draft of a file of waivers, from the failures of earlier results. */
import { existsSync } from 'node:fs'
import { Document, isMap, isScalar, type YAMLSeq } from 'yaml'
import { type Finding, findingsByCause } from '../../reporters/cards.ts'
import { byKey } from '../../reporters/grouping.ts'
import type { Results } from '../../reporters/results.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import { safeText } from '../../schemas/wording.ts'
import { usageError, writeNamed } from '../command-error.ts'
import { type CommandContext, say } from '../process/command-context.ts'
import { caseOf } from '../run/measure.ts'

/** Fields of every entry. A field that is not given stays empty, and a run refuses an empty field. */
export interface WaiverFields {
  readonly reason?: string
  readonly owner?: string
  readonly expires?: string
}

const head = ` Failures that are known and do not gate until their last day.
 A run takes this file with --waivers FILE; it refuses entries in which a field is empty.`

const gaps: Readonly<Record<keyof WaiverFields, string>> = {
  reason: ' why the failure is accepted',
  owner: ' who answers for it',
  expires: ' last day of the waiver, such as 2026-12-31 (UTC)',
}

/** Throws a usage error if the file exists or cannot be written. */
export async function writeWaivers(
  results: Results,
  file: string,
  fields: WaiverFields,
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
): Promise<void> {
  if (existsSync(file))
    throw usageError(`--waivers ${file}: the file exists, and its waivers would be lost; name another file`)
  await writeNamed('--waivers', file, draftWaivers(results, fields), 'wx')
  stdout.write(`${file}\n`)
  const empty = gapsOf(fields)
  if (defectsOf(results).length === 0) say(stderr, 'The results have no failure to waive.')
  else if (empty.length > 0)
    say(stderr, `Fill in ${empty.join(', ')} of each entry: a run refuses the file until then.`)
}

const longestComment = 200

/** Most cases recorded for a defect: a run that finds nothing sends each again. */
const mostCases = 5

/** The findings that one waiver covers, by requirement. */
type Defect = Map<string, Finding[]>

/** The failures without a waiver, by defect. A card of the report is a defect, without what an earlier defect covers. */
function defectsOf(results: Results): Defect[] {
  const defects: Defect[] = []
  for (const card of findingsByCause(results)) {
    const own: Defect = new Map()
    for (const finding of card.findings.filter(({ check }) => check.outcome === 'failed')) {
      const { id } = finding.requirement
      const defect = defects.find((each) => each.has(id)) ?? own
      defect.set(id, [...(defect.get(id) ?? []), finding])
    }
    if (own.size > 0) defects.push(own)
  }
  return defects
}

/** A case of each requirement first, then further ones. */
function casesOf(defect: Defect, results: Results): RecordedCase[] {
  const findings = [...defect.values()]
  const ordered = [...findings.flatMap(([first]) => first ?? []), ...findings.flat()]
  const cases = byKey(
    ordered.map(({ check }) => caseOf(check, results)),
    (each) => JSON.stringify(each),
  )
  return [...cases.values()].flatMap(([first]) => first ?? []).slice(0, mostCases)
}

/** The fields that the user must fill in. */
function gapsOf(fields: WaiverFields): string[] {
  return Object.keys(gaps).filter((name) => !fields[name as keyof WaiverFields]?.trim())
}

/** YAML with an entry for each defect that the results show. */
export function draftWaivers(results: Results, fields: WaiverFields): string {
  const { reason = '', owner = '', expires = '' } = fields
  const defects = defectsOf(results)
  const target = targetOf(results)
  const document = new Document({
    waivers: defects.map((defect) => {
      const [requirement, ...also] = defect.keys()
      const found = casesOf(defect, results)
      return { requirement, ...(also.length > 0 && { also }), target, reason, owner, expires, found }
    }),
  })
  document.commentBefore = head
  const { items } = document.get('waivers') as YAMLSeq
  for (const [at, item] of items.entries()) {
    if (!isMap(item)) continue
    item.commentBefore = ` ${safeText([...(defects[at]?.values() ?? [])][0]?.[0]?.check.failure?.message ?? '').slice(0, longestComment)}`
    for (const { key, value } of item.items) {
      const gap = isScalar(key) ? gaps[key.value as keyof WaiverFields] : undefined
      if (gap !== undefined && isScalar(value) && value.value === '') value.comment = gap
    }
  }
  return document.toString({ lineWidth: 0 })
}

/** The base URL; the embedded portal has another port in every run. */
function targetOf({ target: { baseUrl }, run: { options } }: Results): string {
  return options?.reference === true ? baseUrl.replace(/:\d+(?=\/|$)/, ':*') : baseUrl
}
