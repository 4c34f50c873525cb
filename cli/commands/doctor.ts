/** `doctor`: whether a run can judge the target as configured, and what to add. Changes nothing on the target. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { tellsCredentialsApart } from '../../deployment/credentials/ready-actors.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { byKey } from '../../reporters/grouping.ts'
import { type Item, type Look, type Node, textOf } from '../../reporters/nodes.ts'
import { additions } from '../../reporters/report/parts.ts'
import { onTerminal } from '../../reporters/terminal/paint.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { unknownLike } from '../../runner/cases/likenesses.ts'
import {
  type Declaring,
  type EarlierRunsOptions,
  withEarlierRuns,
  withTarget,
} from '../arguments/option-values.ts'
import { onTarget, orUsualTarget, type TargetOptions } from '../arguments/target-options.ts'
import { withoutUsedFixtures } from '../cleanup/run-journal.ts'
import { askBase, type Credential, type Examination, examination } from '../doctor/examination.ts'
import { needLines, untestedFor } from '../doctor/fixture-needs.ts'
import { inShort } from '../doctor/forecast.ts'
import { roughly } from '../doctor/run-estimate.ts'
import { checkFixtures, type FixtureFinding } from '../fixtures/fixture-conformance.ts'
import {
  type CommandContext,
  hearFixtures,
  listenForInterrupt,
  warningsTo,
} from '../process/command-context.ts'
import { newRunId } from '../run/prepare-run.ts'
import { reachTarget } from '../run/reach-target.ts'

const help = `
Reaches the target, tries each credential once, measures how long answers take, and estimates how long a run takes. Lists
what a run would not test, and what to add to the configuration for that, most useful first. Changes nothing on the
target. With --fixtures it also asks the fixture provider for one fixture of each kind, and to remove them again.

Exit codes:
  0  everything that is configured works
  2  usage or configuration error
  3  a credential or a kind of fixture is broken
  4  no portal answers at the base URL

Example:
  portal-conformance doctor --config staging.yaml --fixtures`

export function declare({ command, does }: Declaring): void {
  withEarlierRuns(withTarget(command(help)))
    .option('--fixtures', 'ask the fixture provider for a fixture of each kind')
    .option('--json', 'print the findings as JSON')
    .action(does(doctor))
}

interface DoctorOptions extends TargetOptions, EarlierRunsOptions {
  /** Ask the fixture provider for one of each kind. */
  readonly fixtures?: boolean
  readonly json?: boolean
}

/** Rejects with code 4 if the target cannot be reached; resolves with 3 if something configured is broken. */
async function doctor(given: DoctorOptions, commandContext: CommandContext): Promise<ExitCode> {
  const { stdout, environment } = commandContext
  const options = orUsualTarget(given, commandContext)
  const { signal, dispose } = listenForInterrupt(commandContext)
  return onTarget(options, commandContext, async (target) => {
    await reachTarget(target.configuration, signal)
    const base = await askBase(target.configuration, signal)
    const configuration = withoutUsedFixtures(await target.ready(), options.out)
    const madeUp = unknownLike('x'.repeat(40), configuration.run.seed)
    const credentialsTried = await tellsCredentialsApart(target.configuration, madeUp)
    const findings =
      options.fixtures === true && !makesAll(configuration)
        ? await examineFixtures(configuration, signal, commandContext)
        : undefined
    if (signal.aborted) return exitCodes.interrupted
    const found = await examination({
      configuration,
      configuredVersion: target.configuration.target.version,
      base,
      credentialsTried,
      findings,
    })
    const safe = withTexts(found, createRedactor(configuration).text)
    stdout.write(
      options.json === true
        ? `${JSON.stringify(safe, undefined, 2)}\n`
        : onTerminal(doctorReport(safe), pageFor(stdout, environment)),
    )
    return found.outcome === 'ready' ? exitCodes.conformant : exitCodes.incomplete
  }).finally(dispose)
}

/** Whether the run makes all fixtures itself, so that no provider can be asked. */
const makesAll = ({ fixtures, administration }: Configuration): boolean =>
  fixtures === undefined && administration !== undefined

