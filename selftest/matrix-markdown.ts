/** The matrix of a self-test as a Markdown document. Pure. */
import {
  type AdministrationRow,
  type FaultRow,
  type HostileRow,
  type Matrix,
  type PoolRow,
  type PowerRow,
  type Proof,
  type SeedRow,
  type SituationRow,
  seedCounts,
  summaryLines,
  type Tried,
  type VariantRow,
} from './matrix.ts'
import { ends, impossible, situations } from './situations.ts'

/** The whole document. */
export function matrixMarkdown(matrix: Matrix): string {
  const { run, suite } = matrix
  const command = `portal-conformance selftest --seed ${run.seed} --runs ${run.runs} --combinations ${run.combinations} --jobs ${run.jobs}${run.together ? ' --together' : ''}`
  const parts = [
    '# Self-test',
    `What \`${command}\` found, by version ${suite.version}, in ${seconds(run.durationMs)}.${
      run.again === 0 ? '' : ` Faults and targets tried once more, with nothing beside them: ${run.again}.`
    }`,
    summaryLines(matrix)
      .map((line) => `- ${cell(line)}`)
      .join('\n'),
    matrix.faults && faultPart(matrix.faults),
    matrix.proofs && proofPart(matrix.proofs),
    matrix.variants && variantPart(matrix.variants),
    matrix.power && powerPart(matrix.power),
    matrix.pools && poolPart(matrix.pools),
    matrix.situations && situationPart(matrix.situations),
    matrix.seeds && seedPart(matrix.seeds),
    matrix.administration && administrationPart(matrix.administration),
    matrix.hostile && hostilePart(matrix.hostile),
  ].filter((part) => part !== undefined)
  return `${parts.join('\n\n')}\n`
}

function faultPart(rows: readonly FaultRow[]): string {
  return `## Faults

Each breaks one thing in the embedded portal. *Found*: every requirement that it breaks failed. *Blamed*: no other
did. *Requests*: of the cheapest check that found it, with its repetition and the search for a smaller counterexample.

${table(
  ['Fault', 'What the portal does', 'Breaks', 'Found', 'Blamed', 'Requests', 'Time'],
  rows.map((row) => [
    code(row.id),
    row.sentence,
    row.breaks.map(code).join(', '),
    yesNo(row.found),
    row.blamed ? 'yes' : `**no**: ${row.problems.join('; ')}`,
    row.requests === undefined ? '' : String(row.requests),
    time(row.durationMs),
  ]),
)}`
}

function proofPart(proofs: readonly Proof[]): string {
  return `## What shows that a requirement can fail

${table(
  ['Requirement', 'Level', 'Faults'],
  proofs.map(({ id, level, faults }) => [
    code(id),
    level,
    faults.length === 0 ? '**none**' : faults.map(code).join(', '),
  ]),
)}`
}

function variantPart(rows: readonly VariantRow[]): string {
  return `## Permitted variants

Each keeps the contract in another way, alone or together with others: nothing may fail, neither in a run nor in a
recording of it, and nothing may be left open but what the variant gives a reason for.

${table(
  ['Variants', 'What the portal does', 'Clean', 'Time'],
  rows.map((row) => [row.ids.map(code).join(' '), row.sentence, asItShould(row), time(row.durationMs)]),
)}`
}

function powerPart(rows: readonly PowerRow[]): string {
  const [first] = rows
  const rates = first?.rates ?? []
  const percent = (share: number): string => `${(share * 100).toFixed(share < 0.995 ? 0 : 1)} %`
  return `## Faults that show now and then

Each shows in one of ${rates.map(({ oneIn }) => oneIn).join(', ')} requests, drawn by a seed, in runs with \`--runs 100\` of the checks of one requirement.
*Looks*: the requests of such a run in which it could show. A cell says how often it was found, and in how many of a
hundred runs the number of looks predicts that it shows at all.

${table(
  ['Fault', 'Kind', 'Requirement', 'Looks', ...rates.map(({ oneIn }) => `1 in ${oneIn}`), 'As predicted'],
  rows.map((row) => [
    code(row.id),
    row.kind,
    code(row.requirement),
    String(row.looks),
    ...row.rates.map(({ found, tries, predicted }) => `${found} of ${tries} (${percent(predicted)})`),
    asItShould(row),
  ]),
)}`
}

function poolPart(rows: readonly PoolRow[]): string {
  return `## Portals with scarce fixtures

Portals that keep the contract, with providers that hand out little or fail now and then: nothing may fail, and what is
left open says why.

${table(
  ['Portal', 'Fixtures', 'Checks passed', 'Left open', 'Blamed for nothing', 'Time'],
  rows.map((row) => [
    row.portal,
    row.provider,
    String(row.passed),
    String(row.open),
    asItShould(row),
    time(row.durationMs),
  ]),
)}`
}

