import type { Requirement } from '../requirement.ts'

/** The interplay of all operations. */
export const lifecycleRequirements = [
  {
    id: 'lifecycle/consistent',
    level: 'implied',
    section: '4',
    operation: 'lifecycle',
    kind: 'consequences',
    text: 'In any sequence of operations every answer agrees with a simple model of the portal, once settle time and guest refresh are allowed for.',
    follows: 'Each operation has the effect that its section names (§4), also after any other.',
  },
] as const satisfies readonly Requirement[]
