/** What a run has asked the target on the side, to explain refusals: each question is asked once. */
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { OperationId } from '../../specs/operations.ts'

export class SideQuestions {
  /** Whether the target answers like a portal. */
  portal: Promise<void> | undefined
  /** Signs of life that are under way, by actor. */
  readonly signs = new Map<string | undefined, Promise<void>>()
  /** Whether valid requests on two fresh fixtures of a kind are refused. */
  readonly kinds = new Map<FixtureKind, Promise<boolean>>()
  /** What speaks against an operation answering the same request alike. */
  readonly steady = new Map<string, Promise<string | undefined>>()
  /** Whether a collaboration is gone. */
  readonly gone = new Map<string, Promise<boolean>>()
  /** Why a collaboration takes no more workspaces. */
  readonly room = new Map<string, Promise<string | undefined>>()
  /** Refused controls that were looked at again, by operation. */
  readonly controls = new Map<OperationId, number>()
  /** Things that stay as they are, for requests that must be refused, by what obtains them; undefined where there are none. */
  readonly standing = new Map<object, Promise<unknown>>()
  /** Whether requests of other operations are being sent beside a check now. */
  amongOthers = false
  /** Names that were given to what is asked for on the side. */
  names = 0
}
