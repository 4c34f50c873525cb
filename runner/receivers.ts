/** Users who receive items: two for each check, whatever number of cases it has; nothing depends on what they hold. */
import type { CheckContext } from './context/context.ts'
import { distinct } from './distinct.ts'
import { NotTested } from './findings.ts'

type Giver = Pick<CheckContext<never, 'eligibleUser'>, 'given'>

async function eligible(given: Giver['given'], not: readonly string[]): Promise<string> {
  const [user] = await distinct(1, {
    kind: 'eligibleUser',
    obtain: () => given.eligibleUser(),
    idOf: ({ username }) => username,
    not,
    before: () => given.before('eligibleUser'),
  })
  return (user as { username: string }).username
}

/** The username of an eligible user, the same throughout a check. */
export const oneReceiver = ({ given }: Giver): Promise<string> =>
  given.once('one receiver', () => eligible(given, []))

/** The username of an eligible user who is not the one, the same throughout a check. Not tested where there is no other. */
export const anotherReceiver = ({ given }: Giver): Promise<string> =>
  given.once('another receiver', async () => eligible(given, [await oneReceiver({ given })]))

/** Another where there is another, else the one: for what is told by either, and better by another. */
export async function anyOtherReceiver(giver: Giver): Promise<string> {
  try {
    return await anotherReceiver(giver)
  } catch (error) {
    if (error instanceof NotTested) return oneReceiver(giver)
    throw error
  }
}

/** One of the two of this check who is not the owner of what he receives. */
export async function receiverBeside(giver: Giver, owner: string): Promise<string> {
  const one = await oneReceiver(giver)
  return one === owner ? anotherReceiver(giver) : one
}
