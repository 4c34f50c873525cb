/** Twenty ways to weaken the suite's own code. */

export interface Mutation {
  readonly what: string
  readonly file: string
  /** The text to replace. It occurs once in the file. */
  readonly from: string
  readonly to: string
}

export const mutations: readonly Mutation[] = [
  {
    what: 'drop the row for contact texts',
    file: 'suites/acceptances/acceptances.suite.ts',
    from: "    id: 'update-participant/contact-text',",
    to: "    id: 'update-participant/updates:mutated',",
  },
  {
    what: 'never require an acceptance in the family of acceptances',
    file: 'suites/acceptances/acceptance.ts',
    from: "if (must.includes('accept'))",
    to: 'if (false as boolean)',
  },
  {
    what: 'never require a clause to be kept in the family of acceptances',
    file: 'suites/acceptances/acceptance.ts',
    from: "if (must.includes('keep'))",
    to: 'if (false as boolean)',
  },
  {
    what: 'ask one thing at a time for the ids of its own path',
    file: 'suites/ids/ids-in-paths.suite.ts',
    from: 'for (const answer of answers) {',
    to: 'for (const answer of answers.slice(0, 0)) {',
  },
  {
    what: 'drop ids that resemble a known one',
    file: 'suites/ids/ids-in-paths.suite.ts',
    from: '...ids.ofAnotherKind(',
    to: '...((_: string, __: readonly string[]): readonly string[] => [])(',
  },
  {
    what: 'skip the part of an unknown run',
    file: 'suites/ids/ids-in-paths.suite.ts',
    from: '.map(nameInFixtures)',
    to: '.map(nameInFixtures).slice(-1)',
  },
  {
    what: 'drop the row for unknown groups',
    file: 'suites/refused-values/refused-values.suite.ts',
    from: 'for (const row of rows) {',
    to: 'for (const row of rows.slice(1)) {',
  },
  {
    what: 'skip the way of a used connection',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: 'of: isTriedOnUsedConnection,',
    to: 'of: () => false,',
  },
  {
    what: 'skip the way of a resembling credential',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: "of: (rule) => rule.refused === 'impostor' && !isAdvice(rule),",
    to: 'of: () => false,',
  },
  {
    what: 'skip the way of an ended credential',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: "of: ({ refused }) => refused === 'impostor',",
    to: 'of: () => false,',
  },
  {
    what: 'skip other users who are no administrators',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: "of: (rule) => rule.refused === 'hostMember' && !hasOwner(rule),",
    to: 'of: () => false,',
  },
  {
    what: 'never send the request of a wrong caller',
    file: 'suites/common/wrong-callers.ts',
    from: 'for (let time = 0; time < times; time += 1)',
    to: 'for (let time = 0; time < 0; time += 1)',
  },
  {
    what: 'judge limits on one side only',
    file: 'suites/common/limits.suite.ts',
    from: 'rejectsBeyond(context, limit, { accepts, rejects }),',
    to: 'acceptsUpTo(context, limit),',
  },
  {
    what: 'call any two ids the same',
    file: 'clauses/fields.ts',
    from: "if (found === expected) return 'kept'",
    to: "if (found !== '') return 'kept'",
  },
  {
    what: 'drop the second delete',
    file: 'suites/delete-collaboration/use-after-delete.suite.ts',
    from: 'expect(await again(), gone, second).toBeRefused(',
    to: 'expect(after, gone, second).toBeRefused(',
  },
  {
    what: 'send the same settings once',
    file: 'suites/update-federation/update-federation.suite.ts',
    from: 'const repetitions = 3',
    to: 'const repetitions = 0',
  },
  {
    what: 'never look where refused items are',
    file: 'suites/reassign-items/reassign-authorization.suite.ts',
    from: 'await expectStillWith(context, { ...items, ownedBy }, username, last)',
    to: 'void last',
  },
  {
    what: 'give items to an eligible user only',
    file: 'suites/reassign-items/reassign-error.suite.ts',
    from: "expect(answer, accepted).toKeep('reassign-items/ineligible-target')",
    to: 'void accepted',
  },
  {
    what: 'send racing requests one after the other',
    file: 'runner/lanes.ts',
    from: 'const answers = await lane.run(() => started(racers))',
    to: 'const answers = []; for (const each of racers) answers.push(...(await started([each]))), await answers.at(-1)',
  },
  {
    what: 'see no sync in a scheduled one',
    file: 'suites/sync-workspace/sync-overlap.suite.ts',
    from: "const kept = expect(answer, ...before).keeps('sync-workspace/one-at-a-time')",
    to: 'const kept = true',
  },
]
