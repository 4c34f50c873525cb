/** What `doctor` and `run --dry-run` say of a target and its configuration, part by part. Sends nothing. */
import { type ActorName, actorNames, portalNames } from '../../deployment/configuration/actors.ts'
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import { fixtureKinds, furtherKinds } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Section } from '../../reporters/nodes.ts'
import { countOf, numeral, outcomeWords } from '../../reporters/wording.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { byKey, withoutUndefined } from '../../schemas/values.ts'
import { coverageOf, operationIds } from '../../specs/operations.ts'
import { isGating, type Outcome } from '../../specs/outcomes.ts'
import { requirementOf } from '../../specs/requirements.ts'
import type { FixtureFinding } from '../fixtures/fixture-conformance.ts'
import type { BaseAnswers, Rights } from './ask-target.ts'
import { type Forecast, forecastOf, whatIsRemoved } from './forecast.ts'
import { needLines, roughly } from './run-estimate.ts'

interface Found {
  /** With the credentials that work. */
  readonly configuration: Configuration
  /** The release in the configuration file. */
  readonly configuredVersion?: string | undefined
  readonly base: BaseAnswers
  /** Which callers are shown to have the rights of their roles; absent: no credential was tried. */
  readonly rights?: Rights | undefined
  /** What the fixture provider handed out; absent: not asked. */
  readonly findings?: readonly FixtureFinding[] | undefined
}

interface Facts extends Found {
  readonly planned: readonly PlannedCheck[]
  readonly forecast: Forecast
}

/** One thing that was found. Something that is configured and does not work failed. */
interface Line {
  readonly outcome: Outcome
  readonly text: string
}

type Say = (outcome: Outcome, text: string) => void

const parts: readonly (readonly [title: string, examine: (facts: Facts, say: Say) => void])[] = [
  ['Target', sayTarget],
  ['Credentials', sayCredentials],
  ['Fixtures', sayFixtures],
  ['Effects', sayEffects],
  ['Length of a run', sayLength],
]

/** What `doctor --json` prints. */
export type Examination = ReturnType<typeof examination>

/** Puts together what was found with what follows from it. */
export function examination(found: Found, plan: readonly PlannedCheck[]) {
  const { configuration, base, findings } = found
  const planned = findings === undefined ? plan : withFindings(plan, findings)
  const forecast = forecastOf(planned, configuration)
  const facts = { ...found, planned, forecast }
  const examined = parts.map(([title, examine]) => {
    const lines: Line[] = []
    examine(facts, (outcome, text) => lines.push({ outcome, text }))
    return { title, lines }
  })
  const broken = examined.flatMap(({ lines }) => lines.filter(({ outcome }) => outcome === 'failed')).length
  const medianMs = base.latency?.medianMs
  return withoutUndefined({
    baseUrl: configuration.target.baseUrl,
    parts: examined,
    requests: forecast.requests,
    // Absent: the latency is not known.
    durationMs: medianMs === undefined ? undefined : forecast.durationMs(medianMs),
    add: forecast.add,
    outcome: broken === 0 ? 'ready' : 'broken',
    conclusion: conclusion(facts, broken),
  })
}

/** The parts as sections of a document. */
export function sectionsOf(examined: Examination['parts']): Section[] {
  return examined.map(({ title, lines }) => {
    const items = lines.map(({ outcome, text }) => ({
      label: outcomeWords[outcome].sign,
      look: outcome,
      text,
    }))
    return { kind: 'section', title, blocks: [{ kind: 'list', items }] }
  })
}

function sayTarget({ configuration, configuredVersion, base }: Facts, say: Say): void {
  const { target, portals } = configuration
  const { latency, trouble } = base
  const answers =
    latency === undefined
      ? `but no complete answer came: ${trouble}`
      : `${latency.answers} answers one after the other: median ${latency.medianMs} ms, longest ${latency.largestMs} ms`
  say('passed', `reached; ${answers}`)
  say(...releaseFound(target.version, configuredVersion, base))
  const coverage = coverageOf(target, (id) => !target.offers.includes(id))
  if (coverage !== undefined) {
    const count = countOf(coverage.of - coverage.judged, 'operation is', 'operations are')
    say('warned', `${count} not judged: ${coverage.why}`)
  }
  for (const portal of portalNames) {
    const url = portals[portal]?.ownUrl
    if (url === undefined) continue
    const another = `another address than portals.${portal}.baseUrl: invitations use that`
    say('not-tested', `the ${portal} knows itself as ${url}, ${another}`)
  }
}

