/** Twenty ways to weaken the suite's own code, each with a fault that the self-test then misses. */

export interface Mutation {
  readonly what: string
  readonly file: string
  /** The text to replace. It occurs once in the file. */
  readonly from: string
  readonly to: string
  /** A fault of the embedded portal. With the mutation, the self-test no longer finds or blames it correctly. */
  readonly fault: string
}

export const mutations: readonly Mutation[] = [
  {
    what: 'drop the row for contact texts',
    file: 'suites/acceptances/acceptances.suite.ts',
    from: "    id: 'update-participant/contact-text',",
    to: "    id: 'update-participant/updates:mutated',",
    fault: 'contact-names-ascii-only',
  },
  {
    what: 'never require an acceptance in the family of acceptances',
    file: 'suites/acceptances/acceptance.ts',
    from: "if (must.includes('accept'))",
    to: 'if (false as boolean)',
    fault: 'no-credits-refused',
  },
  {
    what: 'never require a clause to be kept in the family of acceptances',
    file: 'suites/acceptances/acceptance.ts',
    from: "if (must.includes('keep'))",
    to: 'if (false as boolean)',
    fault: 'html-escaped-echo',
  },
  {
    what: 'ask one thing at a time for the ids of its own path',
    file: 'suites/ids/ids-in-paths.suite.ts',
    from: 'for (const answer of answers) {',
    to: 'for (const answer of answers.slice(0, 0)) {',
    fault: 'federation-answers-mixed-up',
  },
  {
    what: 'drop ids that resemble a known one',
    file: 'suites/ids/ids-in-paths.suite.ts',
    from: '...ids.ofAnotherKind(',
    to: '...((_: string, __: readonly string[]): readonly string[] => [])(',
    fault: 'collaboration-id-taken-for-workspace',
  },
  {
    what: 'skip the part of an unknown run',
    file: 'suites/ids/ids-in-paths.suite.ts',
    from: '.map(nameInFixtures)',
    to: '.map(nameInFixtures).slice(-1)',
    fault: 'task-id-taken-for-run',
  },
  {
    what: 'drop the row for unknown groups',
    file: 'suites/refused-values/refused-values.suite.ts',
    from: 'for (const row of rows) {',
    to: 'for (const row of rows.slice(1)) {',
    fault: 'unknown-group-linked',
  },
  {
    what: 'skip the way of a used connection',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: 'of: isTriedOnUsedConnection,',
    to: 'of: () => false,',
    fault: 'workspace-rights-kept-on-connection',
  },
  {
    what: 'skip the way of a resembling credential',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: "of: (rule) => rule.refused === 'impostor' && !isAdvice(rule),",
    to: 'of: () => false,',
    fault: 'credential-cut-short-let-in',
  },
  {
    what: 'skip the way of an ended credential',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: "of: ({ refused }) => refused === 'impostor',",
    to: 'of: () => false,',
    fault: 'ended-credential-let-in',
  },
  {
    what: 'skip other users who are no administrators',
    file: 'suites/callers/wrong-callers.suite.ts',
    from: "of: (rule) => rule.refused === 'hostMember' && !hasOwner(rule),",
    to: 'of: () => false,',
    fault: 'item-owners-add-workspaces',
  },
  {
    what: 'never send the request of a wrong caller',
    file: 'suites/common/wrong-callers.ts',
    from: 'for (let time = 0; time < times; time += 1)',
    to: 'for (let time = 0; time < 0; time += 1)',
    fault: 'members-add-workspaces',
  },
  {
    what: 'judge limits on one side only',
    file: 'suites/common/limits.suite.ts',
    from: 'control(before, `the control, a request with ${field} of ${most} characters,`, accepts)\n      expect(await call.send(probe), before).toKeep(rejects)',
    to: 'void accepts',
    fault: 'name-limit-only-above-1000',
  },
  {
    what: 'call any two ids the same',
    file: 'clauses/fields.ts',
    from: "if (found === expected) return 'kept'",
    to: "if (found !== '') return 'kept'",
    fault: 'run-ids-swapped',
  },
  {
    what: 'drop the second delete',
    file: 'suites/delete-collaboration/use-after-delete.suite.ts',
    from: 'expect(await again(), gone, second).toBeRefused(',
    to: 'expect(after, gone, second).toBeRefused(',
    fault: 'second-delete-brings-back',
  },
  {
    what: 'send the same settings once',
    file: 'suites/update-federation/update-federation.suite.ts',
    from: 'const repetitions = 3',
    to: 'const repetitions = 0',
    fault: 'identical-update-refused',
  },
  {
    what: 'never look where refused items are',
    file: 'suites/reassign-items/reassign-authorization.suite.ts',
    from: 'await expectStillWith(context, { ...items, ownedBy }, username, last)',
    to: 'void last',
    fault: 'refused-reassignment-happens-later',
  },
  {
    what: 'give items to an eligible user only',
    file: 'suites/reassign-items/reassign-error.suite.ts',
    from: "expect(answer, accepted).toKeep('reassign-items/ineligible-target')",
    to: 'void accepted',
    fault: 'error-code-as-string',
  },
  {
    what: 'let one request at a time race',
    file: 'runner/context/races.ts',
    from: 'if (awaited.size === 0) open()',
    to: 'open()',
    fault: 'item-given-twice-into-folders',
  },
  {
    what: 'see no sync in a scheduled one',
    file: 'suites/sync-workspace/sync-overlap.suite.ts',
    from: "const kept = expect(answer, ...before).keeps('sync-workspace/one-at-a-time')",
    to: 'const kept = true',
    fault: 'syncs-overlap',
  },
]
