/** Calls of the seven operations by an actor, through the one client, each noted by the check's recorder. */

import type { Part } from '../../clauses/exchange.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Configuration, longestOf } from '../../deployment/configuration/configuration.ts'
import type { Connection } from '../../deployment/http/client.ts'
import type { FormField, OutgoingRequest } from '../../deployment/http/outgoing-request.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { formFields } from '../../schemas/form-values.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { enclosed } from '../../specs/certificates.ts'
import type { OperationId, operations } from '../../specs/operations.ts'
import type { RunExchange } from '../log/exchange.ts'
import { pathTo } from '../operation-path.ts'

/** A request as the contract speaks of it: parameters by name, lists as arrays. */
export type RequestFields = Readonly<Record<string, unknown>>

type PathOf<Id extends OperationId> = Extract<(typeof operations)[number], { id: Id }>['path']
type Named<Name extends string> = Name extends `${infer Head}ID` ? `${Head}Id` : Name
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Named<Name> | PathNames<Rest>
  : never

/** What the path of an operation names, as fixtures name it; the portal is given by its part. */
export type At<Id extends OperationId> = Readonly<
  Record<Exclude<PathNames<PathOf<Id>>, 'portalId'>, string>
> & {
  /** Under whose portal id, and at whose base URL; default: the caller's own. */
  readonly portal?: PortalName
}

/** Departures from the plain way of sending; one at a time makes a probe. */
export interface How extends Pick<OutgoingRequest, 'style' | 'contentType' | 'accept' | 'method'> {
  /** Fields beyond those of the request. */
  readonly extra?: readonly FormField[]
  /** A connection of the check's own. */
  readonly on?: Connection
  /** Goes before all requests that wait: for what measures time, and what must come right after another. */
  readonly urgent?: boolean
  /** Of a sync: the first answer counts, also where another sync of the run may be why it was refused. */
  readonly once?: boolean
  /** Held with its connection ready until the gate opens; for requests that must start together. */
  readonly gate?: Gate
}

/** Where requests that start together wait for each other. */
export interface Gate {
  readonly opened: Promise<void>
  /** Called once a request waits, or can no longer get there. */
  readonly reached: () => void
}

/** An actor, ready to call an operation. */
export type Caller = <Id extends OperationId>(
  operation: Id,
  at: At<Id>,
  request?: RequestFields,
  how?: How,
) => Promise<RunExchange>

/** Who calls: a credential or none, and the portal it belongs to. */
export interface Identity {
  /** Whom evidence names. */
  readonly actor: Part
  readonly credential?: string
  /** What the credential is bound to. */
  readonly referer?: string
  readonly portal: PortalName
}

/** The request of that call, as the client takes it. */
export function outgoing<Id extends OperationId>(
  configuration: Configuration,
  identity: Identity,
  operation: Id,
  at: At<Id>,
  request: RequestFields,
  how: How,
): OutgoingRequest {
  const portal = at.portal ?? identity.portal
  const fields = [...fieldsOf(configuration, operation, request), ...(how.extra ?? [])]
  const sent: Mutable<OutgoingRequest> = {
    portal,
    actor: identity.actor,
    path: pathTo(operation, {
      ...(at as Record<string, string>),
      portalId: configuration.portals[portal]?.id,
    }),
    fields,
    about: operation,
  }
  // One by one: this is done for every request.
  if (identity.credential !== undefined) sent.credential = identity.credential
  if (identity.referer !== undefined) sent.referer = identity.referer
  if (how.method !== undefined) sent.method = how.method
  if (how.style !== undefined) sent.style = how.style
  if (how.contentType !== undefined) sent.contentType = how.contentType
  if (how.accept !== undefined) sent.accept = how.accept
  if (operation === 'sync-workspace' && mayBlock(configuration, fields))
    sent.longestMs = longestOf(configuration, 'synchronousSync')
  if (how.urgent !== undefined) sent.urgent = how.urgent
  if (how.gate !== undefined) {
    sent.gate = how.gate.opened
    sent.atGate = how.gate.reached
  }
  return sent
}

/** Whether a sync may be answered only when it is over: unless every value asks for the asynchronous mode. */
function mayBlock({ contract: { sync } }: Configuration, fields: readonly FormField[]): boolean {
  const modes = fields.flatMap(([name, value]) => (name === sync?.parameter ? [value] : []))
  return modes.length === 0 || modes.some((mode) => mode !== sync?.asynchronous)
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The form fields of a request, in this deployment's notation, with f=pjson. */
export function fieldsOf(
  configuration: Configuration,
  operation: OperationId,
  request: RequestFields,
): FormField[] {
  const schema = requestSchema(operation)
  const { sync, federation } = configuration.contract
  // As real clients join arrays, and the same as a bare id where there is one.
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

/** The request of a page, whose path is filled in from `at`. */
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