function situationPart(rows: readonly SituationRow[]): string {
  const missed = rows.filter(({ end, problems }) => end !== 'found' || problems.length > 0)
  return `## Faults in one situation only

Faults of the catalogue, drawn by the seed, each of which shows in one situation only, in runs with \`--runs 100\`, as
\`run --reference\` has them. *Found*: a requirement that the
fault breaks failed; *exactly*: one that it breaks whatever is sent, and not one that depends on what comes in the situation. *Left open*: none failed, and one is inconclusive: the run is incomplete, and its exit code 3. Left out is what no request can show or nobody may judge: ${impossible
    .map(({ situation, why }) => `${code(situation)}, where ${why}`)
    .join('; ')}.

${table(
  ['Situation', 'What it is', 'Tried', 'Found', 'Exactly', 'Left open', 'Something else blamed'],
  situations.map(({ id, sentence }) => {
    const of = rows.filter(({ situation }) => situation === id)
    return [
      code(id),
      sentence,
      String(of.length),
      String(of.filter(({ end }) => end === 'found').length),
      String(of.filter(({ exactly }) => exactly).length),
      String(of.filter(({ end }) => end === 'open').length),
      String(of.filter(({ problems }) => problems.length > 0).length),
    ]
  }),
)}${missed.length === 0 ? '' : `\n\nMissed, left open, or something else blamed:\n`}${missed
  .map(({ fault, situation, end, looks, problems }) => {
    const what = [...(end === 'found' ? [] : [ends[end]]), ...problems].join('; ')
    return `\n- ${code(fault)}, ${code(situation)} (${looks} requests): ${cell(what)}`
  })
  .join('')}`
}

function seedPart(rows: readonly SeedRow[]): string {
  const blamed = rows.filter(({ problems }) => problems.length > 0)
  return `## Seeds

${table(
  ['Portal', 'Seeds', 'Conformant', 'Time'],
  seedCounts(rows).map(({ portal, tried, conformant, durationMs }) => [
    portal,
    String(tried),
    String(conformant),
    time(durationMs),
  ]),
)}${blamed.map(({ portal, seed, problems }) => `\n\n- Seed ${seed} on ${portal}: ${cell(problems.join('; '))}`).join('')}`
}

function administrationPart(rows: readonly AdministrationRow[]): string {
  const kept = rows.filter(({ breaks }) => breaks.length === 0)
  const broken = rows.filter(({ breaks }) => breaks.length > 0)
  return `## Logins and nothing else

The run makes its fixtures and users itself. Before and after it all that is there is compared, with things of others that
are called like its own: nothing may be left, gone or changed.

Deployments that keep the contract: nothing may fail, and what is left untested has the reason that is true there.

${table(
  ['Deployment', 'What it is', 'Checks passed', 'Not tested', 'Clean', 'Time'],
  kept.map((row) => [
    code(row.id),
    row.sentence,
    String(row.passed),
    String(row.untested),
    asItShould(row),
    time(row.durationMs),
  ]),
)}

Faults that show where the documented pages are read, in nothing else but the times and ids of answers: each is found, and
nothing else is blamed.

${table(
  ['Fault', 'What the portal does', 'Breaks', 'Found and blamed', 'Time'],
  broken.map((row) => [
    code(row.id),
    row.sentence,
    row.breaks.map(code).join(', '),
    asItShould(row),
    time(row.durationMs),
  ]),
)}`
}

function hostilePart(rows: readonly HostileRow[]): string {
  return `## Hostile and broken targets

The command as users run it, in a process of its own. *Handled*: nothing passes or fails that should not, the outcome
says in a line what happened, the report is whole, no secret is in it, and time and memory (300 MiB) are kept.

${table(
  ['Target', 'What it does', 'Handled', 'Exit code', 'Time', 'Memory'],
  rows.map((row) => [
    code(row.id),
    row.sentence,
    asItShould(row),
    row.exitCode === null ? 'none' : String(row.exitCode),
    time(row.durationMs),
    row.peakMiB === undefined ? '' : `${row.peakMiB} MiB`,
  ]),
)}`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** On one line, and without what would end a cell or begin a tag. */
const cell = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

const code = (text: string): string => `\`${text}\``
const asItShould = ({ problems }: Tried): string =>
  problems.length === 0 ? 'yes' : `**no**: ${problems.join('; ')}`
const yesNo = (value: boolean): string => (value ? 'yes' : '**no**')
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
const time = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '' : seconds(milliseconds)
