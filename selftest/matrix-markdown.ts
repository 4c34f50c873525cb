/** The matrix of a self-test as a Markdown document. Pure. */
import { inMarkdown } from '../reporters/markdown/paint.ts'
import {
  codeOf,
  type Inline,
  looking,
  type Node,
  namesOf,
  type Section,
  type Table,
  textOf,
} from '../reporters/nodes.ts'
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
  return ['# Self-test\n\n', ...inMarkdown(nodes(matrix), Number.MAX_SAFE_INTEGER)].join('')
}

function nodes(matrix: Matrix): Node[] {
  const { run, suite } = matrix
  const command = `portal-conformance selftest --seed ${run.seed} --runs ${run.runs} --combinations ${run.combinations} --jobs ${run.jobs}${run.together ? ' --together' : ''}`
  const again =
    run.again === 0 ? '' : ` Faults and targets tried again, with nothing beside them: ${run.again}.`
  const summary: Node = { kind: 'list', items: summaryLines(matrix).map((text) => ({ text })) }
  return [
    textOf([
      'What ',
      codeOf(command),
      ` found, by version ${suite.version}, in ${seconds(run.durationMs)}.${again}`,
    ]),
    summary,
    matrix.faults && faultPart(matrix.faults),
    matrix.proofs && proofPart(matrix.proofs),
    matrix.variants && variantPart(matrix.variants),
    matrix.power && powerPart(matrix.power),
    matrix.pools && poolPart(matrix.pools),
    matrix.situations && situationPart(matrix.situations),
    matrix.seeds && seedPart(matrix.seeds),
    matrix.administration && administrationPart(matrix.administration),
    matrix.hostile && hostilePart(matrix.hostile),
  ].filter((node) => node !== undefined)
}

/** A section with an introduction and a table. */
const part = (
  title: string,
  lead: Inline,
  heads: readonly Inline[],
  rows: readonly (readonly Inline[])[],
  ...below: readonly Node[]
): Section => ({
  kind: 'section',
  title,
  blocks: [...(lead === '' ? [] : [textOf(lead)]), { kind: 'table', label: title, heads, rows }, ...below],
})

const faultPart = (rows: readonly FaultRow[]): Section =>
  part(
    'Faults',
    'Each breaks one thing in the embedded portal. Found: every requirement that it breaks failed. Blamed: no other did. Requests: of the cheapest check that found it, with its repetition and the search for a smaller counterexample.',
    ['Fault', 'What the portal does', 'Breaks', 'Found', 'Blamed', 'Requests', 'Time'],
    rows.map((row) => [
      codeOf(row.id),
      row.sentence,
      codes(row.breaks),
      yesNo(row.found),
      row.blamed ? 'yes' : no(row.problems),
      row.requests === undefined ? '' : String(row.requests),
      time(row.durationMs),
    ]),
  )

const proofPart = (proofs: readonly Proof[]): Section =>
  part(
    'What shows that a requirement can fail',
    '',
    ['Requirement', 'Level', 'Faults'],
    proofs.map(({ id, level, faults }) => [
      codeOf(id),
      level,
      faults.length === 0 ? looking('strong', 'none') : codes(faults),
    ]),
  )

const variantPart = (rows: readonly VariantRow[]): Section =>
  part(
    'Permitted variants',
    'Each keeps the contract in another way, alone or together with others: nothing may fail, neither in a run nor in a recording of it, and nothing may be left open but what the variant gives a reason for.',
    ['Variants', 'What the portal does', 'Clean', 'Time'],
    rows.map((row) => [codes(row.ids), row.sentence, asItShould(row), time(row.durationMs)]),
  )

function powerPart(rows: readonly PowerRow[]): Section {
  const rates = rows[0]?.rates ?? []
  const percent = (share: number): string => `${(share * 100).toFixed(share < 0.995 ? 0 : 1)} %`
  return part(
    'Faults that show now and then',
    [
      `Each shows in one of ${rates.map(({ oneIn }) => oneIn).join(', ')} requests, drawn by a seed, in runs with `,
      codeOf('--runs 100'),
      ' of the checks of one requirement. Looks: the requests of such a run in which it could show. A cell says how often it was found, and in how many of a hundred runs the number of looks predicts that it shows at all.',
    ],
    ['Fault', 'Kind', 'Requirement', 'Looks', ...rates.map(({ oneIn }) => `1 in ${oneIn}`), 'As predicted'],
    rows.map((row) => [
      codeOf(row.id),
      row.kind,
      codeOf(row.requirement),
      String(row.looks),
      ...row.rates.map(({ found, tries, predicted }) => `${found} of ${tries} (${percent(predicted)})`),
      asItShould(row),
    ]),
  )
}

const poolPart = (rows: readonly PoolRow[]): Section =>
  part(
    'Portals with scarce fixtures',
    'Portals that keep the contract, with providers that hand out little or fail now and then: nothing may fail, and what is left open says why.',
    ['Portal', 'Fixtures', 'Checks passed', 'Left open', 'Blamed for nothing', 'Time'],
    rows.map((row) => [
      row.portal,
      row.provider,
      String(row.passed),
      String(row.open),
      asItShould(row),
      time(row.durationMs),
    ]),
  )

