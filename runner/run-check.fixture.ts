/** Checks on a target of a few lines, for the tests of what runs them. */
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { answerJson, configurationFor, received, serve } from '../deployment/http/server.fixture.ts'
import { define } from './check.ts'
import type { CheckId, CheckResult } from './check-result.ts'
import type { CheckContext } from './context/context.ts'
import { runCheck } from './run-check.ts'
import { inputOf } from './run-input.ts'
import { Session } from './session.ts'

export const accepted = { success: true }
export const refused = { error: { code: 403, message: 'no' } }

/** What a target of a few lines says: to each operation, by the end of its path, and as the provider of fixtures. */
interface Saying {
  /** How it answers, by the number of the request to that operation, from 1; what is not there is refused. */
  readonly answers: Readonly<Record<string, (count: number, asked: { path: string; body: string }) => object>>
  /** Fixtures that are made, by kind and the number of the one that is asked for. */
  readonly makes?: Readonly<Partial<Record<FixtureKind, (count: number) => object>>>
  /** The provider has a list, which holds these kinds. */
  readonly lists?: readonly FixtureKind[]
  readonly actors?: Readonly<Record<string, object>>
  readonly seed?: number
  readonly settle?: string
  /** Cases of each generated check. */
  readonly runs?: number
}

/** A session with such a target. It hands out the collaboration c1 to begin with. */
export async function sessionOn({
  answers,
  makes = {},
  lists,
  actors = {},
  seed = 1,
  settle = '5ms',
  runs = 25,
}: Saying): Promise<Session> {
  const counts = new Map<string, number>()
  const baseUrl = await serve(async (request, response) => {
    const body = await received(request)
    const path = request.url ?? ''
    const name = path.split('/').at(-1) as string
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (!path.startsWith('/fixtures/')) {
      const answer = answers[name]?.(count, { path, body }) ?? refused
      if (answer === gone) request.socket.destroy()
      else if (answer === timedOut) response.writeHead(504).end()
      else answerJson(response, answer)
      return
    }
    const made = makes[name as FixtureKind]?.(count)
    if (made === undefined) response.writeHead(404).end()
    else answerJson(response, made)
  })
  const fixturesUrl = `${baseUrl}/fixtures`
  const configuration = configurationFor(baseUrl, {
    actors: { hostAdministrator: { credential: 'secret-of-the-host', portal: 'host' }, ...actors },
    fixtures:
      lists === undefined
        ? { url: fixturesUrl }
        : { static: Object.fromEntries(lists.map((kind) => [kind, [makes[kind]?.(1)]])) },
    run: { settle, seed, runs },
  })
  const session = new Session(inputOf(configuration, 'test', { provider: fixturesUrl }))
  session.ledger.handedOut('collaboration', { collaborationId: 'c1' })
  return session
}

/** In place of an answer: the connection breaks. */
export const gone = {}

/** In place of an answer: a gateway waits no longer for one. */
export const timedOut = {}

export const collaborations = (count: number) => ({ collaborationId: `fresh-${count}` })
export const participants = () => ({ collaborationId: 'p1', participantPortalId: 'guest' })
/** What most providers make in these tests. */
export const usual = { collaboration: collaborations, participant: participants }

/** A session with a target that gives these answers to deletes in turn, the last one for ever, and takes all updates of participants. */
export function sessionWith(answers: readonly object[]): Promise<Session> {
  return sessionOn({
    answers: {
      delete: (count) => answers[Math.min(count, answers.length) - 1] as object,
      updateInfo: () => accepted,
    },
    makes: usual,
  })
}

export type Body = (context: CheckContext<'hostAdministrator', never>) => Promise<void>

export const checkOf = (body: Body, id: CheckId = 'delete-collaboration/deletes') =>
  define(id, {}, { actors: ['hostAdministrator'] }, body as never)

export const remove = (context: CheckContext<'hostAdministrator', never>) =>
  context.as.hostAdministrator('delete-collaboration', { collaborationId: 'c1' })

export const expectsAcceptance: Body = async (context) => {
  context.expect(await remove(context)).toBeAccepted()
}

/** What comes of a check, or of one with that body: in a session, or on a target that gives these answers to deletes. */
export async function resultOf(
  check: Body | ReturnType<typeof checkOf>,
  on: Session | readonly object[] = [accepted],
): Promise<CheckResult> {
  const definition = typeof check === 'function' ? checkOf(check) : check
  return runCheck(definition, on instanceof Session ? on : await sessionWith(on))
}
