import { describe, expect, it } from 'vitest'
import { schemaNames, schemaOf } from './catalogue.ts'
import { breakagesOf, placesOf } from './places.fixture.ts'
import { issuesOf, violations, violationsOf } from './validators.ts'

const exampleOf = (name: (typeof schemaNames)[number]) =>
  schemaOf(name).examples?.[0] as Record<string, unknown>

describe.each(schemaNames)('issuesOf by schema %s', (name) => {
  const breakages = (schemaOf(name).examples ?? []).flatMap((example) => breakagesOf(name, example))

  it('names the violated keyword and its path, and nothing else', () => {
    for (const { path, keyword, value } of breakages) {
      const issues = issuesOf(name, value)
      expect(
        issues.some((issue) => issue.path === path && issue.keyword === keyword),
        `${keyword} at ${path}: ${JSON.stringify(issues)}`,
      ).toBe(true)
      // Text that violates a pattern or format may violate a length as well, but at the same path.
      expect(issues.filter((issue) => issue.path !== path)).toEqual([])
    }
  })

  it('was tested with violations of every subschema', () => {
    const tried = new Set(breakages.map(({ schema }) => schema))
    const untried = placesOf(schemaOf(name)).filter(
      ({ pointer, schema }) =>
        !tried.has(schema) && !/\/if(\/|$)/.test(pointer) && schema.$ref === undefined && constrains(schema),
    )
    expect(untried.map(({ pointer }) => pointer)).toEqual([])
  })
})

function constrains(schema: object): boolean {
  return ['type', 'const', 'enum'].some((keyword) => keyword in schema)
}

describe('violations in answers', () => {
  const success = { success: 'boolean' }
  const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'string']))
  // Copied by hand from the contract, to find errors in a schema.
  it.each([
    ['add-workspace.response', { ...success, workspace: 'object' }],
    ['update-task-run.response', { ...success, ...text('taskId', 'runId') }],
    ['reassign-items.response', { ...success, ...text('itemId') }],
    ['sync-workspace.response', { ...success, ...text('jobId', 'key') }],
    ['update-participant.response', { ...success, ...text('collaborationId', 'portalId') }],
    ['delete-collaboration.response', success],
    ['update-federation.response', { ...success, ...text('federationId') }],
    [
      'workspace',
      {
        ...text('id', 'name', 'description', 'collaborationId'),
        config: 'object',
        created: 'integer',
        modified: 'integer',
        lastSyncSuccess: 'integer',
      },
    ],
    [
      'workspace-config',
      {
        maxItemSizeInMB: 'integer',
        maxReplicationPackageSizeInMB: 'integer',
        bidirectionalSyncCapable: 'boolean',
      },
    ],
  ] as const)(
    '%s requires the fields of the contract with their types, and allows others',
    (name, fields) => {
      for (const [field, type] of Object.entries(fields)) {
        const { [field]: _, ...without } = exampleOf(name)
        expect(violations(name, without)).toEqual([`${field}: missing`])
        const wrong = type === 'string' ? 1 : '1'
        expect(violations(name, { ...exampleOf(name), [field]: wrong })).toEqual([
          `${field}: ${type} expected, ${JSON.stringify(wrong)} found`,
        ])
      }
      expect(violations(name, {})).toEqual(Object.keys(fields).map((field) => `${field}: missing`))
      expect(violations(name, { ...exampleOf(name), unknownField: null })).toEqual([])
    },
  )

  it('success: false is valid, because another check judges it', () => {
    expect(violations('delete-collaboration.response', { success: false })).toEqual([])
  })

  it.each([
    ['-1', []],
    ['1.0', []],
    ['1.5', ['lastSyncSuccess: integer expected, 1.5 found']],
    ['1e999', ['lastSyncSuccess: integer expected, Infinity found']],
  ])('integers have no fraction and are finite: %s', (text, messages) => {
    const lastSyncSuccess = JSON.parse(text)
    expect(violations('workspace', { ...exampleOf('workspace'), lastSyncSuccess })).toEqual(messages)
  })
})

describe('violations in requests', () => {
  it.each([
    ['add-workspace.request', 'collaborationWorkspaceName', 100],
    ['add-workspace.request', 'collaborationWorkspaceDescription', 250],
  ] as const)('%s counts the characters of %s, not bytes or UTF-16 units', (name, field, most) => {
    for (const character of ['a', 'é', '𝄞']) {
      const at = (length: number) =>
        violations(name, { ...exampleOf(name), [field]: character.repeat(length) })
      expect(at(most)).toEqual([])
      expect(at(most + 1)).toEqual([`${field}: at most ${most} characters expected, ${most + 1} found`])
    }
  })

  it.each([
    [0, ['items: at least 1 item expected, 0 found']],
    [1, []],
    [100, []],
    [101, ['items: at most 100 items expected, 101 found']],
  ])('reassign-items with %i items: %j', (length, messages) => {
    const request = { items: Array(length).fill('i'), targetUsername: 'u', f: 'pjson' }
    expect(violations('reassign-items.request', request)).toEqual(messages)
  })
})

