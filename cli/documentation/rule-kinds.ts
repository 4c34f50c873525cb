/** How each kind of rule is judged, in general. */
import type { RuleKind } from '../../specs/clause.ts'

export const ruleKindTexts: Readonly<Record<RuleKind, string>> = {
  shape:
    'The body of an answer is held against the schema of the contract, for generated requests of every form that is valid.',
  limits:
    'Up to the limit, and with everything that is optional left out, a request must be accepted; one step beyond it must be refused. The control of what must be refused is the same request within the limit.',
  roles:
    'The control is a request by a caller who may perform the operation. The probe is the same request, on a subject of its own where the operation uses its subject up, by a caller who may not.',
  relations:
    'What the answer names must be what the path or the form named. Where an id must be refused that is unknown, the control is the same request with the known one.',
  order:
    'Two requests one after the other: the first is the control of the second. Where time decides, the duration that the fixture promises is the measure, and what time cannot tell is inconclusive.',
  consequences:
    'The contract has no operation that reads, so what a request changed is seen from what later requests are answered. The control is that the later request was accepted, or would be, without the change.',
  races:
    'Requests that are released at the same moment, each with a place and a connection of its own. How many of them are accepted, or what they hold, is compared.',
}
