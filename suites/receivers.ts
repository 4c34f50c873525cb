/** Users who receive items: two for each check, whatever number of cases it has; nothing depends on what they hold. */
import type { CheckContext } from './context/context.ts'

type Giver = Pick<CheckContext<never, 'eligibleUser'>, 'given'>

const known = new WeakMap<Giver['given'], Map<string, Promise<string>>>()

function receiver(given: Giver['given'], which: string): Promise<string> {
  const users = known.get(given) ?? new Map<string, Promise<string>>()
  known.set(given, users)
  const user = users.get(which) ?? given.eligibleUser().then(({ username }) => username)
  users.set(which, user)
  return user
}

/** The username of an eligible user, the same throughout a check. */
export const oneReceiver = ({ given }: Giver): Promise<string> => receiver(given, 'one')

/** The username of another eligible user, the same throughout a check. */
export const anotherReceiver = ({ given }: Giver): Promise<string> => receiver(given, 'another')
