/** What a check is given: fixtures of the provider, and valid requests that are made of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import {
  type FixtureAnswers,
  type FixtureKind,
  FixtureNotOffered,
  type FixtureOptions,
} from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import type { OperationId } from '../../specs/operations.ts'
import { type Derivation, validRequest } from '../cases/requests.ts'
import { markOf, uniqueName } from '../cases/unique-name.ts'
import { remembered } from '../remembered.ts'
import { subSeed } from '../seeds.ts'
import type { LastingKind, Session } from '../session.ts'
import type { Shares } from '../sharing/sharing.ts'
import type { Holder } from '../sharing/workspace-leases.ts'
import type { RequestFields } from './calls.ts'

type Obtain<Kind extends FixtureKind> = (
  options?: Partial<FixtureOptions[Kind]>,
) => Promise<FixtureAnswers[Kind]>

/** The fixtures that a check declared, and valid requests. */
export type Given<Kind extends FixtureKind> = { readonly [K in Kind]: Obtain<K> } & {
  /** An ordinary valid request, with a group where the operation links one. `fixed` are values it must hold. */
  readonly request: (operation: OperationId, fixed?: RequestFields) => Promise<RequestFields>
  /** The request with a group in it where the operation links one and none was given. */
  readonly linked: (operation: OperationId, request: RequestFields) => Promise<RequestFields>
  /**
   * The request to update that federation, linked, with a name and an entity ID that no other federation has: whether
   * two may have the same is open. Values that the deployment settles stay; so does what was made for it before.
   */
  readonly settingsFor: (
    at: { readonly federationId: string },
    request: RequestFields,
  ) => Promise<RequestFields>
  /** Valid requests in all their variety, around the given values. */
  readonly requests: (operation: OperationId, derivation?: Derivation) => fc.Arbitrary<RequestFields>
  /**
   * The request to add a workspace with a name that nothing had before, made of its own; another one at each call. What
   * has such a name stays as it is, once: with a second call it is to be sent again. `keepLength`: the name stays as long
   * as it is.
   */
  readonly named: (request: RequestFields, how?: { readonly keepLength?: boolean }) => RequestFields
  /** What the run was handed of that kind before, each once. */
  readonly before: <K extends LastingKind>(kind: K) => readonly FixtureAnswers[K][]
  /** What is shared with other checks. */
  readonly shares: Shares
  /** An ordinary request that was accepted: the first that is made serves all checks. `key`: which of them. */
  readonly accepted: <O extends Ordinary>(key: string, make: () => Promise<O>) => Promise<O>
  /** What the attempt makes once, whatever number of cases it has and in whatever order they go on. */
  readonly once: <T>(what: string, make: () => T) => T
  /** An ordinary valid request, the same in all checks but for what fixtures give. */
  readonly ordinary: (operation: OperationId, fixed?: RequestFields) => Promise<RequestFields>
  /** How many workspaces a collaboration takes, as far as it is known. */
  readonly room: () => number
  /** A collaboration that checks add to, for one that deletes others. */
  readonly lastingCollaboration: () => Promise<FixtureAnswers['collaboration']>
  /** Uses a workspace and gives it to others after that. `minimumSyncMs`: what each of its syncs should take at least. */
  readonly withWorkspace: <R>(
    use: (workspace: FixtureAnswers['workspace']) => Promise<R>,
    wish?: { readonly minimumSyncMs?: number },
  ) => Promise<R>
  /** A workspace that no other check is given. */
  readonly ownWorkspace: () => Promise<FixtureAnswers['workspace']>
}

/** A request and what came of it. */
export interface Ordinary {
  readonly request: RequestFields
  readonly answer: Answer
}

interface Attempt {
  /** Keeps its seeds apart from those of others. */
  readonly name: string
  readonly kinds: readonly FixtureKind[]
  /** It deletes no collaboration, so that it makes do with one that others add to. */
  readonly adds: boolean
  /** Somebody acts as the owner of items, so that others' do not serve. */
  readonly actsAsOwner: boolean
  readonly shares: Shares
  /** In whose name it has workspaces. */
  readonly holder: Holder
  /** Whether it may wait for a workspace until others give theirs back. */
  readonly mayWait: () => boolean
  /** Whether what was made for the run is left alone for a moment before it is used: it may have been too new before. */
  readonly patient: () => boolean
  /** Told of an answer that another check had and this one rests on. */
  readonly adopt: (answer: Answer) => void
}

