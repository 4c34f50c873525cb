/** Adds a workspace that has nothing special about it, to see whether a collaboration takes any. */
import fc from 'fast-check'
import { isAccepted } from '../clauses/acceptance.ts'
import type { ActorName } from '../deployment/configuration/actors.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { requestSchema } from '../schemas/catalogue.ts'
import { validRequest } from './cases/requests.ts'
import type { Identity, RequestFields } from './context/calls.ts'
import { isOfTheTarget } from './findings.ts'
import type { TwoAtOnce } from './patience/edits.ts'
import { type Performer, perform } from './perform.ts'
import { subSeed } from './seeds.ts'

const operation = 'add-workspace'

/** Who can add one: the session of a run. */
interface Adding extends Performer {
  identityOf(name: ActorName): Identity | Promise<Identity>
  anyGroup(): Promise<string>
}

interface Obtaining extends Adding {
  obtain<Kind extends FixtureKind>(kind: Kind, options: FixtureOptions[Kind]): Promise<FixtureAnswers[Kind]>
}

/** Whether the target accepted a workspace of that name; false where it could not be asked. `send`: how it is asked. */
export async function addPlainWorkspace(
  session: Adding,
  collaborationId: string,
  name: string,
  send: (ask: () => Promise<Answer>) => Promise<Answer> = (ask) => ask(),
): Promise<boolean> {
  const { configuration } = session
  try {
    const fixed = { collaborationWorkspaceName: name, portalGroupId: await session.anyGroup() }
    const valid = validRequest(requestSchema(operation), { fixed, text: 'ordinary', leaveOut: 'nothing' })
    const request = fc.sample(valid, {
      seed: subSeed(configuration.run.seed, name),
      numRuns: 1,
    })[0] as RequestFields
    const identity = await session.identityOf('hostAdministrator')
    const ask = () => perform(session, identity, { operation, at: { collaborationId }, request })
    return isAccepted(await send(ask))
  } catch (error) {
    if (isOfTheTarget(error)) return false
    throw error
  }
}

/** Adds two plain workspaces to one collaboration at the same moment, and one after them. */
export async function twoAtOnce(session: Obtaining): Promise<TwoAtOnce> {
  const { collaborationId } = await session.obtain('collaboration', {})
  const add = (which: string) =>
    addPlainWorkspace(session, collaborationId, `Trial ${collaborationId} ${which}`)
  const together = await Promise.all([add('one'), add('two')])
  return { together, alone: await add('three') }
}
