/** Holds a fixture provider against what providers promise: each kind asked for, with the least and with all options. */
import type { ActorName, Configuration } from '../target/configuration/configuration.ts'
import { FixtureClient } from '../target/fixtures/fixture-client.ts'
import { FixtureFailure, FixtureNotOffered } from '../target/fixtures/fixture-errors.ts'
import {
  type FixtureAnswers,
  type FixtureKind,
  type FixtureOptions,
  fixtureKinds,
} from '../target/fixtures/fixture-kinds.ts'
import type { OpenFixtures } from '../target/fixtures/fixture-sources.ts'
import { type Handed, type Note, notesOn } from './fixture-judgement.ts'
import { askWrongly } from './fixture-protocol.ts'

/** `warned`: it can be worked with, but checks are lost or late by it. */
export type FixtureOutcome = 'passed' | 'warned' | 'failed' | 'not-offered'

/** What was found of one kind, of the protocol itself, or of cleaning up. */
export interface FixtureFinding {
  readonly kind: FixtureKind | 'protocol' | 'cleanup'
  readonly outcome: FixtureOutcome
  /** One line: what was handed out, what is wrong and what to do, or why it is not offered. Not redacted. */
  readonly detail: string
  /** The longest wait for one answer, in milliseconds; absent: not measured. */
  readonly longestMs?: number
}

export interface FixtureCheckOptions {
  /** In whose name fixtures are asked for and removed. */
  readonly runId: string
  /** Ends the asking; what was handed out is removed all the same. */
  readonly signal?: AbortSignal
}

/** What is known of the deployment; `http`: how a provider elsewhere is reached. */
type Examined = Pick<Configuration, 'actors' | 'portals'> & Partial<Pick<Configuration, 'http'>>

/** Actors whose items are asked for. */
const owners = ['itemOwner', 'itemOwnerUnprivileged'] as const satisfies readonly ActorName[]

/**
 * A finding for each kind, for the protocol and for cleaning up; one of the protocol alone where nothing at all could be
 * had. Sends nothing to the target; the provider is told at
 * the end to remove what it handed out. Never rejects for what a provider does.
 */
export async function checkFixtures(
  fixtures: Pick<OpenFixtures, 'url'>,
  configuration: Examined,
  { runId, signal }: FixtureCheckOptions,
): Promise<readonly FixtureFinding[]> {
  const findings: FixtureFinding[] = []
  const { http } = configuration
  const reached = { runId, ...(http === undefined ? {} : { http }) }
  const client = new FixtureClient(fixtures.url, {
    ...reached,
    ...(signal === undefined ? {} : { signal }),
  })
  const handed: Partial<Record<FixtureKind, readonly Handed[]>> = {}
  for (const kind of fixtureKinds) {
    if (signal?.aborted) break
    handed[kind] = await askFor(client, kind, configuration)
    findings.push(findingOf(kind, handed, configuration))
  }
  const broken = reasonForAll(handed)
  if (broken !== undefined && !signal?.aborted) {
    await client.cleanup().catch(() => undefined)
    return [{ kind: 'protocol', outcome: 'failed', detail: broken }]
  }
  const offered = fixtureKinds.filter((kind) => handed[kind]?.some((one) => 'fixture' in one))
  if (fixtures.url !== undefined && !signal?.aborted)
    findings.push(await askWrongly(fixtures.url, offered, reached))
  const finding = await cleanUpTwice(client, new FixtureClient(fixtures.url, reached))
  if (finding !== undefined) findings.push(finding)
  return findings
}

/** At once, so that answers that are mixed up show. */
async function askFor<Kind extends FixtureKind>(
  client: FixtureClient,
  kind: Kind,
  { actors }: Pick<Configuration, 'actors'>,
): Promise<Handed[]> {
  const within =
    kind === 'workspace' || kind === 'participant'
      ? await ask(client, 'collaboration', { with: kind })
      : undefined
  const place = within !== undefined && 'fixture' in within ? within.fixture : {}
  const requests: { readonly [K in FixtureKind]: readonly FixtureOptions[K][] } = {
    collaboration: [{}, { with: 'participant' }],
    workspace: [{}, { ...place, minimumSyncMs: 700 }],
    scheduledSync: [{ remainingMs: 1500 }, { remainingMs: 3000 }],
    participant: [{}, place],
    group: [{}, {}],
    items: owners
      .filter((owner) => owner === owners[0] || actors[owner] !== undefined)
      .flatMap((owner) => [
        { owner, count: 1 },
        { owner, count: 3 },
      ]),
    eligibleUser: [{}, {}],
    ineligibleUser: [{}],
    taskRun: [{}, {}],
    federation: [{}],
  }
  return Promise.all(requests[kind].map((options) => ask(client, kind, options)))
}

