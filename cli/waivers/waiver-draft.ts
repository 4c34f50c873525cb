/** `report --waivers`: writes a draft of a file of waivers, from the failures of earlier results. */
import { existsSync } from 'node:fs'
import { stringify } from 'yaml'
import { type Finding, findingsByCause } from '../../reporters/cards.ts'
import type { Results } from '../../reporters/results.ts'
import { byKey } from '../../schemas/values.ts'
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

const head = `# Failures that are known and do not gate until their last day.
# A run takes this file with --waivers FILE. It refuses entries without a reason (why the failure is accepted), an owner
# (who answers for it) and a last day (expires, such as 2026-12-31, UTC).
`

const fieldNames = ['reason', 'owner', 'expires'] as const

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
  const empty = fieldNames.filter((name) => !fields[name]?.trim())
  if (defectsOf(results).length === 0) say(stderr, 'The results have no failure to waive.')
  else if (empty.length > 0)
    say(stderr, `Fill in ${empty.join(', ')} of each entry: a run refuses the file until then.`)
}

const longestComment = 200

/** Most cases recorded for a defect: a run that finds nothing sends each again. */
const mostCases = 5

/** The failures without a waiver, by card of the report. */
const defectsOf = (results: Results): Finding[][] =>
  findingsByCause(results)
    .map(({ findings }) => findings.filter(({ check }) => check.outcome === 'failed'))
    .filter((findings) => findings.length > 0)

/** An entry for the findings of a card. It records a case of each requirement first, then further ones. */
function entryOf(findings: readonly Finding[], results: Results, fields: WaiverFields): object {
  const { reason = '', owner = '', expires = '' } = fields
  const byRequirement = byKey(findings, (finding) => finding.requirement.id)
  const [requirement, ...also] = byRequirement.keys()
  const ordered = [...[...byRequirement.values()].flatMap(([first]) => first ?? []), ...findings]
  const cases = byKey(
    ordered.map(({ check }) => caseOf(check, results)),
    (each) => JSON.stringify(each),
  )
  const found = [...cases.values()].flatMap(([first]) => first ?? []).slice(0, mostCases)
  const target = targetOf(results)
  return { requirement, ...(also.length > 0 && { also }), target, reason, owner, expires, found }
}

/** YAML with an entry for each defect that the results show. */
export function draftWaivers(results: Results, fields: WaiverFields): string {
  const entries = defectsOf(results).map((findings) => {
    const comment = safeText(findings[0]?.check.failure?.message ?? '').slice(0, longestComment)
    return `# ${comment}\n${stringify([entryOf(findings, results, fields)], { lineWidth: 0 })}`
  })
  const list = entries.join('').replace(/^(?=.)/gm, '  ')
  return `${head}waivers:${entries.length === 0 ? ' []' : ''}\n${list}`
}

/** The base URL; the embedded portal has another port in every run. */
function targetOf({ target: { baseUrl }, run: { options } }: Results): string {
  return options?.reference === true ? baseUrl.replace(/:\d+(?=\/|$)/, ':*') : baseUrl
}
