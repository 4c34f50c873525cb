/** `report --waivers`: a file of waivers to begin with, from the failures of earlier results. */
import { existsSync } from 'node:fs'
import { Document, isMap, isScalar, type YAMLSeq } from 'yaml'
import type { ReportedCheck, Results } from '../../reporters/results.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { usageError, writeNamed } from '../command-error.ts'
import { type Surroundings, say } from '../process/surroundings.ts'
import { dateOf, isExpired } from './waiver.ts'

/** The same for all entries. A field that is not given stays empty, and a run refuses it empty. */
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

/** Throws a usage error for a date that is over, and where the file exists or cannot be written. */
export async function writeWaivers(
  results: Results,
  file: string,
  fields: WaiverFields,
  { stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>,
): Promise<void> {
  const { expires } = fields
  if (expires !== undefined && isExpired({ expires }, dateOf(new Date())))
    throw usageError(`--expires ${expires}: expected today or a later date; a run refuses an expired waiver`)
  if (existsSync(file))
    throw usageError(`--waivers ${file}: the file exists, and its waivers would be lost; name another file`)
  await writeNamed('--waivers', file, draftWaivers(results, fields), 'wx')
  stdout.write(`${file}\n`)
  const empty = gapsOf(fields)
  if (waivableChecks(results).length === 0) say(stderr, 'The results hold no failure that could be waived.')
  else if (empty.length > 0)
    say(stderr, `Fill in ${empty.join(', ')} of each entry: a run refuses the file until then.`)
}

const longestComment = 200

/** The checks that failed and have no waiver yet. */
function waivableChecks({ requirements }: Results): readonly ReportedCheck[] {
  return requirements.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed'))
}

/** The fields that are still to be filled in. */
function gapsOf(fields: WaiverFields): string[] {
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
