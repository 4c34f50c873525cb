/** What the run already tried in order to explain refusals, so that each question is asked once. */
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { ReadName } from '../../specs/profile.ts'

export class SideQuestions {
  /** Whether the target answers like a portal. */
  portalAnswers: Promise<void> | undefined
  /** Signs of life under way, by actor. */
  readonly signsOfLife = new Map<string | undefined, Promise<void>>()
  /** Whether valid requests on two fresh fixtures of a kind are refused. */
  readonly freshFixtures = new Map<FixtureKind, Promise<boolean>>()
  /** Why an operation is flaky. */
  readonly flaky = new Map<OperationId, Promise<string | undefined>>()
  /** Whether a collaboration is gone. */
  readonly gone = new Map<string, Promise<boolean>>()
  /** Why a collaboration takes no more workspaces. */
  readonly full = new Map<string, Promise<string | undefined>>()
  /** Operations that refused valid requests for no known reason. */
  readonly doubts = new Set<OperationId>()
  /** Operations that gave a permitted caller an answer in no form of the contract. */
  readonly malformed = new Set<OperationId>()
  /** Pages that the target showed to a check. */
  readonly pagesShown = new Set<ReadName>()
  /** How many plain requests the suite has sent for itself. */
  plainRequests = 0
}
