/** Checks on a target of a few lines, for the tests of what runs them. */
import { answerJson, configurationFor, received, serve } from '../target/http/server.fixture.ts'
import { define } from './check.ts'
import type { CheckId } from './check-result.ts'
import type { CheckContext } from './context/context.ts'
import { Session } from './session.ts'

export const accepted = { success: true }
export const refused = { error: { code: 403, message: 'no' } }

/** A session with a target that gives these answers in turn, the last one for ever. */
export async function sessionWith(answers: readonly object[], fixtures?: object): Promise<Session> {
  let count = 0
  const baseUrl = await serve(async (request, response) => {
    await received(request)
    answerJson(response, answers[Math.min(count, answers.length - 1)])
    count += 1
  })
  const configuration = configurationFor(baseUrl, {
    actors: { hostAdministrator: { credential: 'secret-of-the-host', portal: 'host' } },
    ...(fixtures === undefined ? {} : { fixtures: { ...fixtures } }),
  })
  const selection = { operations: [], requirements: [] }
  const session = new Session({
    configuration,
    runId: 'test',
    selection,
    files: [],
    replayCommand: 'portal-conformance run',
  })
  session.ledger.handedOut('collaboration', { collaborationId: 'c1' })
  return session
}

export type Body = (context: CheckContext<'hostAdministrator', never>) => Promise<void>

export const checkOf = (body: Body, id: CheckId = 'delete-collaboration/deletes') =>
  define(id, {}, { actors: ['hostAdministrator'] }, body as never)

export const remove = (context: CheckContext<'hostAdministrator', never>) =>
  context.as.hostAdministrator('delete-collaboration', { collaborationId: 'c1' })

export const expectsAcceptance: Body = async (context) => {
  context.expect(await remove(context)).toBeAccepted()
}
