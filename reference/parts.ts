/** The replaceable parts of the portal: a fault or a variant changes one of them before the server starts. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OperationId } from '../specs/operations.ts'
import type { Reason, Refusal } from './answers.ts'
import type { Form, Pairs } from './form.ts'
import type { Collaboration, Federation, Item, PortalName, Store, Task, User, Workspace } from './store.ts'

/** One HTTP request as it came in. */
export interface Arrival {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly form: Form
  /** Faults may remember things of a connection. */
  readonly socket: Socket
  readonly response: ServerResponse
}

/** One request of an operation. */
export interface Call {
  readonly operation: OperationId
  /** Of the path, by the names in `specs/operations.ts`. */
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

/** An answer as it goes over the wire. */
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
  | 'invitation'

/** To what a right is needed; to reassign, it is the owner of the items. */
export interface Subjects {
  addWorkspace: Collaboration
  updateParticipant: Collaboration
  deleteCollaboration: Collaboration
  sync: Collaboration
  updateFederation: Federation
  updateRun: Task
  reassign: User
}

/** Who may do what (§5); the user of the call may be no one. */
export type May = { [Right in keyof Subjects]: (call: Call, subject: Subjects[Right]) => boolean }

/** Who asked, and for what. */
type Asker = Pick<Call, 'params' | 'user' | 'arrival' | 'store'>

export interface AdministrativeMeans {
  createsUsers: boolean
  /** The hosted edition: users come by invitation. */
  hosted: boolean
  /** The release of the product. */
  release: string
  /** An enterprise login is configured that is no federation. */
  hasLogin: boolean
  /** Whether something executes scheduled tasks. */
  runsTasks: boolean
  /** How long a minute of the scheduler lasts, in milliseconds. */
  minuteMs: number
  /** How long a new collaboration stays unseen, in milliseconds. */
  newCollaborationShowsMs: number
  /** Whether the second guest takes part in each new collaboration from the beginning. */
  othersTakePart: boolean
  /** Longest life of a token, in milliseconds. */
  longestTokenMs: number
  /** Whether a new token ends the older ones of its user. */
  oneToken: boolean
  /** How long a new user stays unknown, in milliseconds. */
  newUserShowsMs: number
  /** Users are made below another path beside the API. */
  onKubernetes: boolean
  /** Files come as a part of a form. */
  filesInForms: boolean
  /** Ids of items and groups that may be deleted, where new ones are protected; absent: all may. */
  unprotected?: Set<string>
  /** Deleted items go to a recycle bin, unless the client asks for more. */
  hasRecycleBin: boolean
  /** Privileges that every role has which was made, beside those that it was given. */
  rolesAlsoHold: readonly string[]
  /** Whether a new user owns an item and a group from the beginning. */
  usersOwnFromTheStart: boolean
  /** When a guest hears of a workspace that was added after its invitation. */
  guestsHear: 'at-once' | 'at-config-sync' | 'never'
  /** How long an import of a guest's response goes on after it was answered, in milliseconds. */
  importsGoOnMs: number
  /** How long a request for that route takes, in milliseconds. */
  takesMs(route: string): number
  /** The address by which a portal knows itself: host, port and context path; `used`: the address in use. */
  ownAddress(name: PortalName, used: string): string
  /** What the pages of a list go through; undefined: an entry that its reader may not see. */
  listed(entries: readonly unknown[]): readonly unknown[]
  /** What happens to the answer to a request for that route: pages may be written otherwise, and answers lost. */
  answered(route: string, answer: Answer | Rendered, to: Asker): Answer | Rendered
  /** Why this request of an administrator, for that route, is not served; undefined: it is. */
  fails(route: string, arrival: Arrival): Reason | undefined
}

export interface Parts {
  /** Where the API begins, without a trailing slash. */
  basePath: string
  /** Portals that answer on a port of their own. */
  separatePortals: PortalName[]
  /** In characters; items in one request; bytes of a body. */
  limits: { name: number; description: number; items: number; bodyBytes: number }
  /**
   * In milliseconds: how long a deletion stays unseen at the host, and by a guest; by how much syncs are longer than
   * their fixture says, which then names no most; how much longer a sync is for each item that it copies; how much longer each one is whatever it copies.
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
  /** The values that a federation takes; `any`: whatever comes. */
  signUpModes: readonly string[] | 'any'
  userTypes: readonly string[] | 'any'
  /** Whether a group takes more than one workspace. */
  groupsReusable: boolean
  /** What administrators can do here, beside the operations of the contract. */
  administration: AdministrativeMeans
  refusals: Record<Reason, Refusal>

  /** An answer before anything else is checked: throttling. */
  admit(arrival: Arrival): Rendered | undefined
  decodeForm(body: Buffer, contentType: string): Pairs
  /** The credential that a request presents. */
  credentialOf(arrival: Arrival): string | undefined
  identify(arrival: Arrival, store: Store): User | undefined
  may: May
  handlers: Record<OperationId, Handler>

  /** The length of a text, as limits count it. */
  measure(text: string): number
  fits(text: string, field: Field): boolean
  /** What is kept of a text. */
  keep(text: string, field: Field): string
  newId(kind: IdKind, within?: Collaboration): string
  /** What a portal of that id is called among the participants of collaborations. */
  participantId(portalId: string): string
  /** The clock of the portal, Unix time in milliseconds. */
  now(): number
  /** A workspace as answers show it (§2). */
  viewWorkspace(workspace: Workspace): Answer['body']
  /** The entries of `error.details` (§7). */
  errorDetails(items: readonly Item[], target: User): unknown[]
  /** Whether a collaboration is there for those who call that operation. */
  visible(collaboration: Collaboration, operation: OperationId): boolean
  /** What deleting a collaboration does. */
  remove(store: Store, collaboration: Collaboration): void
  /** Whether a user meets what is needed to receive items. */
  eligible(target: User): boolean
  /** Whether a user who does can receive that very item. */
  receivable(item: Item, target: User): boolean
  /** Between the check of a reassignment and the move; absent: nothing, so that both are one step. */
  beforeMove?(call: Call): Promise<void>
  /** What a sync is answered that may not start now; undefined: it starts. Must not wait before it decides. */
  syncGate(call: Call, workspace: Workspace): Answer | Promise<Answer> | undefined
  /** Whether the answer waits for the end of the sync. */
  blocks(mode: SyncMode): boolean
  refuse(reason: Reason, details?: readonly unknown[]): Answer
  render(answer: Answer, arrival: Arrival): Rendered
  send(rendered: Rendered, arrival: Arrival): void | Promise<void>
}

/** What a fault or a variant does to a portal before it starts. */
export type Alter = (parts: Parts) => void
