/** Runs checks on a small target. */
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

/** A small target that also provides fixtures. */
export interface SmallTarget {
  /** The nth answer of each operation, by the end of its path, from 1. Other operations are refused. */
  readonly answers: Readonly<Record<string, (count: number, asked: { path: string; body: string }) => object>>
  /** The nth fixture of each kind. */
  readonly makes?: Readonly<Partial<Record<FixtureKind, (count: number) => object>>>
  /** If present, fixtures come from a static list with one of each of these kinds. */
  readonly lists?: readonly FixtureKind[]
  readonly actors?: Readonly<Record<string, object>>
  readonly seed?: number
  readonly settle?: string
  /** Cases of each generated check. */
  readonly runs?: number
}

/** A session on a small target. The collaboration c1 counts as handed out. */
export async function sessionOn({
  answers,
  makes = {},
  lists,
  actors = {},
  seed = 1,
  settle = '5ms',
  runs = 25,
}: SmallTarget): Promise<Session> {
  const counts = new Map<string, number>()
  const baseUrl = await serve(async (request, response) => {
    const body = await received(request)
    const path = request.url ?? ''
    const name = path.split('/').at(-1) as string
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (!path.startsWith('/fixtures/')) {
      const answer = answers[name]?.(count, { path, body }) ?? refused
      if (answer === brokenConnection) request.socket.destroy()
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
export const brokenConnection = {}

/** In place of an answer: a gateway times out. */
export const timedOut = {}

const collaborations = (count: number) => ({ collaborationId: `fresh-${count}` })
export const participants = () => ({ collaborationId: 'p1', participantPortalId: 'guest' })
/** The fixtures of most tests. */
export const usual = { collaboration: collaborations, participant: participants }

/** A session on a target that gives deletes these answers in turn, the last one for ever, and accepts updates of participants. */
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

/** The result of a check, or of one with this body, in a session or on a target with these answers to deletes. */
export async function resultOf(
  check: Body | ReturnType<typeof checkOf>,
  on: Session | readonly object[] = [accepted],
): Promise<CheckResult> {
  const definition = typeof check === 'function' ? checkOf(check) : check
  return runCheck(definition, on instanceof Session ? on : await sessionWith(on))
}