async function examineFixtures(
  configuration: Configuration,
  signal: AbortSignal,
  commandContext: CommandContext,
): Promise<readonly FixtureFinding[]> {
  try {
    const fixtures = await openFixtures(configuration)
    hearFixtures(fixtures, warningsTo(commandContext, configuration))
    try {
      return await checkFixtures(fixtures, configuration, { runId: newRunId(), signal })
    } finally {
      await fixtures.close()
    }
  } catch (error) {
    if (error instanceof FixtureFailure)
      return [{ kind: 'protocol', outcome: 'failed', detail: error.message }]
    throw error
  }
}

type Sign = '✓' | '✗' | '!' | '?' | '–'

const looks: Record<Sign, Look> = {
  '✓': 'passed',
  '✗': 'failed',
  '!': 'warned',
  '?': 'inconclusive',
  '–': 'not-tested',
}

/** What was found, part by part, and what it comes to. */
function* doctorReport(found: Examination): Generator<Node> {
  const { findings, listed } = found.fixtures
  const made = findings !== undefined && listed === undefined
  const but = made ? ', except what the fixture provider made and was asked to remove' : ''
  yield textOf(`${found.baseUrl}: examined; nothing was changed there${but}.`)
  yield part('Target', (say) => sayTarget(found, say))
  yield part('Credentials', (say) => sayCredentials(found, say))
  yield part('Fixtures', (say) => sayFixtures(found.fixtures, say))
  yield part('Effects', (say) => sayEffects(found, say))
  yield part('Length of a run', (say) => sayEstimate(found, say))
  yield* additions(found.add)
  const look = found.outcome === 'ready' ? 'passed' : 'failed'
  yield { kind: 'conclusion', look, text: conclusion(found) }
}

type Say = (sign: Sign, text: string) => void

/** A part with what is said of it, a line each. */
function part(title: string, tell: (say: Say) => void): Node {
  const items: Item[] = []
  tell((sign, text) => items.push({ label: sign, look: looks[sign], text }))
  return { kind: 'section', title, blocks: [{ kind: 'list', items }] }
}

function sayEffects({ effects: { allowed, notAllowed, deletion } }: Examination, say: Say): void {
  if (allowed.length > 0) say('✓', `a run may perform ${allowed.join(', ')}`)
  if (notAllowed.length > 0) say('–', `it may not perform ${notAllowed.join(', ')}: not listed in effects`)
  if (deletion !== undefined) say('!', deletion)
}

function sayTarget(found: Examination, say: Say): void {
  say('✓', `reached${latencyOf(found.base)}`)
  say(...releaseLine(found))
  for (const line of found.leftOut) say('!', line)
  for (const { portal, url } of found.ownAddresses)
    say(
      '–',
      `the ${portal} knows itself as ${url}, another address than portals.${portal}.baseUrl: invitations use that`,
    )
}

/** The release, as the deployment and the configuration name it. */
function releaseLine({ base, version, versionFrom }: Examination): [Sign, string] {
  const { release, internalNumber } = base
  if (version !== undefined && version === internalNumber && version !== release) {
    const right = release === undefined ? 'the release, if you know it' : release
    return [
      '!',
      `target.version ${version} is currentVersion, an internal number and not the release: set it to ${right}, or remove it`,
    ]
  }
  if (versionFrom === 'deployment') return ['✓', `the deployment says that it is release ${version}`]
  const configured =
    version === undefined
      ? 'target.version is not set, so every operation is judged'
      : `target.version is ${version}`
  if (release === undefined) return ['–', `the deployment does not say which release it is; ${configured}`]
  const sign = version === undefined ? '–' : release === version ? '✓' : '!'
  return [sign, `the deployment says that it is release ${release}; ${configured}`]
}

const latencyOf = ({ latency }: Examination['base']): string =>
  latency === undefined
    ? '; but no complete answer came in time'
    : `; ${latency.answers} answers one after the other: median ${latency.medianMs} ms, longest ${latency.largestMs} ms`

