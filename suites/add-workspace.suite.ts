/** §4.1 Add workspace, with the fields of §2. Its limits and its roles are judged with those of the others. */
import fc from 'fast-check'
import { textOfLength } from './cases/text.ts'
import { suite } from './check.ts'
import type { Request } from './context/calls.ts'
import { together } from './races.ts'

const check = suite({
  operation: 'add-workspace',
  actors: ['hostAdministrator'],
  fixtures: ['collaboration', 'group'],
})

const inConfig = (path: string): boolean => path.startsWith('workspace.config.')
const inWorkspace = (path: string): boolean => path.startsWith('workspace.') && !inConfig(path)

check('add-workspace/creates', {}, async ({ as, given, forAll, expect }) => {
  const { collaborationId } = await given.collaboration()
  await forAll(given.requests('add-workspace', { text: 'ordinary' }), async (request) => {
    const answer = await as.hostAdministrator(
      'add-workspace',
      { collaborationId },
      await given.linked('add-workspace', request),
    )
    const { workspace } = expect(answer).toBeAccepted()
    expect(answer).toShow(
      typeof workspace === 'object' && workspace !== null,
      'the answer holds no workspace',
      {
        expected: 'workspace: an object',
        actual: `workspace: ${JSON.stringify(workspace) ?? 'missing'}`,
      },
    )
  })
})

check('add-workspace/workspace-fields', {}, async ({ as, given, forAll, expect }) => {
  const { collaborationId } = await given.collaboration()
  await forAll(
    given.requests('add-workspace'),
    async (request) => {
      const answer = await as.hostAdministrator(
        'add-workspace',
        { collaborationId },
        await given.linked('add-workspace', request),
      )
      expect(answer).toMatch('add-workspace.response', inWorkspace)
    },
    { share: 0.3, least: 8 },
  )
})

check('add-workspace/config-fields', {}, async ({ as, given, forAll, expect }) => {
  const { collaborationId } = await given.collaboration()
  await forAll(
    given.requests('add-workspace'),
    async (request) => {
      const answer = await as.hostAdministrator(
        'add-workspace',
        { collaborationId },
        await given.linked('add-workspace', request),
      )
      expect(answer).toMatch('add-workspace.response', inConfig)
    },
    { share: 0.3, least: 8 },
  )
})

check('add-workspace/collaboration-id', {}, async ({ as, given, forAll, expect }) => {
  const collaborations = [await given.collaboration(), await given.collaboration()]
  const cases = fc.tuple(
    given.requests('add-workspace', { text: 'ordinary' }),
    fc.constantFrom(...collaborations),
  )
  await forAll(
    cases,
    async ([request, { collaborationId }]) => {
      const answer = await as.hostAdministrator(
        'add-workspace',
        { collaborationId },
        await given.linked('add-workspace', request),
      )
      expect(answer).field('workspace.collaborationId').toBe(collaborationId)
    },
    { least: 24 },
  )
})

check('add-workspace/id-is-new', {}, async ({ as, given, forAll, control, expect }) => {
  const collaborations = [await given.collaboration(), await given.collaboration()]
  const seen = new Map<string, string>()
  const add = async (collaborationId: string, request: Request): Promise<void> => {
    const linked = await given.linked('add-workspace', request)
    const answer = await as.hostAdministrator('add-workspace', { collaborationId }, linked)
    control(answer)
    const id = expect(answer).field('workspace.id').string
    const name = JSON.stringify(request.collaborationWorkspaceName)
    expect(answer).toShow(!seen.has(id), 'the id of a new workspace was given before', {
      expected: 'an id that no other workspace has',
      actual: `${id}, which the workspace named ${seen.get(id)} got before`,
    })
    seen.set(id, name)
  }
  await forAll(
    given.requests('add-workspace', { text: 'ordinary' }),
    async (request) => {
      for (const { collaborationId } of collaborations) await add(collaborationId, request)
      await add(collaborations[0]?.collaborationId as string, request)
    },
    { share: 0.3, least: 6 },
  )
})