it('violations judges every entry in the details of a reassign error', () => {
  const error = structuredClone(exampleOf('reassign-items.error')) as { error: { details: object[] } }
  const good = error.error.details[0] as Record<string, unknown>
  const { reservedTypeKeywords: _, ...bad } = good
  error.error.details.push(bad, { ...good, reservedTypeKeywords: ['a', 1] })
  expect(violations('reassign-items.error', error)).toEqual([
    'error.details[1].reservedTypeKeywords: missing',
    'error.details[2].reservedTypeKeywords[1]: string expected, 1 found',
  ])
})

describe('violationsOf', () => {
  it('accepts changed copies of our schemas and references to them', () => {
    const schema = { ...schemaOf('add-workspace.response'), required: ['workspace'] }
    expect(violationsOf(schema, { workspace: exampleOf('workspace') })).toEqual([])
    expect(violationsOf(schema, {}).map(({ message }) => message)).toEqual(['workspace: missing'])
    expect(violations('add-workspace.response', {})).toHaveLength(2)
  })

  it('refuses a schema with an unknown keyword', () => {
    expect(() => violationsOf({ type: 'string', maxLenght: 3 }, 'x')).toThrow('maxLenght')
  })
})

describe('violations in hostile values', () => {
  it('ignore prototypes: inherited fields are missing, __proto__ is unknown', () => {
    expect(
      violationsOf({ type: 'object', properties: { toString: {} }, required: ['toString'] }, {}),
    ).toHaveLength(1)
    const value = JSON.parse('{"__proto__": {"success": true}, "constructor": 1}')
    expect(violations('delete-collaboration.response', value)).toEqual(['success: missing'])
    expect(({} as Record<string, unknown>).success).toBeUndefined()
    const config = { ...(exampleOf('configuration') as object), ...JSON.parse('{"run": {"__proto__": 1}}') }
    expect(issuesOf('configuration', config).map(({ path }) => path)).toEqual(['run.__proto__'])
  })

  it('are at most 20, and one in a huge value', () => {
    const of = (length: number) => ({
      error: { code: 403, messageCode: '', message: '', details: Array(length).fill(1) },
    })
    expect(violations('reassign-items.error', of(30))).toHaveLength(20)
    expect(violations('reassign-items.error', of(1_000_000))).toEqual([
      'error.details[0]: object expected, 1 found',
    ])
  })

  it('are reported for deeply nested values and for undefined', () => {
    const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))
    expect(violations('delete-collaboration.response', deep)[0]).toMatch(/^object expected, \[{60}… found$/)
    expect(violations('delete-collaboration.response', undefined)).toEqual(['object expected, nothing found'])
  })
})

describe('violations in the configuration', () => {
  const smallest = { target: { baseUrl: 'http://127.0.0.1:8080' }, portals: { host: { id: 'h' } } }
  const wrong = (more: object) => violations('configuration', { ...smallest, ...more })

  it.each([
    [{ http: { timeout: 10 } }, 'http.timeout: a duration such as 250ms, 10s, 2m or 1d expected, 10 found'],
    [{ effects: 'al' }, 'effects: the word all, or a list of operation ids expected, "al" found'],
    [
      { fixtures: { url: 'http://127.0.0.1', module: 'x' } },
      'fixtures: exactly one of url, module, command and static expected, url, module found',
    ],
    [
      { target: { ...smallest.target, version: 11 } },
      'target.version: a release in quotes, such as "11.0" expected, 11 found',
    ],
  ])('describe the expected notation: %j', (more, message) => {
    expect(wrong(more)).toEqual([message])
  })

  it.each(['10', '10 s', 's', '-1s', '1w', '1e3s', '10s\n'])('refuse the duration %j', (settle) => {
    expect(wrong({ run: { settle } })).toHaveLength(1)
  })

  it('do not show secrets', () => {
    const messages = [
      wrong({ actors: { itemOwner: 'hunter2' } }),
      wrong({ actors: ['hunter2'] }),
      wrong({ actors: { itemOwner: { credential: ['hunter2'] } } }),
      wrong({ http: { headers: { Authorization: ['hunter2'] }, proxy: 'me:hunter2@proxy' } }),
    ].flat()
    expect(messages).toHaveLength(5)
    expect(messages.join()).not.toContain('hunter2')
  })
})