/** The release, as the deployment and the configuration name it. */
function releaseFound(
  version: string | undefined,
  configured: string | undefined,
  { release, internalNumber }: BaseAnswers,
): [Outcome, string] {
  if (version !== undefined && configured === undefined)
    return ['passed', `the deployment says that it is release ${version}`]
  if (version !== undefined && version === internalNumber && version !== release) {
    const right = release === undefined ? 'remove it' : `set it to ${release}, or remove it`
    const what = 'is currentVersion, an internal number and not the release'
    return ['warned', `target.version ${version} ${what}: ${right}`]
  }
  const says =
    release === undefined ? 'does not say which release it is' : `says that it is release ${release}`
  const judged = version === undefined ? 'not set, so every operation is judged' : version
  const fits = release === version ? 'passed' : 'warned'
  const known = release !== undefined && version !== undefined
  return [known ? fits : 'not-tested', `the deployment ${says}; target.version is ${judged}`]
}

const notTried =
  'there, but not tried; authentication.check names a page that only a valid credential can see (a profile may name it, too)'

function rightsOf(has: boolean | undefined): [Outcome, string] {
  if (has === undefined)
    return ['inconclusive', 'signed in; whether it has the rights of the role is not shown']
  return has
    ? ['passed', 'signed in, with the rights of the role']
    : ['warned', 'signed in, but the deployment shows other rights than the role needs']
}

function sayCredentials({ configuration, rights }: Facts, say: Say): void {
  const { actors, absent = {}, administration } = configuration
  const noUsers = administration?.createsUsers === false ? administration.lacks.eligibleUser : undefined
  const found = (name: ActorName): readonly [Outcome, string] => {
    const [reason, actor] = [absent[name], actors[name]]
    if (reason !== undefined) return [reason === noUsers ? 'not-tested' : 'failed', reason]
    if (actor === undefined) return ['not-tested', 'not offered']
    if (actor.made) return ['passed', 'made by the run']
    return rights === undefined ? ['inconclusive', notTried] : rightsOf(rights[name])
  }
  // Callers with one login fail for one reason.
  for (const names of byKey(actorNames, (name) => found(name).join()).values()) {
    const [outcome, text] = found(names[0] as ActorName)
    say(outcome, `${names.join(', ')}: ${text}`)
  }
}

/** The logins that make fixtures although the deployment shows that they lack the rights. */
const powerless = ({ configuration: { actors, administration }, rights }: Facts): ActorName[] =>
  (['hostAdministrator', 'guestAdministrator'] as const).filter((name) => {
    const { portal = 'host', username } = actors[name] ?? {}
    return rights?.[name] === false && administration?.logins[portal]?.username === username
  })

function sayFixtures(facts: Facts, say: Say): void {
  const { configuration, findings, forecast } = facts
  const { fixtures, administration, usedFixtures: used } = configuration
  const { made = [], needs, added } = forecast
  const without = powerless(facts)
  const possible = without.length === 0 ? 'passed' : 'inconclusive'
  const isMade = (text: string) => !/^(?:no|nothing)\b/.test(text)
  for (const text of made) say(isMade(text) ? possible : 'not-tested', text)
  if (without.length > 0)
    say(
      'warned',
      `${without.join(' and ')}: may lack the rights to make them; check the logins of administration`,
    )
  if (administration && made.some(isMade)) say('passed', whatIsRemoved(administration))
  const lists = listedFixtures(configuration)
  const source = (['url', 'module', 'command'] as const).find((kind) => fixtures && kind in fixtures)
  if (fixtures === undefined && administration === undefined)
    say('not-tested', 'none are configured: a run can test hardly anything')
  if (lists !== undefined) {
    const counts = fixtureKinds.map((kind) => [kind, lists[kind]?.length ?? 0] as const)
    const kinds = kindsIn(counts.filter(([, count]) => count > 0))
    say(kinds === '' ? 'not-tested' : 'passed', `lists in the configuration: ${kinds || 'all empty'}`)
  }
  if (source !== undefined && findings === undefined) {
    const how = 'doctor --fixtures asks for one of each kind and has them removed'
    say('inconclusive', `from fixtures.${source}: not asked; ${how}`)
  }
  for (const { kind, outcome, detail } of findings ?? []) say(outcome, `${kind}: ${detail}`)
  if (used !== undefined) {
    const advice = `list others, or delete ${used.rememberedIn} if you restored them`
    say('warned', `used up by earlier runs: ${kindsIn(Object.entries(used.counts))}; ${advice}`)
  }
  for (const text of fixtures === undefined ? [] : needLines(needs))
    say(text.includes('left untested') ? 'warned' : 'not-tested', text)
  if (added !== undefined) say('not-tested', added)
}

