/** Cleans up after a run or a round: the fixture provider removes its fixtures, and the run deletes leftovers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance, describe } from '../../clauses/acceptance.ts'
import type { OnRemoved } from '../../deployment/administration/removal.ts'
import {
  type Configuration,
  listedFixtures,
  runningProvider,
} from '../../deployment/configuration/configuration.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import type { OpenFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { Client } from '../../deployment/http/client.ts'
import { isPageForPeople } from '../../deployment/http/diagnosis.ts'
import { type Answer, BodyLimitError, errorCodeOf, TransportError } from '../../deployment/http/exchange.ts'
import { isUsable, type Journal, type ProviderCleanup, type Thing } from '../../deployment/journal/journal.ts'
import { countOf } from '../../reporters/wording.ts'
import { outgoing } from '../../runner/context/calls.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { firstLine } from '../command-error.ts'

export interface FixturesInUse {
  readonly runId: string
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
  /** Absent: the run keeps no journal, and deletes no leftovers. */
  readonly journal?: Journal
  /** Receives what could not be removed, with the command that tries again. */
  readonly warn: (message: string) => void
  /** Receives how much of what the run made is removed. */
  readonly onRemoved?: OnRemoved
}

/** How long a fixture provider may take to clean up, in milliseconds. */
const providerMs = 10_000
/** The run removes what it made itself one by one. */
const removalMs = 30 * 60_000

/** How long deleting the leftovers at the end of a run may take, in milliseconds. */
const leftoversMs = 5000

/** Never rejects. */
export async function cleanUpRun(run: FixturesInUse): Promise<void> {
  const { journal, warn } = run
  try {
    if (journal === undefined) return void (await cleanUpFixtures(run))
    const { provider, left } = await cleanUp(run, journal, AbortSignal.timeout(leftoversMs))
    if (left.length > 0) warn(whatIsLeft(left))
    if (left.length > 0 || provider === 'failed')
      warn(`to clean up later: portal-conformance cleanup ${journal.file}`)
  } catch (error) {
    warn(`${firstLine(error)}: fixtures may be left over; the journal: ${journal?.file}`)
  } finally {
    journal?.close()
  }
}

/** Lets a provider that works on after that remove what a round used, so that a long run fills neither the target nor its own journal. */
export async function cleanUpRound(run: FixturesInUse): Promise<void> {
  if (runningProvider(run.configuration) === undefined || run.fixtures.administration !== undefined) return
  const provider = await cleanUpFixtures(run)
  if (provider === 'done') run.journal?.cleanedUp(provider)
}

/** Lets the provider remove its fixtures, then deletes what it left, and notes both. An aborted signal ends the deleting. */
export async function cleanUp(
  run: FixturesInUse,
  journal: Journal,
  signal?: AbortSignal,
): Promise<{ readonly provider: ProviderCleanup; readonly left: readonly Kept[] }> {
  const provider = await cleanUpFixtures(run)
  // A provider that removed its fixtures removed the leftovers with them.
  const leftovers = provider === 'done' ? [] : leftoversIn(journal.all)
  const left =
    leftovers.length === 0 ? [] : await deleteLeftovers(leftovers, run.configuration, journal, signal)
  journal.cleanedUp(provider)
  return { provider, left }
}

/** Never rejects: `warn` receives that fixtures may be left over. */
async function cleanUpFixtures(run: FixturesInUse): Promise<ProviderCleanup> {
  const { runId, fixtures, warn, onRemoved } = run
  const tooLong = fixtures.administration === undefined ? providerMs : removalMs
  const over = new AbortController()
  try {
    const answer = await Promise.race([
      fixtures.cleanup(runId, { onProgress: onRemoved, warn }),
      sleep(tooLong, undefined, { signal: over.signal }).catch(() => undefined),
    ])
    if (answer !== undefined) return answer
    warn('the fixture provider did not clean up in time: its fixtures may be left over')
  } catch (error) {
    const why = error instanceof FixtureFailure ? error.message : firstLine(error)
    warn(`fixtures may be left over: ${why}`)
  } finally {
    over.abort()
  }
  return 'failed'
}

function whatIsLeft(left: readonly Kept[]): string {
  const [first, ...others] = left
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${countOf(left.length, 'collaboration is', 'collaborations are')} left, with the workspaces that the run added: ${first?.thing.id}${more} (${first?.why})`
}

/** The leftovers among the things of a journal: what a run makes itself has a name. */
export const leftoversIn = (things: readonly Thing[]): Thing[] =>
  things.filter(({ name }) => name === undefined)

/** A collaboration that is probably still there, and why it could not be deleted. */
export interface Kept {
  readonly thing: Thing
  readonly why: string
}

const operation = 'delete-collaboration'

/**
 * Deletes the leftovers, notes each deletion in the journal at once, and resolves with those that it could not delete.
 * An aborted signal ends the deleting.
 */
async function deleteLeftovers(
  leftovers: readonly Thing[],
  configuration: Configuration,
  journal: Journal,
  signal?: AbortSignal,
): Promise<Kept[]> {
  const { hostAdministrator } = configuration.actors
  const all = (why: string): Kept[] => leftovers.map((thing) => ({ thing, why }))
  if (!configuration.effects.includes(operation)) return all(`effects does not allow ${operation}`)
  if (hostAdministrator === undefined)
    return all(configuration.absent?.hostAdministrator ?? 'actors.hostAdministrator is missing')
  const { credential, portal } = hostAdministrator
  const actor = 'hostAdministrator'
  const referer = refererOf(hostAdministrator)
  const identity = withoutUndefined({ actor, credential, portal, referer } as const)
  // A copy of http gets a limiter of its own: the limiter of the run may still be busy.
  const own = { ...configuration, http: { ...configuration.http } }
  const client = new Client(own, withoutUndefined({ signal }))
  const isListed = listedFixtures(configuration) !== undefined
  const remove = async (thing: Thing): Promise<Kept | undefined> => {
    const id = String(thing.id)
    if (!isUsable(id)) return { thing, why: 'its id is hidden in the journal' }
    try {
      const at = { collaborationId: id }
      const answer = await client.send(outgoing(configuration, identity, { operation, at }))
      if (!isGone(answer)) return { thing, why: `${describe(answer)}; the run may have deleted it before` }
      if (isListed) journal.use('collaboration', id)
      journal.gone(thing)
      return undefined
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      return { thing, why: error.message }
    }
  }
  try {
    return (await Promise.all(leftovers.map(remove))).filter((kept) => kept !== undefined)
  } finally {
    await client.close()
  }
}

/** Deleted by this request, or gone before by an answer of the target itself: a page for people comes from elsewhere. */
const isGone = (answer: Answer): boolean =>
  acceptance(answer).accepted ||
  (!isPageForPeople(answer) &&
    [answer.status, errorCodeOf(answer)].some((code) => code === 404 || code === 410))