/** Fixtures and requests for one attempt of one check. */
export function givenFor(
  session: Session,
  { name, kinds, adds, actsAsOwner, shares, holder, mayWait, patient, adopt }: Attempt,
): Given<FixtureKind> {
  let made = 0
  const { collaborations: use } = session
  const had = new Set<string>()
  const used: { [K in FixtureKind]?: Obtain<K> } = {
    collaboration: (options = {}) => {
      const obtain = () => session.obtain('collaboration', options)
      return adds && options.with === undefined ? toAdd(obtain) : use.toDelete(obtain)
    },
    participant: (options = {}) => {
      const obtain = () => session.obtain('participant', options)
      return options.collaborationId === undefined ? use.within('participant', obtain) : obtain()
    },
    workspace: (options = {}) =>
      options.collaborationId === undefined && !shares.alone && mayWait()
        ? lease(holder, options)
        : ownWorkspace(options),
    items: async (options = {}) => {
      const wish = options as FixtureOptions['items']
      try {
        return await session.obtain('items', wish)
      } catch (error) {
        if (!(error instanceof FixtureNotOffered) || actsAsOwner || wish.owner !== 'itemOwner') throw error
        // An administrator may give away anybody's.
        return await session.obtain('items', { ...wish, owner: 'itemOwnerUnprivileged' }).catch(() => {
          throw error
        })
      }
    },
  }
  const toAdd = async (obtain: () => Promise<FixtureAnswers['collaboration']>) => {
    const place = await use.toAdd(had, obtain, shares)
    shares.mayShare(() => use.isShared(place.collaborationId))
    return place
  }
  const ownWorkspace = (options: Partial<FixtureOptions['workspace']> = {}) => {
    const obtain = () => session.obtain('workspace', options)
    return options.collaborationId === undefined ? use.within('workspace', obtain) : obtain()
  }
  const lease = async (by: Holder, options: Partial<FixtureOptions['workspace']>) => {
    const { workspace, secondHand } = await session.workspaces.take(by, options, () => ownWorkspace(options))
    if (secondHand) shares.tookSecondHand()
    return workspace
  }
  const obtain = <K extends FixtureKind>(kind: K): Obtain<K> => {
    const means: Obtain<K> =
      used[kind] ?? ((options = {}) => session.obtain(kind, options as FixtureOptions[K]))
    return async (options) => {
      const fixture = await means(options)
      if (patient()) await sleep(session.configuration.run.settleMs)
      return fixture
    }
  }
  const settled = (operation: OperationId, fixed: RequestFields): RequestFields => ({
    ...settledValues(session.configuration, operation),
    ...fixed,
  })
  // By its own text: in whatever order the cases of a check go on, each has the same mark again.
  const nextMark = (text: string): string => {
    const part = `${name}/${text}`
    // Of two texts with one number the second only counts further.
    const key = subSeed(0, part)
    const time = (session.namesAsked.get(key) ?? 0) + 1
    session.namesAsked.set(key, time)
    return markOf(session.input.runId, `${part}/${time}`)
  }
  const drawn = new Set<unknown>()
  const onces = new Map<string, unknown>()
  const named: Given<FixtureKind>['named'] = (request, how) => {
    const called = request.collaborationWorkspaceName
    if (typeof called !== 'string' || drawn.delete(called)) return request
    const unique = uniqueName(called, nextMark(called), how)
    drawn.add(unique)
    return { ...request, collaborationWorkspaceName: unique }
  }
  const { domain } = session.configuration.contract
  const addresses = domain === undefined ? {} : { domain }
  const whole = async (
    operation: OperationId,
    fixed: RequestFields,
    part: string,
  ): Promise<RequestFields> => {
    const arbitrary = validRequest(requestSchema(operation), {
      ...addresses,
      fixed: settled(operation, await linked(session, operation, fixed)),
      text: 'ordinary',
      leaveOut: 'nothing',
    })
    const seed = subSeed(session.configuration.run.seed, part)
    const request = fc.sample(arbitrary, { seed, numRuns: 1 })[0] as RequestFields
    if (operation !== 'add-workspace') return inNewFolder(request, fixed)
    return { ...named(request), ...marked(request, fixed, session.input.runId) }
  }
  // That a folder may be there already is a requirement of its own.
  const inNewFolder = (request: RequestFields, fixed: RequestFields = {}): RequestFields => {
    const { targetFoldername: folder } = request
    if (typeof folder !== 'string' || Object.hasOwn(fixed, 'targetFoldername')) return request
    return { ...request, targetFoldername: `${folder} ${nextMark(folder)}` }
  }
  const fixtures = Object.fromEntries(kinds.map((kind) => [kind, obtain(kind)])) as {
    [K in FixtureKind]: Obtain<K>
  }
  return {
    ...fixtures,
    request: (operation, fixed = {}) => {
      made += 1
      return whole(operation, fixed, `${name}/${made}`)
    },
    named,
    before: (kind) => session.handedBefore(kind),
    shares,
    accepted: async (key, make) => {
      const { made: ordinary, byOthers } = await shares.once(key, make, ({ answer }) => isAccepted(answer))
      if (byOthers) adopt(ordinary.answer)
      return ordinary
    },
    once: <T>(what: string, make: () => T) => remembered(onces, what, make) as T,
    ordinary: (operation, fixed = {}) => whole(operation, fixed, `ordinary/${operation}`),
    room: () => use.room,
    lastingCollaboration: () => toAdd(() => session.obtain('collaboration', {})),
    ownWorkspace: () => ownWorkspace(),
    withWorkspace: async (use, wish = {}) => {
      if (shares.alone) return use(await ownWorkspace(wish))
      const by = {}
      try {
        return await use(await lease(by, wish))
      } finally {
        session.workspaces.giveBack(by)
      }
    },
    linked: (operation, request) => linked(session, operation, request),
    settingsFor: async ({ federationId }, request) => ({
      ...(await linked(session, 'update-federation', request)),
      ...ownSettings(request, federationId, session.configuration),
    }),
    requests: (operation, derivation = {}) =>
      validRequest(requestSchema(operation), {
        ...addresses,
        ...derivation,
        fixed: settled(operation, derivation.fixed ?? {}),
      }).map((request) => inNewFolder(request, derivation.fixed)),
  }
}

