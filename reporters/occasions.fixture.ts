/** Results of runs that ended in every way, for tests that hold for each report. */
import type { Evidence } from '../deployment/http/exchange.ts'
import type { CheckResult } from '../runner/check-result.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'

/** What a target may send to break out of a report, piece by piece. */
const hostilePieces = {
  xml: '</failure></testcase><failure message="x"/>]]><![CDATA[ <!-- &amp; &lol;',
  script: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  controls: '\u0000\u0007\u0008\u001b[31mred\u001b[0m\u001b]0;title\u0007\u009b2J\u007f',
  misleading: '\u202egnp.exe\u2066\u200e\u2028\u2029',
  halves: '\ud800 \udfff \ufffe \uffff',
  fences: '``` ```` ` ~~~\n```\n# heading\n```js',
  links:
    '@team @org/team #1 org/repo#2 GH-3 [x](javascript:alert(1)) ![y](https://evil.example/z) https://evil.example www.evil.example',
  commands: '\n::error::owned\n  ::stop-commands::x\n##[add-path]/tmp\r\n::set-output name=a::b%0A',
  markers: '[[ATTACHMENT|/etc/passwd]] [[PROPERTY|outcome=passed]] [[property|a]]b[[/PROPERTY]]',
  columns: '=HYPERLINK("x") | a | b | $x^2$ <details>',
} as const

/** All of it in one text. */
export const hostile = Object.values(hostilePieces).join(' ')

const passed = [
  checkOf('add-workspace/creates'),
  checkOf('update-federation/idempotent', { outcome: 'not-applicable', reason: 'since release 11.1' }),
]

const failing = [
  ...passed,
  failedCheck('add-workspace/refuses-guest', 'a guest was accepted'),
  failedCheck('add-workspace/name-limit-accepts:100', 'a valid request was not accepted'),
  checkOf('add-workspace/name-limit-accepts:1'),
  checkOf('update-federation/bad-input', {
    outcome: 'warned',
    reason: 'no error was reported',
    failure: { message: 'no error was reported', expected: ['an error'], actual: 'success', repeat: 'again' },
  }),
]

const open = [
  ...passed,
  checkOf('add-workspace/id-is-new', { outcome: 'inconclusive', reason: 'the control was not accepted' }),
  checkOf('delete-collaboration/deletes', { outcome: 'not-tested', reason: 'no fixture', requests: 0 }),
]

const waived: CheckResult[] = [
  ...passed,
  {
    ...failedCheck('add-workspace/refuses-guest', 'a guest was accepted'),
    outcome: 'waived',
    waiver: {
      reason: 'mended in the next release',
      owner: 'portal team',
      link: 'https://tracker.example.com/1',
      expires: '2026-12-31',
    },
  } as CheckResult,
]

/** A target that puts its worst into every place that it reaches. */
function hostileChecks(): CheckResult[] {
  const failure = {
    message: hostile,
    expected: [hostile, 'refused'],
    actual: hostile,
    counterexample: hostile,
    seed: 1,
    repeat: `portal-conformance run ${hostile}`,
  }
  const evidence: Evidence[] = [
    {
      class: 'refused',
      operation: hostile,
      request: {
        method: 'POST',
        url: `https://h.example/a?b=${hostile}`,
        headers: form,
        body: `a=${hostile}`,
      },
      response: {
        status: 200,
        headers: { 'content-type': `text/html; ${hostile}`, location: hostile },
        body: hostile,
        durationMs: 1,
      },
      curl: `curl '${hostile}'`,
    },
    {
      class: 'no-verdict',
      request: { method: 'POST', url: 'https://h.example/', headers: form, body: '' },
      error: hostile,
      curl: 'curl',
      actor: 'hostMember',
      atMs: 12.5,
    },
  ]
  const last = { ...checkOf('add-workspace/creates'), reason: hostile, evidence }
  return [
    { ...last, outcome: 'failed', failure, title: hostile },
    { ...last, ...ids('add-workspace/id-is-new'), outcome: 'inconclusive' },
    { ...last, ...ids('delete-collaboration/deletes'), outcome: 'not-tested' },
    { ...last, ...ids('update-federation/bad-input'), outcome: 'warned', failure },
    { ...last, ...ids('add-workspace/refuses-guest'), outcome: 'passed' },
    {
      ...last,
      ...ids('add-workspace/name-limit-accepts'),
      outcome: 'waived',
      failure,
      waiver: { reason: hostile, owner: hostile, link: hostile, expires: '2026-12-31' },
    } as CheckResult,
  ]
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const ids = (id: CheckResult['requirement']) => ({ id, requirement: id })

const withoutEnd = (results: Results): Results => {
  const { complete: _, ...others } = results
  return others
}

/** By the way in which the run ended. */
export const occasions: Readonly<Record<string, Results>> = {
  conformant: resultsOf(passed),
  failing: resultsOf(failing),
  incomplete: resultsOf(open),
  interrupted: withoutEnd(
    resultsOf([
      ...failing,
      checkOf('add-workspace/id-is-new', { outcome: 'not-tested', reason: 'interrupted' }),
    ]),
  ),
  broken: resultsOf(open, {
    errors: ['suites/common/limits.suite.ts: TypeError', 'The fixture provider went away.'],
  }),
  waived: resultsOf(waived),
  hostile: resultsOf(hostileChecks(), {
    errors: [hostile],
    observations: [
      { id: 'run-statuses' as never, operation: 'update-task-run', question: 'Which?', observed: hostile },
    ],
  }),
  empty: resultsOf([]),
}
