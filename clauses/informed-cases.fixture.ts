/** Cases for what only the sender of a request knows of it: that it is valid, or what its control was. */
import type { RequirementId } from '../specs/requirements.ts'
import { refusal, type Said } from './exchange.fixture.ts'
import type { Part } from './exchange.ts'
import type { CheckKnowledge, Knowledge } from './facts.ts'
import { deleted, executing, give, items, moved, run, sync } from './said.fixture.ts'

interface InformedCase {
  readonly id: RequirementId
  readonly fromCheck?: CheckKnowledge
  readonly known?: (knowledge: Knowledge) => void
  /** The last of them is what is checked; the one before it is its control. */
  readonly kept: readonly Said[]
  readonly broken?: readonly Said[]
}

const refusedAs = (caller: Part, code: number): Said => ({ ...deleted(0, { error: { code } }), caller })

/** A refusal of that caller carries the code that the profile lists for it. */
const carries = (id: RequirementId, caller: Part, code: number): InformedCase => ({
  id,
  fromCheck: { valid: true },
  kept: [refusedAs(caller, code)],
  broken: [refusedAs(caller, 400)],
})

/** Bob can receive nothing: the same items went to eve before. */
const toBob = (answer: object): readonly Said[] => [
  items({ ...give, targetUsername: 'eve' }, moved),
  items(give, answer, 1),
]
const known = (knowledge: Knowledge): void => knowledge.handedOut('ineligibleUser', { username: 'bob' })

export const informedCases: readonly InformedCase[] = [
  {
    id: 'protocol/json-format',
    fromCheck: { valid: true },
    kept: [sync({ jobId: 'j' })],
    broken: [sync('<html>Done.</html>')],
  },
  {
    id: 'protocol/success-boolean',
    fromCheck: { valid: true },
    kept: [deleted(0, { success: false })],
    broken: [deleted(0, { done: true })],
  },
  {
    id: 'protocol/no-server-error',
    fromCheck: { valid: false },
    kept: [run(executing, refusal)],
    broken: [{ ...run(executing, refusal), status: 500 }],
  },
  { id: 'protocol/post-only', kept: [deleted(0), { ...deleted(1, refusal), method: 'GET' }] },
  carries('profile/no-credential-code', 'anonymous', 499),
  carries('profile/invalid-credential-code', 'impostor', 498),
  carries('profile/not-permitted-code', 'hostMember', 403),
  {
    id: 'reassign-items/ineligible-target',
    known,
    kept: toBob({ error: { code: 403 } }),
    broken: toBob({ error: { code: 400 } }),
  },
  {
    id: 'reassign-items/error-shape',
    known,
    kept: toBob({ error: { code: 403, messageCode: 'CONT_1', message: 'No.', details: [] } }),
    broken: toBob({ error: { code: 403, message: 'No.' } }),
  },
]