function sayCredentials({ credentials, notOffered }: Examination, say: Say): void {
  const having = (outcome: Credential['outcome']) => credentials.filter((each) => each.outcome === outcome)
  // Callers with one login fail for one reason.
  for (const [reason, same] of byKey(having('broken'), ({ reason }) => reason))
    say('✗', `${same.map(({ actor }) => actor).join(', ')}: ${reason}`)
  for (const { actor } of having('works')) say('✓', `${actor}: its credential works`)
  const toBeMade = having('made').map(({ actor }) => actor)
  if (toBeMade.length > 0) say('✓', `${toBeMade.join(', ')}: the run makes them`)
  const notMade = having('not-made')
  if (notMade.length > 0) say('–', `${notMade.map(({ actor }) => actor).join(', ')}: ${notMade[0]?.reason}`)
  const untried = having('not-tried').map(({ actor }) => actor)
  if (untried.length > 0) {
    const how =
      'authentication.check names a page that only a valid credential can see (a profile may name it, too)'
    say('?', `${untried.join(', ')}: there, but not tried; ${how}`)
  }
  if (notOffered.length > 0) say('–', `not offered: ${notOffered.join(', ')}`)
}

function sayFixtures(
  { source, listed, findings, needs, used, made, added }: Examination['fixtures'],
  say: Say,
): void {
  for (const line of made ?? []) say(/^(?:no|nothing)\b/.test(line) ? '–' : '✓', line)
  if (source === 'none') say('–', 'none are configured: a run can test hardly anything')
  if (listed !== undefined) {
    const kinds = kindsIn(listed)
    say(kinds === '' ? '–' : '✓', `lists in the configuration: ${kinds || 'all empty'}`)
  } else if (source !== 'none' && source !== 'administration' && findings === undefined) {
    say(
      '?',
      `from fixtures.${source}: not asked; doctor --fixtures asks for one of each kind and has them removed`,
    )
  }
  const signs = { passed: '✓', warned: '!', failed: '✗', 'not-offered': '–' } as const
  for (const { kind, outcome, detail } of findings ?? []) say(signs[outcome], `${kind}: ${detail}`)
  if (used !== undefined) {
    say(
      '!',
      `used up by earlier runs: ${kindsIn(used.counts)}; list others, or delete ${used.rememberedIn} if you restored them`,
    )
  }
  for (const line of needLines(needs)) say(line.includes('left untested') ? '!' : '–', line)
  if (added !== undefined) say('–', added)
}

const kindsIn = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${kind} (${count})`)
    .join(', ')

function sayEstimate({ estimate, checks, fixtures }: Examination, say: Say): void {
  if (checks.judged === 0) {
    say('–', 'the run can make no check, and would send hardly anything')
    return
  }
  if (estimate === undefined) {
    say('?', 'unknown: no complete answer came in time')
    return
  }
  const { requests, durationMs } = estimate
  say(
    '✓',
    `about ${requests} requests, ${roughly(durationMs)}: an estimate from the median answer, run.runs and http`,
  )
  if (fixtures.made === undefined)
    say(
      '–',
      'without what the fixture provider takes; a target that throttles, blocks or fails makes it longer',
    )
}

function withAdministration({ requirements, estimate, fixtures }: Examination): string {
  const takes = estimate === undefined ? 'it' : `it takes about ${inWords(estimate.durationMs)} and`
  const can = `${requirements.judged} of ${requirements.all} requirements can be judged`
  return `With this, ${can}; ${takes} makes ${inShort(fixtures.made ?? [])}, and removes all of it.`
}

const inWords = (durationMs: number): string =>
  roughly(durationMs)
    .replace(/^(\d+) min$/, '$1 minutes')
    .replace(/^(\d+) s$/, '$1 seconds')

function conclusion(found: Examination): string {
  const { outcome, checks, credentials, fixtures } = found
  if (outcome === 'ready' && fixtures.made !== undefined) return withAdministration(found)
  const short = untestedFor(fixtures.needs).size > 0 || fixtures.used !== undefined
  if (outcome === 'ready' && short)
    return `Ready, but short of fixtures: about ${checks.judged} of ${checks.all} checks can be made.`
  if (outcome === 'ready') return `Ready: ${checks.judged} of ${checks.all} checks can be made.`
  const wrong = [
    ...credentials.filter((each) => each.outcome === 'broken').map(({ actor }) => `actors.${actor}`),
    ...(fixtures.findings ?? [])
      .filter((each) => each.outcome === 'failed')
      .map(({ kind }) => `fixtures: ${kind}`),
  ]
  return `Not ready: broken are ${wrong.join(', ')}. ${checks.judged} of ${checks.all} checks can be made without them.`
}
