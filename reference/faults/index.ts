/** Every fault of the embedded portal. */
import { acceptanceFaults } from './acceptances.ts'
import { answerFaults, cacheFaults } from './answers.ts'
import { callerFaults, memberFaults } from './callers.ts'
import { deletionFaults, deletionRaceFaults, sharedLossFaults } from './deletions.ts'
import { effectFaults, rareRaceFaults } from './effects.ts'
import type { Fault } from './fault.ts'
import { idFaults, likenessFaults } from './ids.ts'
import { forgottenRuleFaults, lockFaults, memoryFaults } from './memories.ts'
import { protocolFaults, unreliableFaults } from './protocol.ts'
import { everydayTextFaults, refusalFaults } from './refusals.ts'
import { modeFaults, partialOverlapFaults, syncFaults } from './syncs.ts'
import { apostropheFaults, textFaults } from './texts.ts'

/** Faults that are products of a rule and a place, by kind. Faults of the same rule resemble each other. */
export const productFaultsByKind: Readonly<Record<string, readonly Fault[]>> = {
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

export const productFaults: readonly Fault[] = Object.values(productFaultsByKind).flat()

export const faults: readonly Fault[] = [
  ...protocolFaults,
  ...refusalFaults,
  ...acceptanceFaults,
  ...callerFaults,
  ...idFaults,
  ...textFaults,
  ...answerFaults,
  ...effectFaults,
  ...syncFaults,
  ...deletionFaults,
  ...memoryFaults,
  ...productFaults,
]
