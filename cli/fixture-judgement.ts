/** Judges what a provider handed out for a few requests of one kind. Pure: requests and answers in, notes out. */
import type { Configuration } from '../target/configuration/configuration.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../target/fixtures/fixture-kinds.ts'

/** One request to the provider and what came of it. */
export type Handed<Kind extends FixtureKind = FixtureKind> = {
  readonly options: FixtureOptions[Kind]
  readonly ms: number
} & (
  | { readonly fixture: FixtureAnswers[Kind] }
  | { readonly notOffered: string }
  | { readonly failure: string }
)

/** What is to be said of a kind. `broken`: a verdict would be spoilt; `lost`: checks are lost or late by it. */
export interface Note {
  readonly severity: 'broken' | 'lost'
  readonly text: string
}

type Known = Pick<Configuration, 'actors' | 'portals'>
type Judge<Kind extends FixtureKind> = (handed: Given<Kind>[], known: Known) => Note[]
type Given<Kind extends FixtureKind> = Extract<Handed<Kind>, { fixture: unknown }>

/** Beyond this, a run takes long by its fixtures alone, in milliseconds. */
const slowMs = 5000

/** Every note on what was handed out of that kind. */
export function notesOn<Kind extends FixtureKind>(
  kind: Kind,
  all: readonly Handed<Kind>[],
  known: Known,
): Note[] {
  const given = all.filter((handed): handed is Given<Kind> => 'fixture' in handed)
  const judge = judges[kind] as Judge<Kind>
  return [
    ...failures(all),
    ...(given.length === 0
      ? []
      : all.flatMap((handed) => ('notOffered' in handed ? [refusedLater(handed)] : []))),
    ...distinct(kind, given),
    ...judge(given, known),
    ...slow(all),
  ]
}

const broken = (text: string): Note => ({ severity: 'broken', text })
const lost = (text: string): Note => ({ severity: 'lost', text })

/** Each reason once, with the first request that it was given for. */
function failures(all: readonly Handed[]): Note[] {
  const told = new Map<string, object>()
  for (const handed of all) {
    if ('failure' in handed && !told.has(handed.failure)) told.set(handed.failure, handed.options)
  }
  return [...told].map(([reason, options]) => broken(`${JSON.stringify(options)}: ${reason}`))
}

function refusedLater({ options, notOffered }: { options: object; notOffered: string }): Note {
  return lost(`handed out once, but not for ${JSON.stringify(options)}: ${notOffered}`)
}

/** What a check uses up or changes must not be in the hands of another. */
const usedUp: { readonly [Kind in FixtureKind]?: (fixture: FixtureAnswers[Kind]) => readonly string[] } = {
  collaboration: ({ collaborationId }) => [collaborationId],
  workspace: ({ workspaceId }) => [workspaceId],
  scheduledSync: ({ workspaceId }) => [workspaceId],
  group: ({ groupId, reusable }) => (reusable === false ? [groupId] : []),
  items: ({ itemIds }) => itemIds,
  taskRun: ({ taskId, runId }) => [`${taskId}/${runId}`],
}

function distinct<Kind extends FixtureKind>(kind: Kind, given: readonly Given<Kind>[]): Note[] {
  const idsOf = usedUp[kind]
  if (idsOf === undefined) return []
  const ids = given.flatMap(({ fixture }) => idsOf(fixture))
  const twice = ids.find((id, at) => ids.indexOf(id) < at)
  if (twice === undefined) return []
  return [broken(`${twice} was handed out twice: each request needs one of its own, since checks use it up`)]
}

function slow(all: readonly Handed[]): Note[] {
  const longest = Math.max(0, ...all.map(({ ms }) => ms))
  if (longest <= slowMs) return []
  return [lost(`took ${(longest / 1000).toFixed(1)} s; a run asks for many, and waits for each 30 s at most`)]
}

const judges: { readonly [Kind in FixtureKind]: Judge<Kind> } = {
  collaboration: () => [],
  workspace: (given) =>
    given.flatMap(({ options, fixture: { minimumSyncMs } }) => {
      const { minimumSyncMs: asked = 0 } = options
      if (minimumSyncMs >= asked) return []
      if (minimumSyncMs === 0)
        return [lost('minimumSyncMs is 0, not known: what only timing proves is not tested')]
      return [lost(`syncs take ${minimumSyncMs} ms at least where ${asked} ms were asked for`)]
    }),
  scheduledSync: (given) =>
    given.flatMap(({ options, fixture: { remainingMs } }) =>
      remainingMs >= options.remainingMs / 2
        ? []
        : [
            lost(
              `a sync of ${remainingMs} ms more was handed out where ${options.remainingMs} were asked for`,
            ),
          ],
    ),
  participant: (given, { portals }) => {
    const guests = [portals.guest?.id, portals.otherGuest?.id].filter((id) => id !== undefined)
    return given.flatMap(({ fixture: { participantPortalId } }) =>
      guests.length === 0 || guests.includes(participantPortalId)
        ? []
        : [broken(`participantPortalId ${participantPortalId} is no guest of the configuration (portals)`)],
    )
  },
  group: () => [],
  items: (given, { actors }) =>
    given.flatMap(({ options: { owner: actor }, fixture: { owner } }) => {
      const username = actors[actor]?.username
      if (username === undefined || username === owner) return []
      return [broken(`items of ${owner} were handed out for ${actor}, whose username is ${username}`)]
    }),
  eligibleUser: ([first, second]) =>
    first === undefined || second === undefined || first.fixture.username !== second.fixture.username
      ? []
      : [lost(`${first.fixture.username} is the only one: what needs two receivers proves less`)],
  ineligibleUser: () => [],
  taskRun: (given, { actors }) =>
    given.flatMap(({ fixture: { userName } }) => {
      const username = actors.taskOwner?.username
      if (username === undefined || username === userName) return []
      return [broken(`a run of ${userName} was handed out, but the username of taskOwner is ${username}`)]
    }),
  federation: () => [],
}