check('add-workspace/timestamps', {}, async ({ as, given, forAll, expect, configuration }) => {
  const { collaborationId } = await given.collaboration()
  const tolerance = configuration.run.clockToleranceMs
  await forAll(
    given.requests('add-workspace', { text: 'ordinary' }),
    async (request) => {
      const answer = await as.hostAdministrator(
        'add-workspace',
        { collaborationId },
        await given.linked('add-workspace', request),
      )
      const created = expect(answer).field('workspace.created').integer
      const modified = expect(answer).field('workspace.modified').integer
      const now = Date.now()
      for (const [name, time] of Object.entries({ created, modified })) {
        expect(answer).toShow(
          Math.abs(time - now) <= tolerance,
          `${name} is not the present in milliseconds`,
          {
            expected: `workspace.${name} within ${tolerance} ms of ${now}`,
            actual: `workspace.${name}: ${time}`,
          },
        )
      }
      expect(answer).toShow(modified >= created, 'modified is before created', {
        expected: `workspace.modified not before ${created}`,
        actual: `workspace.modified: ${modified}`,
      })
    },
    { share: 0.3, least: 8 },
  )
})

for (const [id, field, shown, most] of [
  ['add-workspace/name-kept', 'collaborationWorkspaceName', 'workspace.name', 100],
  ['add-workspace/description-kept', 'collaborationWorkspaceDescription', 'workspace.description', 250],
] as const) {
  check(id, {}, async ({ as, given, forAll, control, expect }) => {
    const { collaborationId } = await given.collaboration()
    const requests = fc.oneof(
      { arbitrary: given.requests('add-workspace'), weight: 4 },
      {
        arbitrary: fc
          .tuple(given.requests('add-workspace', { text: 'ordinary' }), textOfLength(most))
          .map(([request, text]) => ({ ...request, [field]: text })),
        weight: 1,
      },
    )
    await forAll(
      requests,
      async (request: Request) => {
        const answer = await as.hostAdministrator(
          'add-workspace',
          { collaborationId },
          await given.linked('add-workspace', request),
        )
        control(answer)
        expect(answer)
          .field(shown)
          .toBe(request[field] as string)
      },
      { least: 20 },
    )
  })
}

check(
  'add-workspace/unknown-collaboration',
  {},
  async ({ as, given, forAll, control, expect, unknownLike }) => {
    const { collaborationId } = await given.collaboration()
    await forAll(
      given.requests('add-workspace', { text: 'ordinary' }),
      async (request) => {
        control(
          await as.hostAdministrator(
            'add-workspace',
            { collaborationId },
            await given.linked('add-workspace', request),
          ),
        )
        const unknown = { collaborationId: unknownLike(collaborationId) }
        expect(
          await as.hostAdministrator('add-workspace', unknown, await given.linked('add-workspace', request)),
        ).toBeRefused()
      },
      { share: 0.2, least: 3 },
    )
  },
)

check(
  'add-workspace/concurrent-ids-distinct',
  { overlapping: true },
  async ({ as, given, forAll, control, expect, configuration }) => {
    const { collaborationId } = await given.collaboration()
    const atOnce = Math.min(8, configuration.http.concurrency)
    const seen = new Map<string, number>()
    const rounds = given.requests('add-workspace', { text: 'ordinary' })
    let round = 0
    await forAll(
      rounds,
      async (request) => {
        round += 1
        const named = (at: number): Request => ({
          ...request,
          collaborationWorkspaceName: `${at} of round ${round}`,
        })
        const linked = await Promise.all(
          Array.from({ length: atOnce }, (_, at) => given.linked('add-workspace', named(at))),
        )
        const answers = await together(
          linked.map(
            (one) => (gate) => as.hostAdministrator('add-workspace', { collaborationId }, one, { gate }),
          ),
        )
        for (const answer of answers) {
          control(answer)
          const id = expect(answer).field('workspace.id').string
          expect(answer, ...answers).toShow(
            !seen.has(id),
            'two workspaces that were added at the same moment have one id',
            {
              expected: 'an id that no other workspace has',
              actual: `${id}, twice`,
            },
          )
          seen.set(id, round)
        }
      },
      { share: 0.3, least: 10, width: 1 },
    )
  },
)
