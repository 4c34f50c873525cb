/** Every fault of the embedded portal, with its kind: the table that it is from. */
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

const tables = {
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
}

/** Each a product of a rule and a place. Faults of the same rule resemble each other. */
const products = {
  'requests refused, or answered in no form of the contract': unreliableFaults,
  'ids and names that resemble known ones': likenessFaults,
  'ordinary texts that are refused or changed': [...everydayTextFaults, ...apostropheFaults],
  'callers who are let in': memberFaults,
  'what goes wrong later, meanwhile, or for a neighbour': [
    ...partialOverlapFaults,
    ...modeFaults,
    ...cacheFaults,
    ...forgottenRuleFaults,
    ...deletionRaceFaults,
  ],
  'locks after a refusal, and races': [...lockFaults, ...rareRaceFaults],
  'what a delete takes from others': sharedLossFaults,
}

/** What no answer of an operation shows. */
const unseen = { 'what only reading back shows': unseenFaults }

/** What sort of wrong a fault is. */
type FaultKind = keyof typeof tables | keyof typeof products | keyof typeof unseen

export interface Fault extends WrittenFault {
  readonly kind: FaultKind
}

const ofKinds = (kinds: Readonly<Partial<Record<FaultKind, readonly WrittenFault[]>>>): readonly Fault[] =>
  Object.entries(kinds).flatMap(([kind, faults]) =>
    faults.map((fault) => ({ ...fault, kind: kind as FaultKind })),
  )

/** Faults that are products of a rule and a place. */
export const productFaults = ofKinds(products)

/** Faults that answers of the operations show. */
export const faults: readonly Fault[] = [...ofKinds(tables), ...productFaults]

/** Faults that only read-back finds. */
export const readBackFaults = ofKinds(unseen)
