/** Requests and answers that the cases of rules are made of. */
import type { RequirementId } from '../specs/requirements.ts'
import { refusal, type Said } from './exchange.fixture.ts'
import type { CheckKnowledge, Knowledge } from './facts.ts'

/** Exchanges, and what the last of them shows of a requirement. */
export interface Case {
  readonly id: RequirementId
  /** What a run knows before the first of them. */
  readonly known?: (knowledge: Knowledge) => void
  /** What the sender of the last of them knows of it. */
  readonly fromCheck?: CheckKnowledge
  readonly kept?: readonly Said[]
  readonly broken?: readonly Said[]
  /** One that keeps it, and does not show the whole of it. */
  readonly inPart?: Said | Said[]
  /** Exchanges that show nothing either way, each by itself. */
  readonly nothing?: readonly (readonly Said[])[]
}

const updated = { success: true, taskId: 't1', runId: 'r1' }
export const run = (form: Said['form'], answer: unknown = updated): Said => ({
  to: 'run',
  form: { ...form },
  answer,
})
export const executing = { status: 'executing' }
export const moved = { success: true, itemId: 'i1' }
export const items = (form: Said['form'], answer: unknown = moved, at = 0): Said => ({
  to: 'items',
  form: { ...form },
  answer,
  at,
})
export const give = { items: 'i1,i2', targetUsername: 'bob' }
export const giveOne = { ...give, items: 'i1' }
export const many = (count: number): string => Array.from({ length: count }, (_, at) => `i${at}`).join(',')
export const sync = (answer: unknown, others: Partial<Said> = {}): Said => ({ to: 'sync', answer, ...others })
export const synced = { success: true, jobId: 'j', key: 'k' }
const contact = {
  contactFirstname: 'Zoë',
  contactLastname: 'Ng',
  contactEmailAddress: 'z@example.org',
}
export const participant = (form: object = {}, answer: object = {}): Said => ({
  to: 'participant',
  form: { ...contact, ...form },
  answer: { success: true, collaborationId: 'c1', portalId: 'guest', ...answer },
})
export const federation = (form: Said['form'] = {}, answer: object = {}, at = 0): Said => ({
  to: 'federation',
  form: { name: 'F', ...form },
  answer: { success: true, federationId: 'f1', ...answer },
  at,
})
export const deleted = (at: number, answer: unknown = { success: true }): Said => ({
  to: 'delete',
  answer,
  at,
})
export const long = (count: number) => ({ collaborationWorkspaceName: 'n'.repeat(count) })
export const wordy = (count: number) => ({ collaborationWorkspaceDescription: 'd'.repeat(count) })
export const refused = (said: Said, others: Partial<Said> = {}): Said => ({
  ...said,
  answer: refusal,
  at: 1,
  ...others,
})
export const emoji = '\u{1F469}\u200D\u{1F680}'.repeat(60)
