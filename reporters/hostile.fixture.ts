/** Results in which every text from the target tries to break out of the report. */
import type { Evidence } from '../deployment/http/exchange.ts'
import type { CheckResult } from '../runner/check-result.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'
import type { Results } from './results.ts'

const attack = 'window.attacked=1;alert(1)'

/** Texts that would run, load, redirect or mislead if a report did not escape them. */
const attacks = [
  `</script><script>${attack}</script>`,
  `</style><script>${attack}</script>`,
  `</title></textarea></template></svg></math><img src=x onerror="${attack}">`,
  `"><svg onload="${attack}">`,
  `' onmouseover='${attack}' onfocus='${attack}' autofocus='`,
  `\` onclick=${attack} \``,
  `javascript:${attack}`,
  `<iframe srcdoc="<script>parent.${attack}</script>"></iframe>`,
  '<link rel=stylesheet href=http://evil.invalid/a.css><base href=http://evil.invalid/>',
  '<meta http-equiv=refresh content="0;url=http://evil.invalid/">',
  '<!--<script>',
  '<style>*{display:none}</style>',
  '<form action=http://evil.invalid/><input name=q><button>Copy</button></form>',
  'user\u202egnp.exe\u2066\u200b\u0000\u001b[2J\u2028\ud800',
  '&lt;script&gt;&#60;b&#62;&amp;',
  '</failure></testcase><failure message="x"/>]]><![CDATA[ <!-- &amp; &lol;',
  '\u0007\u0008\u001b[31mred\u001b[0m\u001b]0;title\u0007\u009b2J\u007f \udfff \ufffe \uffff',
  '``` ```` ` ~~~\n```\n# heading\n```js',
  '@team @org/team #1 org/repo#2 GH-3 [x](javascript:alert(1)) ![y](https://evil.example/z) https://evil.example www.evil.example',
  '\n::error::owned\n  ::stop-commands::x\n##[add-path]/tmp\r\n::set-output name=a::b%0A',
  '[[ATTACHMENT|/etc/passwd]] [[PROPERTY|outcome=passed]] [[property|a]]b[[/PROPERTY]]',
  '=HYPERLINK("x") | a | b | $x^2$ <details>',
]

/** All attacks in one text. */
export const hostile = attacks.join('\n')

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function hostileEvidence(url: string): Evidence[] {
  const json = JSON.stringify({ [hostile]: hostile, workspace: { id: hostile, list: [hostile] } })
  const wellFormed = hostile.replace(/\p{Cs}/gu, '')
  const fields = new URLSearchParams([
    [wellFormed, wellFormed],
    ['items', 'a'],
  ]).toString()
  const exchange = (body: string, answer: string): Evidence => ({
    class: 'refused',
    operation: hostile,
    request: { method: hostile, url, headers: { ...form, [hostile]: hostile }, body },
    response: {
      status: 200,
      headers: { 'content-type': `text/html; ${hostile}`, location: hostile, [hostile]: hostile },
      body: answer,
      durationMs: 5,
    },
    curl: `curl '${hostile}'`,
    actor: hostile,
    atMs: 10,
  })
  const { response: _, ...broken } = exchange(hostile, '')
  return [exchange(hostile, hostile), { ...broken, error: hostile }, exchange(fields, json)]
}

/** A check with all attacks in every text. */
function hostileCheck(id: CheckResult['id'], outcome: CheckResult['outcome'], url: string): CheckResult {
  const { failure } = failedCheck(id, hostile)
  const found = {
    ...failure!,
    expected: attacks,
    actual: hostile,
    counterexample: JSON.stringify({ [hostile]: hostile }),
    path: hostile,
    repeat: hostile,
    marks: { request: [hostile, 'items'], response: ['workspace.id', hostile] },
  }
  const isFound = outcome === 'failed' || outcome === 'warned' || outcome === 'waived'
  const waiver = { reason: hostile, owner: hostile, link: `javascript:${attack}`, expires: '2026-12-31' }
  return checkOf(id, {
    outcome,
    title: hostile,
    reason: hostile,
    evidence: hostileEvidence(url),
    ...(isFound ? { failure: found } : {}),
    ...(outcome === 'waived' ? { waiver } : {}),
  })
}

function hostileRun(url: string): Results {
  return resultsOf(
    [
      hostileCheck('add-workspace/creates', 'failed', url),
      hostileCheck('sync-workspace/one-at-a-time', 'failed', url),
      hostileCheck('add-workspace/id-is-new', 'inconclusive', url),
      hostileCheck('delete-collaboration/deletes', 'not-tested', url),
      hostileCheck('update-federation/bad-input', 'warned', url),
      hostileCheck('add-workspace/refuses-guest', 'passed', url),
      hostileCheck('update-task-run/updates', 'not-applicable', url),
      hostileCheck('add-workspace/name-limit-accepts', 'waived', url),
    ],
    {
      errors: [hostile],
      observations: [{ id: 'sync-job', operation: 'sync-workspace', question: hostile, observed: hostile }],
      roles: [{ operation: 'add-workspace', actor: 'anonymous', observed: 'allowed', wrong: true }],
    },
  )
}

/** A run against a hostile target. */
export const hostileResults: Results = hostileRun(`https://h.example/a?b=${hostile}`)

/** The same run as a forged results file: fields that the suite fills are hostile too. */
export function forgedResults(): Results {
  const { run, requirements, roles = [], ...others } = hostileRun(`javascript:${hostile}`)
  const strange: object = {
    id: hostile,
    level: hostile,
    operation: hostile,
    kind: hostile,
    section: hostile,
    text: hostile,
  }
  return {
    ...others,
    suite: { version: hostile },
    target: { baseUrl: hostile, version: hostile, edition: hostile, profile: hostile },
    run: {
      ...run,
      id: hostile,
      startedAt: hostile,
      selection: { operations: [hostile], requirements: [hostile] },
    },
    requirements: [...requirements, { ...requirements[0]!, ...strange }],
    roles: [...roles, { ...roles[0]!, ...({ operation: hostile, actor: hostile } as object) }],
  }
}
