/** `waive`: writes a file of waivers to begin with, from the failures of earlier results. */
import { existsSync } from 'node:fs'
import { Document, isMap, isScalar, type YAMLSeq } from 'yaml'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { ReportedCheck, Results } from '../../reporters/results.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { type Declaring, dateText } from '../arguments/option-values.ts'
import { usageError, writeNamed } from '../command-error.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { resultsOf } from '../results/results-files.ts'
import { dateOf, isExpired } from '../waivers/waiver.ts'

const help = `
Writes an entry for each check that failed, for the deployment that the results are of. Reason, owner and the last day
are for people to fill in: run --waivers refuses the file while one of them is empty. Setup failures and checks that
could not be told cannot be waived.

Example:
  portal-conformance waive portal-conformance-report/results.json --owner 'portal team' --out waivers.yaml
`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<RESULTS>', 'results.json of a run')
    .option('--owner <NAME>', 'who answers for them')
    .option('--reason <TEXT>', 'why they do not gate')
    .option('--expires <DATE>', 'their last day, such as 2026-12-31 (UTC)', dateText)
    .option('--out <FILE>', 'where to write, in place of stdout; must not exist yet')
    .action(does(waive))
}

interface WaiveOptions extends WaiverFields {
  /** A file that does not exist yet; absent: stdout. */
  readonly out?: string
}

/** Resolves with 0 once the file is written. Throws a CommandError where it cannot be, or where it exists already. */
async function waive(
  file: string,
  { out, ...fields }: WaiveOptions,
  { stdout, stderr }: Surroundings,
): Promise<ExitCode> {
  const { expires } = fields
  if (expires !== undefined && isExpired({ expires }, dateOf(new Date()))) {
    throw usageError(
      `--expires ${expires}: a date from today on expected: a waiver that has expired is refused`,
    )
  }
  const results = await resultsOf(file)
  const draft = draftWaivers(results, fields)
  if (out === undefined) stdout.write(draft)
  else {
    if (existsSync(out))
      throw usageError(`--out ${out}: exists already, and the waivers in it would be lost; name another file`)
    await writeNamed('--out', out, draft, 'wx')
    stdout.write(`${out}\n`)
  }
  const count = waivableChecks(results).length
  const gaps = gapsOf(fields)
  if (count === 0) stderr.write('The results hold no failure that could be waived.\n')
  else if (gaps.length > 0) {
    stderr.write(`Fill in ${gaps.join(', ')} of each entry: a run refuses the file until then.\n`)
  }
  return exitCodes.conformant
}

/** What is the same for all entries; what is not given stays empty, and a run refuses it empty. */
interface WaiverFields {
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