function situationPart(rows: readonly SituationRow[]): Section {
  const excluded = impossible.flatMap(({ situation, why }, at): Inline[] => [
    at === 0 ? '' : '; ',
    codeOf(situation),
    `, where ${why}`,
  ])
  return part(
    'Faults in one situation only',
    [
      'Faults of the catalogue, drawn by the seed, each in one situation only, in runs with ',
      codeOf('--runs 100'),
      ', as ',
      codeOf('run --reference'),
      ' has them. Found: a requirement that the fault breaks failed; exactly: one that it breaks whatever is sent, and not one that depends on what comes in the situation. Left open: none failed, and one is inconclusive: the run is incomplete, and its exit code 3. Left out is what no request can show or no one may judge: ',
      excluded,
      '.',
    ],
    ['Situation', 'What it is', 'Tried', 'Found', 'Exactly', 'Left open', 'Something else blamed'],
    situations.map(({ id, sentence }) => {
      const of = rows.filter(({ situation }) => situation === id)
      return [
        codeOf(id),
        sentence,
        String(of.length),
        String(of.filter(({ end }) => end === 'found').length),
        String(of.filter(({ exactly }) => exactly).length),
        String(of.filter(({ end }) => end === 'open').length),
        String(of.filter(({ problems }) => problems.length > 0).length),
      ]
    }),
    ...missedIn(rows),
  )
}

function missedIn(rows: readonly SituationRow[]): Node[] {
  const missed = rows.filter(({ end, problems }) => end !== 'found' || problems.length > 0)
  const items = missed.map(({ fault, situation, end, looks, problems }) => {
    const what = [...(end === 'found' ? [] : [ends[end]]), ...problems].join('; ')
    return { text: [codeOf(fault), ', ', codeOf(situation), ` (${looks} requests): ${what}`] }
  })
  return missed.length === 0
    ? []
    : [textOf('Missed, left open, or something else blamed:'), { kind: 'list', items }]
}

function seedPart(rows: readonly SeedRow[]): Section {
  const blamed = rows.filter(({ problems }) => problems.length > 0)
  const items = blamed.map(({ portal, seed, problems }) => ({
    text: `Seed ${seed} on ${portal}: ${problems.join('; ')}`,
  }))
  return part(
    'Seeds',
    '',
    ['Portal', 'Seeds', 'Conformant', 'Time'],
    seedCounts(rows).map(({ portal, tried, conformant, durationMs }) => [
      portal,
      String(tried),
      String(conformant),
      time(durationMs),
    ]),
    { kind: 'list', items },
  )
}

function administrationPart(rows: readonly AdministrationRow[]): Section {
  const kept = rows.filter(({ breaks }) => breaks.length === 0)
  const broken = rows.filter(({ breaks }) => breaks.length > 0)
  const faults: Table = {
    kind: 'table',
    label: 'Faults of portals with logins and nothing else',
    heads: ['Fault', 'What the portal does', 'Breaks', 'Found and blamed', 'Time'],
    rows: broken.map((row) => [
      codeOf(row.id),
      row.sentence,
      codes(row.breaks),
      asItShould(row),
      time(row.durationMs),
    ]),
  }
  return part(
    'Logins and nothing else',
    'The run makes its fixtures and users itself. Before and after it all that is there is compared, with things of others that are called like its own: nothing may be left, gone or changed. Deployments that keep the contract: nothing may fail, and what is left untested has the reason that is true there.',
    ['Deployment', 'What it is', 'Checks passed', 'Not tested', 'Clean', 'Time'],
    kept.map((row) => [
      codeOf(row.id),
      row.sentence,
      String(row.passed),
      String(row.untested),
      asItShould(row),
      time(row.durationMs),
    ]),
    textOf(
      'Faults that show where the documented pages are read, in nothing else but the times and ids of answers: each is found, and nothing else is blamed.',
    ),
    faults,
  )
}

const hostilePart = (rows: readonly HostileRow[]): Section =>
  part(
    'Hostile and broken targets',
    'The command as users run it, in a process of its own. Handled: nothing passes or fails that should not, the outcome says in a line what happened, the report is whole, no secret is in it, and time and memory (300 MiB) are kept.',
    ['Target', 'What it does', 'Handled', 'Exit code', 'Time', 'Memory'],
    rows.map((row) => [
      codeOf(row.id),
      row.sentence,
      asItShould(row),
      row.exitCode === null ? 'none' : String(row.exitCode),
      time(row.durationMs),
      row.peakMiB === undefined ? '' : `${row.peakMiB} MiB`,
    ]),
  )

const codes = (ids: readonly string[]): Inline => namesOf(ids.map(codeOf), Number.POSITIVE_INFINITY)
const no = (problems: readonly string[]): Inline => [looking('strong', 'no'), `: ${problems.join('; ')}`]
const asItShould = ({ problems }: Tried): Inline => (problems.length === 0 ? 'yes' : no(problems))
const yesNo = (value: boolean): Inline => (value ? 'yes' : looking('strong', 'no'))
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
const time = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? '' : seconds(milliseconds)