const kindsIn = (counts: readonly (readonly [kind: string, count: number])[]): string =>
  counts.map(([kind, count]) => `${kind} (${count})`).join(', ')

function sayEffects({ configuration: { effects }, forecast: { deletion } }: Facts, say: Say): void {
  const not = operationIds.filter((id) => !effects.includes(id))
  if (effects.length > 0) say('passed', `a run may perform ${effects.join(', ')}`)
  if (not.length > 0) say('not-tested', `it may not perform ${not.join(', ')}: not listed in effects`)
  if (deletion !== undefined) say('warned', deletion)
}

/** Most targets answer within these times, in milliseconds. */
const [near, far] = [20, 250] as const

function sayLength({ configuration, base: { latency }, forecast }: Facts, say: Say): void {
  const { judged, requests, durationMs } = forecast
  const lasting = (latencyMs: number) => roughly(durationMs(latencyMs))
  const making = configuration.administration?.permitted ? ', and those that make and remove fixtures' : ''
  const about = `about ${numeral(requests)} requests${making}`
  if (judged === 0) say('not-tested', 'the run can make no check, and would send hardly anything')
  else if (latency === undefined)
    say(
      'inconclusive',
      `${about}: ${lasting(near)} where an answer takes ${near} ms, ${lasting(far)} where it takes ${far} ms; doctor measures`,
    )
  else
    say(
      'passed',
      `${about}: ${lasting(latency.medianMs)}, an estimate from the median answer, run.runs and http. A target that throttles, blocks or fails makes it longer`,
    )
}

/** The plan without the checks whose fixtures the provider turned out not to hand out. */
function withFindings(planned: readonly PlannedCheck[], findings: readonly FixtureFinding[]): PlannedCheck[] {
  const had = findings.filter(({ outcome }) => outcome === 'passed' || outcome === 'warned')
  return planned.map((check) => {
    const missing = check.fixtures.filter(
      (kind) => !furtherKinds.includes(kind) && had.every((each) => each.kind !== kind),
    )
    if (missing.length === 0 || check.without?.outcome === 'not-applicable') return check
    const reason = check.without?.reason ?? `the fixture provider hands out no ${missing.join(', ')}`
    const add = [...new Set([...(check.without?.add ?? []), ...missing.map((kind) => `fixtures.${kind}`)])]
    return { ...check, without: { outcome: 'not-tested', reason, add } }
  })
}

function conclusion(facts: Facts, broken: number): string {
  const { configuration, planned, forecast, base } = facts
  const { judged, isShort, made, durationMs } = forecast
  const all = planned.filter(({ without }) => without?.outcome !== 'not-applicable')
  const checks = `${judged} of ${all.length} checks can be made`
  if (broken > 0) return `Not ready: what is marked with ✗ is broken. ${checks} without it.`
  if (made !== undefined) {
    const { latency } = base
    const takes = latency === undefined ? '' : ` takes about ${roughly(durationMs(latency.medianMs))},`
    const without = powerless(facts)
    const given = without.length === 0 ? 'With this' : `If ${without.join(' and ')} had its rights`
    const can = without.length === 0 ? 'can' : 'could'
    return `${given}, ${requirementsJudged(all)} requirements ${can} be judged. A run${takes} makes the fixtures above, and removes all of them.`
  }
  const short = isShort || configuration.usedFixtures !== undefined
  return short ? `Ready, but short of fixtures: at most ${checks}.` : `Ready: ${checks}.`
}

/** How many must and implied requirements the checks judge, each with all of its checks, such as `68 of 100`. */
function requirementsJudged(checks: readonly PlannedCheck[]): string {
  const gating = checks.filter(({ requirement }) => isGating(requirementOf(requirement).level))
  const groups = [...byKey(gating, ({ requirement }) => requirement).values()]
  const judged = groups.filter((each) => each.every(({ without }) => without === undefined))
  return `${judged.length} of ${groups.length}`
}