async function ask<Kind extends FixtureKind>(
  client: FixtureClient,
  kind: Kind,
  options: FixtureOptions[Kind],
): Promise<Handed<Kind>> {
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  const prefix = `fixture "${kind}" ${JSON.stringify(options)}: `
  try {
    const fixture = await client.obtain(kind, options)
    return { options, fixture, ms: ms() }
  } catch (error) {
    if (error instanceof FixtureNotOffered) return { options, notOffered: error.message, ms: ms() }
    if (error instanceof FixtureFailure)
      return { options, failure: error.message.replace(prefix, ''), ms: ms() }
    throw error
  }
}

/** Why nothing at all could be had, where that is so: what came first is the cause of the rest. */
function reasonForAll(handed: Partial<Record<FixtureKind, readonly Handed[]>>): string | undefined {
  const all = Object.values(handed).flat()
  const failures = all.flatMap((one) => ('failure' in one ? [one.failure] : []))
  return failures.length === all.length ? failures[0] : undefined
}

function findingOf(
  kind: FixtureKind,
  handed: Partial<Record<FixtureKind, readonly Handed[]>>,
  configuration: Pick<Configuration, 'actors' | 'portals'>,
): FixtureFinding {
  const all = handed[kind] ?? []
  const longestMs = Math.max(...all.map(({ ms }) => ms))
  const notes = [
    ...notesOn(kind, all, configuration),
    ...(kind === 'ineligibleUser' ? bothEligible(handed) : []),
  ]
  if (notes.length > 0) {
    const failed = notes.some(({ severity }) => severity === 'broken')
    const texts = [...new Set(notes.map(({ text }) => text))]
    return { kind, outcome: failed ? 'failed' : 'warned', detail: texts.join('; '), longestMs }
  }
  const refused = all.find((one) => 'notOffered' in one)
  if (refused !== undefined && 'notOffered' in refused)
    return { kind, outcome: 'not-offered', detail: refused.notOffered, longestMs }
  const first = all.find((one) => 'fixture' in one)
  return { kind, outcome: 'passed', detail: `such as ${JSON.stringify(first?.fixture)}`, longestMs }
}

function bothEligible({
  eligibleUser = [],
  ineligibleUser = [],
}: Partial<Record<FixtureKind, readonly Handed[]>>): Note[] {
  const names = (all: readonly Handed[]) =>
    all.flatMap((one) => ('fixture' in one ? [(one.fixture as FixtureAnswers['eligibleUser']).username] : []))
  const both = names(ineligibleUser).find((name) => names(eligibleUser).includes(name))
  if (both === undefined) return []
  return [{ severity: 'broken', text: `${both} was handed out as an eligible user, too` }]
}

/** The second time there is nothing left to remove, which is no error. */
async function cleanUpTwice(
  client: FixtureClient,
  again: FixtureClient,
): Promise<FixtureFinding | undefined> {
  const began = performance.now()
  let first = false
  try {
    const answer = await client.cleanup()
    first = true
    const longestMs = Math.round(performance.now() - began)
    await again.cleanup()
    if (answer === 'none') return undefined
    if (answer === 'done')
      return { kind: 'cleanup', outcome: 'passed', detail: 'done, and once more without harm', longestMs }
    const detail =
      'the provider removes nothing: what checks leave of its fixtures stays; add POST /cleanup to it'
    return { kind: 'cleanup', outcome: 'not-offered', detail, longestMs }
  } catch (error) {
    if (!(error instanceof FixtureFailure)) throw error
    const detail = first ? `once more, with nothing left to remove: ${error.message}` : error.message
    return { kind: 'cleanup', outcome: 'failed', detail }
  }
}
