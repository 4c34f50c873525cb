/** Requests of the operations, as the client sends them. */
import { isStranger, type Part } from '../../clauses/exchange.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Configuration, longestOf } from '../../deployment/configuration/configuration.ts'
import { refererOf } from '../../deployment/credentials/ready-actors.ts'
import type { Connection } from '../../deployment/http/client.ts'
import type { FormField, OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { formFields } from '../../schemas/form-values.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { enclosed } from '../../specs/certificates.ts'
import { type OperationId, operationOf, type operations } from '../../specs/operations.ts'
import { pathTo } from '../../specs/paths.ts'
import type { RunExchange } from '../log/run-log.ts'

/** A request in terms of the contract: parameters by name, lists as arrays. */
export type RequestFields = Readonly<Record<string, unknown>>

type PathOf<Id extends OperationId> = Extract<(typeof operations)[number], { id: Id }>['path']
type Named<Name extends string> = Name extends `${infer Head}ID` ? `${Head}Id` : Name
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Named<Name> | PathNames<Rest>
  : never

/** The ids in the path of an operation, named as in fixtures, except the portal's. */
export type At<Id extends OperationId> = Readonly<
  Record<Exclude<PathNames<PathOf<Id>>, 'portalId'>, string>
> & {
  /** Whose portal id and base URL to use. Default: the caller's own. */
  readonly portal?: PortalName
}

/** Deviations from the usual way of sending. A probe has one. */
export interface How extends Pick<OutgoingRequest, 'style' | 'contentType' | 'accept' | 'method'> {
  /** Additional form fields. */
  readonly extra?: readonly FormField[]
  /** A connection of the check's own. */
  readonly on?: Connection
  /** Sent before all waiting requests: for measurements, and for what must follow another request at once. */
  readonly urgent?: boolean
  /** Never retried: the first answer counts. */
  readonly once?: boolean
  /** Waits at the gate with its connection ready, for requests that must start together. */
  readonly gate?: Gate
}

/** Where requests that start together wait for each other. */
export interface Gate {
  readonly opened: Promise<void>
  /** To be called when a request waits at the gate, or cannot get there. */
  readonly reached: () => void
}

/** Calls an operation as one actor. */
export type Caller = <Id extends OperationId>(
  operation: Id,
  at: At<Id>,
  request?: RequestFields,
  how?: How,
) => Promise<RunExchange>

/** A call of an operation. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id
  readonly at: At<Id>
  readonly request?: RequestFields
  readonly how?: How
  /** Other requests wait for its answer, so it goes first. */
  readonly waitedFor?: boolean
  /** The check that sends it. Absent: the suite itself. */
  readonly by?: string
}

/** Who calls: the credential, if any, and its portal. */
export interface Identity {
  /** The name in evidence. */
  readonly actor: Part
  readonly credential?: string
  /** The referer that the credential is bound to. */
  readonly referer?: string
  readonly portal: PortalName
}

/** The call as a request for the client. */
export function outgoing<Id extends OperationId>(
  configuration: Configuration,
  identity: Identity,
  { operation, at, request = {}, how = {}, waitedFor }: Call<Id>,
): OutgoingRequest {
  const portal = at.portal ?? identity.portal
  const { extra = [], on: _, once: __, gate, ...special } = how
  const fields = [...fieldsOf(configuration, operation, request), ...extra]
  const blocks = operation === 'sync-workspace' && mayBlock(configuration, fields)
  return withoutUndefined({
    ...identity,
    ...special,
    referer: refererFor(configuration, identity, operation),
    portal,
    path: pathTo(operation, {
      ...(at as Record<string, string>),
      portalId: configuration.portals[portal]?.id,
    }),
    fields,
    about: operation,
    longestMs: blocks ? longestOf(configuration, 'synchronousSync') : undefined,
    waitedFor,
    gate: gate?.opened,
    atGate: gate?.reached,
  })
}

/** A stranger sends the referer of the permitted caller, so that the two differ in the credential alone. */
function refererFor(
  { actors }: Configuration,
  { actor, referer }: Identity,
  operation: OperationId,
): string | undefined {
  if (!isStranger(actor)) return referer
  const permitted = actors[operationOf(operation).calledBy]
  return permitted && refererOf(permitted)
}

/** Whether a sync may be answered only at its end: unless every mode value is the asynchronous one. */
function mayBlock({ contract: { sync } }: Configuration, fields: readonly FormField[]): boolean {
  const modes = fields.flatMap(([name, value]) => (name === sync?.parameter ? [value] : []))
  return modes.length === 0 || modes.some((mode) => mode !== sync?.asynchronous)
}

/** The form fields of a request in this deployment's notation, with f=pjson. */
export function fieldsOf(
  configuration: Configuration,
  operation: OperationId,
  request: RequestFields,
): FormField[] {
  const schema = requestSchema(operation)
  const { sync, federation } = configuration.contract
  // Clients usually join arrays with commas, which for one group is the bare id.
  const notation = federation?.groupsNotation ?? 'comma'
  const mode =
    operation === 'sync-workspace' && sync !== undefined ? { [sync.parameter]: sync.asynchronous } : {}
  const markers = federation?.certificateMarkers
  const fields = formFields(schema, { ...mode, ...request, f: request.f ?? 'pjson' }).flatMap(
    ([name, value]): FormField[] => {
      if (name === 'certificate') return [[name, enclosed(value, markers)]]
      const list = request[name]
      if (name !== 'groups' || notation === 'json' || !Array.isArray(list)) return [[name, value]]
      return notation === 'comma' ? [[name, list.join(',')]] : list.map((id): FormField => [name, String(id)])
    },
  )
  const further = operation === 'update-federation' ? (federation?.parameters ?? {}) : {}
  return [...fields, ...Object.entries(further)]
}

/** The request for a page whose path is filled in from `at`. */
export function reading(
  configuration: Configuration,
  { credential, referer, actor, portal }: Identity,
  path: string,
  at: Readonly<Record<string, string>>,
): OutgoingRequest {
  const named: Readonly<Record<string, string>> = { ...at, portalId: configuration.portals[portal]?.id ?? '' }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = named[name]
    if (value === undefined) throw new Error(`${path}: the page needs ${name}`)
    return encodeURIComponent(value)
  })
  return withoutUndefined({
    portal,
    path: filled,
    fields: [
      ['num', '100'],
      ['start', named.start ?? '1'],
      ['f', 'json'],
    ],
    credential,
    referer,
    actor,
  })
}
