/** What a check is given beside fixtures: valid requests, and ids of nothing. */
import fc from 'fast-check'
import type { GuestName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import type { OperationId } from '../../specs/operations.ts'
import { namesLike, nobodysLike, partlyResembling, unknownLike } from '../cases/likenesses.ts'
import { type Derivation, validRequest } from '../cases/requests.ts'
import { markOf, uniqueName } from '../cases/unique-name.ts'
import { showsItsKind } from '../ledger.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { At, RequestFields } from './calls.ts'

export type ValidRequests = ReturnType<typeof validRequestsFor>
export type MadeUpIds = ReturnType<typeof madeUpIds>

/** Valid requests for one attempt of the named check. */
export function validRequestsFor(session: Session, name: string) {
  const { configuration, pool } = session
  const { domain } = configuration.contract
  const addresses = domain === undefined ? {} : { domain }
  let made = 0
  const settled = (operation: OperationId, fixed: RequestFields): RequestFields => ({
    ...settledValues(configuration, operation),
    ...fixed,
  })
  // The mark depends on the text, so the order of the cases does not matter.
  const names = new OwnNames((text) => pool.markFor(`${name}/${text}`))
  const linked = async (operation: OperationId, request: RequestFields): Promise<RequestFields> => {
    if (operation === 'add-workspace' && !Object.hasOwn(request, 'portalGroupId'))
      return { ...request, portalGroupId: await pool.group('linked') }
    if (operation === 'update-federation' && !Object.hasOwn(request, 'groups'))
      return { ...request, groups: [await pool.group('named')] }
    return request
  }
  const whole = async (
    operation: OperationId,
    fixed: RequestFields,
    part: string,
  ): Promise<RequestFields> => {
    const arbitrary = validRequest(requestSchema(operation), {
      ...addresses,
      fixed: settled(operation, await linked(operation, fixed)),
      text: 'ordinary',
      leaveOut: 'nothing',
    })
    const seed = subSeed(configuration.run.seed, part)
    const request = fc.sample(arbitrary, { seed, numRuns: 1 })[0] as RequestFields
    if (operation === 'update-participant')
      return { ...ofThisRun(request, markOf(session.input.runId, part)), ...fixed }
    if (operation !== 'add-workspace') return names.inNewFolder(request, fixed)
    return { ...names.named(request), ...marked(request, fixed, session.input.runId) }
  }
  return {
    /**
     * A request to add a workspace with a new name, derived from its own. A name made by an earlier call stays as it is
     * once, so that the request can be sent again. `keepLength`: the name keeps its length.
     */
    named: (request: RequestFields, how?: { readonly keepLength?: boolean }) => names.named(request, how),
    /** Adds a group to the request if the operation links one and the request has none. */
    linked,
    /** The request to add a workspace, with a group of that guest in place of the host's if there is one. */
    linkedAt: async (guest: GuestName, request: RequestFields): Promise<RequestFields> => {
      const own = request.portalGroupId === undefined ? undefined : await pool.groupOf(guest)
      return own === undefined ? request : { ...request, portalGroupId: own }
    },
    /** An ordinary valid request, with a group if the operation links one. `fixed`: values that it must have. */
    request: (operation: OperationId, fixed: RequestFields = {}) => {
      made += 1
      return whole(operation, fixed, `${name}/${made}`)
    },
    /** An ordinary valid request, equal in all checks except for fixtures. */
    ordinary: (operation: OperationId, fixed: RequestFields = {}) =>
      whole(operation, fixed, `ordinary/${operation}`),
    /**
     * A request to update that federation, with a group, and with a name and entity ID that no other federation has,
     * since equal ones are an open point. Settled values stay, as do earlier marks. Each request has another name than
     * the ones before, because a target may refuse an update that changes nothing. `last`: the name has the number of
     * the request before, for wrong callers.
     */
    settingsFor: async (
      { federationId }: At<'update-federation'>,
      request: RequestFields,
      number: 'next' | 'last' = 'next',
    ) => {
      const whole = await linked('update-federation', request)
      const own = { ...whole, ...ownSettings(whole, federationId, session) }
      return numbered(own, session.ledger.updateOf(federationId, number))
    },
    /** Valid requests in all their variety, around the given values. */
    requests: (operation: OperationId, derivation: Derivation = {}) =>
      validRequest(requestSchema(operation), {
        ...addresses,
        ...derivation,
        fixed: settled(operation, derivation.fixed ?? {}),
      }).map((request) => names.inNewFolder(request, derivation.fixed)),
  }
}

/** Marked names of workspaces and folders. */
class OwnNames {
  readonly #markFor: (text: string) => string
  /** Names that are marked already. */
  readonly #given = new Set<unknown>()

  constructor(markFor: (text: string) => string) {
    this.#markFor = markFor
  }

  named(request: RequestFields, how?: { readonly keepLength?: boolean }): RequestFields {
    const called = request.collaborationWorkspaceName
    if (typeof called !== 'string' || this.#given.delete(called)) return request
    const unique = uniqueName(called, this.#markFor(called), how)
    this.#given.add(unique)
    return { ...request, collaborationWorkspaceName: unique }
  }

  /** An existing folder is another requirement, so each request names a new one. */
  inNewFolder(request: RequestFields, fixed: RequestFields = {}): RequestFields {
    const { targetFoldername: folder } = request
    if (typeof folder !== 'string' || Object.hasOwn(fixed, 'targetFoldername')) return request
    return { ...request, targetFoldername: `${folder} ${this.#markFor(folder)}` }
  }
}

/**
 * The description with the run's id, so that people can find the workspace. Not if the check is about the description.
 */
function marked(
  { collaborationWorkspaceDescription: text }: RequestFields,
  fixed: RequestFields,
  runId: string,
): RequestFields {
  if (typeof text !== 'string' || Object.hasOwn(fixed, 'collaborationWorkspaceDescription')) return {}
  return { collaborationWorkspaceDescription: `${text.slice(0, 100).trim()} (${runId})` }
}

/**
 * The contact with a last name of this run. An earlier run with the same seed may have left an equal contact, and a
 * target may refuse an update that changes nothing.
 */
const ofThisRun = (contact: RequestFields, mark: string): RequestFields => ({
  ...contact,
  contactLastname: mark.charAt(0).toUpperCase() + mark.slice(1),
})

/** Name and entity ID with a mark of that federation. The name is of this run, as an earlier one may have left equal settings. */
function ownSettings(
  { name, entityId }: RequestFields,
  federationId: string,
  { configuration: { contract }, input: { runId } }: Session,
): RequestFields {
  const named = markOf(runId, federationId)
  const mark = markOf('federation', federationId)
  const lacks = (text: unknown, part: string): text is string =>
    typeof text === 'string' && !text.includes(part)
  const settled = contract.federation?.entityId !== undefined
  return {
    ...(lacks(name, named) ? { name: uniqueName(name, named) } : {}),
    ...(lacks(entityId, mark) && !settled
      ? { entityId: `${entityId}${entityId.startsWith('urn:') ? ':' : '/'}${mark}` }
      : {}),
  }
}

/** The settings with that number in their name, from the second update on. */
const numbered = (settings: RequestFields, number: number): RequestFields =>
  typeof settings.name === 'string' && number > 1
    ? { ...settings, name: `${settings.name} ${number}` }
    : settings

/** Parameters whose values this deployment settles. */
function settledValues({ contract }: Configuration, operation: OperationId): RequestFields {
  if (operation !== 'update-federation') return {}
  const { signUpModes, userTypes, ...settled } = contract.federation ?? {}
  const values = { ...settled, signUpMode: signUpModes?.[0], userType: userTypes?.[0] }
  const known = Object.keys(requestSchema(operation).properties)
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && known.includes(name)),
  )
}

/** Ids of nothing for that check. The run records them, and that requests for some of them change nothing. */
export function madeUpIds(check: string, { watch, ledger, configuration }: Session) {
  const seedOf = (what: string, id: string) => subSeed(configuration.run.seed, `${check}/${what}/${id}`)
  // A made-up id with a counter may exist by chance.
  const isUnused = (id: string): boolean => !watch.knowledge.isOfSomething(id)
  const madeUp = (id: string, name?: string): string => {
    watch.knowledge.madeUp(id, name)
    return id
  }
  return {
    /** A new id in the form of a given one. A thing might have it by chance. */
    unknownLike: (id: string) => {
      const made = unknownLike(id, seedOf('unknown', id))
      return madeUp(isUnused(made) ? made : nobodysLike(id, seedOf('unknown', id)))
    },
    /** Like `unknownLike`, but certainly unused: for requests that would destroy what they name. */
    nobodysLike: (id: string) => madeUp(ledger.madeUp(nobodysLike(id, seedOf('unknown', id)))),
    /** Unused ids that share a part with a known id. None if a thing may have one. Not for destructive requests. */
    partlyResembling: (id: string) =>
      partlyResembling(id, seedOf('alike', id))
        .filter(isUnused)
        .map((each) => madeUp(ledger.madeUp(each))),
    /** Unused user names that resemble a known one. */
    namesLike: (name: string) =>
      namesLike(name, seedOf('name', name))
        .filter(isUnused)
        .map((each) => madeUp(each)),
    /** Ids of other kinds of things, for that place of a path, without those that a thing of the right kind may have. */
    ofAnotherKind: (name: string, ids: readonly string[]) =>
      (ledger.sharesIds ? [] : ids).filter(showsItsKind).map((id) => madeUp(ledger.madeUp(id), name)),
  }
}
