import { expect, test } from 'vitest'
import { startPortal } from '../../reference/portal.ts'
import { casesFor, fieldsOf } from './cases.ts'
import { asOpenapi30, documentFor } from './document.ts'
import { withTokens } from './step-ci.ts'

test('every case is accepted by the healthy portal, with its token and as its fields are written', async () => {
  const portal = await startPortal({ variants: ['refusals-with-their-status'] })
  try {
    const cases = await casesFor(portal.configuration, 2)
    // A document has each path once: the second copy lacks the operation whose path is always the same.
    expect(cases).toHaveLength(13)
    expect(new Set(cases.map(({ path }) => path)).size).toBe(13)
    for (const each of cases) {
      const answer = await fetch(portal.baseUrl + each.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${each.token}` },
        body: new URLSearchParams(fieldsOf(each)),
      })
      expect([each.operation, await answer.json()]).toEqual([
        each.operation,
        expect.objectContaining({ success: true }),
      ])
    }
    const paths = (use: 'examples' | 'generation') =>
      Object.keys(documentFor(cases.slice(0, 7), portal.baseUrl, use).paths as object)
    expect(paths('examples')).toEqual(cases.slice(0, 7).map(({ path }) => path))
    expect(paths('generation')).toContain('/portals/{portalID}/collaborations/{collaborationID}/delete')
  } finally {
    await portal.close()
  }
})

test('OpenAPI 3.1 becomes 3.0: constants, lists of examples and clauses of our own', () => {
  const schema = { const: 'pjson', examples: ['pjson', 'json'], 'x-presence': 'open' }
  expect(asOpenapi30({ openapi: '3.1.0', schema, media: { examples: { one: { value: 1 } } } })).toEqual({
    openapi: '3.0.3',
    schema: { type: 'string', enum: ['pjson'], example: 'pjson' },
    media: { examples: { one: { value: 1 } } },
  })
})

test('each step of Step CI gets a test, a token and its form', () => {
  const step = { id: 'add-workspace-1', http: { headers: {}, form: {} } }
  const known = {
    operation: 'add-workspace',
    copy: 1,
    path: '/a',
    ids: {},
    token: 'secret',
    form: { items: ['a', 'b'], groups: ['c'], f: 'pjson' },
  } as const
  const { tests } = withTokens({ tests: { default: { name: 'Default', steps: [step] } } }, [known])
  expect(tests).toEqual({
    'add-workspace-1': {
      name: 'add-workspace-1',
      steps: [
        {
          id: 'add-workspace-1',
          http: {
            headers: { Authorization: 'Bearer secret' },
            form: { items: 'a,b', groups: '["c"]', f: 'pjson' },
          },
        },
      ],
    },
  })
})
