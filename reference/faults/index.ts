/** Every fault of the embedded portal, with its kind. */
import { acceptanceFaults } from './acceptances.ts'
import { answerFaults, cacheFaults } from './answers.ts'
import { callerFaults, memberFaults } from './callers.ts'
import { deletionFaults, deletionRaceFaults, sharedLossFaults } from './deletions.ts'
import { effectFaults, rareRaceFaults } from './effects.ts'
import type { WrittenFault } from './fault.ts'
import { idFaults, likenessFaults } from './ids.ts'
import { forgottenRuleFaults, lockFaults, memoryFaults } from './memories.ts'
import { protocolFaults, unreliableFaults } from './protocol.ts'
import { unseenFaults } from './read-back.ts'
import { everydayTextFaults, refusalFaults } from './refusals.ts'
import { modeFaults, partialOverlapFaults, syncFaults } from './syncs.ts'
import { apostropheFaults, textFaults } from './texts.ts'

export interface Fault extends WrittenFault {
  /** What sort of wrong the fault is. */
  readonly kind: string
}

const ofKinds = (kinds: Readonly<Record<string, readonly WrittenFault[]>>): readonly Fault[] =>
  Object.entries(kinds).flatMap(([kind, faults]) => faults.map((fault) => ({ ...fault, kind })))

/** Each a product of a rule and a place. Faults of the same rule resemble each other. */
export const productFaults = ofKinds({
  'requests refused, or answered in no form of the contract': unreliableFaults,
  'ids and names that resemble known ones': likenessFaults,
  'ordinary texts that are refused or changed': [...everydayTextFaults, ...apostropheFaults],
  'callers who are wrongly accepted': memberFaults,
  'what goes wrong later, meanwhile, or for a neighbour': [
    ...partialOverlapFaults,
    ...modeFaults,
    ...cacheFaults,
    ...forgottenRuleFaults,
    ...deletionRaceFaults,
  ],
  'locks after a refusal, and races': [...lockFaults, ...rareRaceFaults],
  'what a delete takes from others': sharedLossFaults,
})

/** Faults that answers of the operations show. */
export const faults: readonly Fault[] = [
  ...ofKinds({
    'forms read, and answers sent, by all operations': protocolFaults,
    'valid requests refused': refusalFaults,
    'invalid requests accepted': acceptanceFaults,
    'wrong callers accepted, or right ones refused': callerFaults,
    'unknown ids taken for known ones': idFaults,
    'texts changed, and limits on them': textFaults,
    'what answers hold': answerFaults,
    'what requests effect': effectFaults,
    syncs: syncFaults,
    deletions: deletionFaults,
    'earlier requests that decide about later ones': memoryFaults,
  }),
  ...productFaults,
]

/** Faults that only read-back finds. */
export const readBackFaults = ofKinds({ 'what only reading back shows': unseenFaults })