/** The description with the id of the run, for who finds the workspace; not where the check is about it. */
function marked(
  { collaborationWorkspaceDescription: text }: RequestFields,
  fixed: RequestFields,
  runId: string,
): RequestFields {
  if (typeof text !== 'string' || Object.hasOwn(fixed, 'collaborationWorkspaceDescription')) return {}
  return { collaborationWorkspaceDescription: `${text.slice(0, 100).trim()} (${runId})` }
}

async function linked(
  session: Session,
  operation: OperationId,
  request: RequestFields,
): Promise<RequestFields> {
  if (operation === 'add-workspace' && !Object.hasOwn(request, 'portalGroupId')) {
    return { ...request, portalGroupId: await session.anyGroup() }
  }
  if (operation === 'update-federation' && !Object.hasOwn(request, 'groups')) {
    return { ...request, groups: [await session.groupToName()] }
  }
  return request
}

/** The name and the entity ID of the request, with a mark of that federation in them. */
function ownSettings(
  { name, entityId }: RequestFields,
  federationId: string,
  { contract: { federation = {} } }: Configuration,
): RequestFields {
  const mark = markOf('federation', federationId)
  const lacksMark = (text: unknown): text is string => typeof text === 'string' && !text.includes(mark)
  const settled = federation.entityId !== undefined
  return {
    ...(lacksMark(name) ? { name: uniqueName(name, mark) } : {}),
    ...(lacksMark(entityId) && !settled
      ? { entityId: `${entityId}${entityId.startsWith('urn:') ? ':' : '/'}${mark}` }
      : {}),
  }
}

/** Values of parameters that this deployment settles. */
function settledValues({ contract }: Configuration, operation: OperationId): RequestFields {
  if (operation !== 'update-federation') return {}
  const { signUpModes, userTypes, ...settled } = contract.federation ?? {}
  const values = { ...settled, signUpMode: signUpModes?.[0], userType: userTypes?.[0] }
  const known = Object.keys(requestSchema(operation).properties)
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && known.includes(name)),
  )
}
