/** A file of waivers to begin with: an entry for each failure, with gaps that only people can fill. Pure. */
import { Document, isMap, isScalar, type YAMLSeq } from 'yaml'
import type { ReportedCheck, Results } from '../../reporters/results.ts'
import { safeText } from '../../reporters/safe-text.ts'

/** What is the same for all entries; what is not given stays empty, and a run refuses it empty. */
export interface WaiverFields {
  readonly reason?: string
  readonly owner?: string
  readonly expires?: string
}

const head = ` Failures that are known and do not gate until their last day.
 A run takes this file with --waivers FILE; it refuses entries in which a field is empty.`

const gaps: Readonly<Record<keyof WaiverFields, string>> = {
  reason: ' why the failure does not gate',
  owner: ' who answers for it',
  expires: ' last day on which it holds, such as 2026-12-31 (UTC)',
}

const longestComment = 200

/** The checks that failed and have no waiver yet. */
export function waivableChecks({ requirements }: Results): readonly ReportedCheck[] {
  return requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed'))
}

/** The fields that are still to be filled in. */
export function gapsOf(fields: WaiverFields): string[] {
  return Object.keys(gaps).filter((name) => !fields[name as keyof WaiverFields]?.trim())
}

/** YAML with an entry for each failed check of the results. */
export function draftWaivers(results: Results, fields: WaiverFields): string {
  const { reason = '', owner = '', expires = '' } = fields
  const checks = waivableChecks(results)
  const target = targetOf(results)
  const document = new Document({
    waivers: checks.map(({ id }) => ({ check: id, target, reason, owner, expires })),
  })
  document.commentBefore = head
  const { items } = document.get('waivers') as YAMLSeq
  for (const [at, item] of items.entries()) {
    if (!isMap(item)) continue
    item.commentBefore = ` ${safeText(checks[at]?.failure?.message ?? '').slice(0, longestComment)}`
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
