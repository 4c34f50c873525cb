/** The replaceable parts of the portal. Faults and variants change them before the server starts. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OperationId } from '../specs/operations.ts'
import type { Reason, Refusal } from './answers.ts'
import type { Form, Pairs, ReceivedFile } from './form.ts'
import type { Collaboration, Federation, Item, PortalName, Store, Task, User, Workspace } from './store.ts'

/** An HTTP request as received. */
export interface Arrival {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly form: Form
  /** By the name of the field. */
  readonly files: ReadonlyMap<string, ReceivedFile>
  /** Some faults keep state per connection. */
  readonly socket: Socket
  readonly response: ServerResponse
}

/** A request of an operation. */
export interface Call {
  readonly operation: OperationId
  /** Path parameters, by the names in `specs/operations.ts`. */
  readonly params: Readonly<Record<string, string>>
  readonly form: Form
  readonly user: User | undefined
  readonly arrival: Arrival
  readonly store: Store
  readonly parts: Parts
}

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** Absent: accepted. */
  readonly refused?: Reason
}

/** An answer as sent over HTTP. */
export interface Rendered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

type Handler = (call: Call) => Answer | Promise<Answer>

export type Field = 'name' | 'description'

export type SyncMode = 'synchronous' | 'asynchronous'

export type IdKind =
  | 'portal'
  | 'collaboration'
  | 'workspace'
  | 'group'
  | 'item'
  | 'task'
  | 'run'
  | 'job'
  | 'federation'
  | 'role'

/** The object that a caller needs a right for. For `reassign-items`, the owner of the items. */
interface Subjects {
  'add-workspace': Collaboration
  'update-task-run': Task
  'reassign-items': User
  'sync-workspace': Collaboration
  'update-participant': Collaboration
  'delete-collaboration': Collaboration
  'update-federation': Federation
}

/** Who may do what (§5). The call may be anonymous. */
export type May = { [Operation in OperationId]: (call: Call, subject: Subjects[Operation]) => boolean }

/** The caller and the path of a request. */
type Asker = Pick<Call, 'params' | 'user' | 'arrival' | 'store' | 'parts'>

export interface AdministrativeMeans {
  createsUsers: boolean
  /** The hosted edition. Users join by invitation. */
  hosted: boolean
  /** The release of the product. */
  release: string
  /** Whether an enterprise login exists that is not a federation. */
  hasLogin: boolean
  /** Whether scheduled tasks are executed. */
  runsTasks: boolean
  /** The length of a minute of the scheduler, in ms. */
  minuteMs: number
  /** Whether the second guest takes part in each new collaboration from the start. */
  othersTakePart: boolean
  /** The longest lifetime of a token, in ms. */
  longestTokenMs: number
  /** Whether the path to create users is the one of Kubernetes deployments. */
  onKubernetes: boolean
  /** Whether answers send files as parts of a multipart form. */
  filesInForms: boolean
  /** Ids of items and groups that may be deleted, if new ones are protected. Absent: no protection. */
  unprotected?: Set<string>
  /** Whether deleted items go to a recycle bin, unless the client sends `permanentDelete`. */
  hasRecycleBin: boolean
  /** Privileges that every new custom role has in addition. */
  rolesAlsoHold: readonly string[]
  /** Whether a new user owns an item and a group from the start. */
  usersOwnFromTheStart: boolean
  /** When a guest learns of workspaces that were added after its invitation. */
  guestsHear: 'at-once' | 'at-config-sync' | 'never'
  /** How long the import of a guest's response continues after its answer, in ms. */
  importsGoOnMs: number
  /** How long requests for this route take, in ms. */
  takesMs(route: string): number
  /** The portal's own address: host, port and context path. `used`: the address that the client used. */
  ownAddress(name: PortalName, used: string): string
  /** Changes the answers for this route, or loses them. */
  answered(route: string, answer: Answer | Rendered, to: Asker): Answer | Rendered
  /** The reason to refuse an administrative request for this route. Undefined: serve it. */
  fails(route: string, arrival: Arrival): Reason | undefined
}

export interface Parts {
  /** Base path of the API, without a trailing slash. */
  basePath: string
  /** Portals with a port of their own. */
  separatePortals: PortalName[]
  /** Names and descriptions in characters, items per request, and the size of a body in bytes. */
  limits: { name: number; description: number; items: number; bodyBytes: number }
  /**
   * All in ms:
   * - `deletionShowsMs`: how long the host still shows a deleted collaboration.
   * - `guestRefreshMs`: how long guests still show it.
   * - `syncsLongerByMs`: how much longer syncs are than their fixture promises. If not 0, fixtures promise no maximum.
   * - `itemMs`: additional duration of a sync for each copied item.
   * - `everySyncMs`: additional duration of every sync.
   */
  timings: {
    deletionShowsMs: number
    guestRefreshMs: number
    syncsLongerByMs: number
    itemMs: number
    everySyncMs: number
  }
  /** The closed list of run statuses. */
  runStatuses: readonly string[]
  sync: { parameter: string; synchronous: string; asynchronous: string }
  /** The values that a federation accepts. `any`: all values. */
  signUpModes: readonly string[] | 'any'
  userTypes: readonly string[] | 'any'
  /** Whether a group may be linked with several workspaces. */
  groupsReusable: boolean
  /** How many runs in a row the provider hands out of each task. */
  runsOfTask: number
  /** What administrators can do here besides the operations of the contract. */
  administration: AdministrativeMeans
  refusals: Record<Reason, Refusal>

  /** Answers before any other check, for example to throttle. Undefined: serve the request. */
  admit(arrival: Arrival): Rendered | undefined
  decodeForm(body: Buffer, contentType: string): Pairs
  /** The credential in a request. */
  credentialOf(arrival: Arrival): string | undefined
  identify(arrival: Arrival, store: Store): User | undefined
  may: May
  handlers: Record<OperationId, Handler>

  /** The length of a text for the limits. */
  measure(text: string): number
  fits(text: string, field: Field): boolean
  /** The text as stored. */
  keep(text: string, field: Field): string
  newId(kind: IdKind): string
  /** The id of a portal among the participants of collaborations. */
  participantId(portalId: string): string
  /** The clock of the portal, Unix time in milliseconds. */
  now(): number
  /** A workspace as answers show it (§2). */
  viewWorkspace(workspace: Workspace): Answer['body']
  /** The entries of `error.details` (§7). */
  errorDetails(items: readonly Item[], target: User): unknown[]
  /** Whether the operation sees this collaboration. */
  visible(collaboration: Collaboration, operation: OperationId): boolean
  /** Deletes a collaboration. */
  remove(store: Store, collaboration: Collaboration): void
  /** Whether the user may receive items. */
  eligible(target: User): boolean
  /** Whether a user who may receive items can receive this one. */
  receivable(item: Item, target: User): boolean
  /** Runs between the check of a reassignment and the move. Absent: check and move are one step. */
  beforeMove?(call: Call): Promise<void>
  /** The answer to a sync that may not start now. Undefined: it may start. Must decide synchronously. */
  syncGate(call: Call, workspace: Workspace): Answer | Promise<Answer> | undefined
  /** Whether the answer waits for the end of the sync. */
  blocks(mode: SyncMode): boolean
  refuse(reason: Reason, details?: readonly unknown[]): Answer
  render(answer: Answer, arrival: Arrival): Rendered
  send(rendered: Rendered, arrival: Arrival): void | Promise<void>
}

/** What a fault or a variant changes in a portal before it starts. */
export type Alter = (parts: Parts) => void
