/** Asks for the logins of administrators, signs in with each at once, and reads the deployment. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { usageError } from '../command-error.ts'
import { looksLikeSecret } from './choices.ts'
import type { Dialogue } from './dialogue.ts'
import { answeringAddress, type LoginChoice, type LoginChoices, tryLogins } from './logins.ts'
import type { Passwords } from './passwords.ts'

/** The logins that the command line names. */
export interface KnownLogins {
  readonly profile: string
  readonly ca?: string
  readonly baseUrl?: string
  readonly host?: LoginChoice
  readonly guestUrl?: string
  readonly guest?: LoginChoice
  readonly users?: LoginChoices['users']
}

export interface LoginAnswers {
  readonly choices: LoginChoices
  /** The configuration with what was read from the deployment. */
  readonly found: Configuration
}

/** Rejects with a CommandError if the answers end early. */
export async function askForLogins(
  dialogue: Dialogue,
  known: KnownLogins,
  passwords: Passwords,
  signIns: SignIns,
): Promise<LoginAnswers> {
  const { profile, ca } = known
  const baseUrl = await dialogue.ask({
    about: 'A base URL ends in /sharing/rest, such as https://machine.example.com/portal/sharing/rest.',
    text: 'Base URL of the host',
    given: known.baseUrl,
    read: (answer) => portalAt(answer, known),
    options: (answer) => ['--base-url', answer],
  })
  const base = withoutUndefined({ baseUrl, profile, ca, users: known.users ?? 'create' })
  const host = await askForLogin(dialogue, hostPart, known.host, passwords, (host) =>
    signedIn(dialogue, { ...base, host }, passwords, signIns),
  )
  const both = await askForGuest(dialogue, host, known, passwords, signIns)
  const users = await dialogue.ask({
    about:
      'Some checks need callers with few rights. A run can create users and roles for them, and remove them at its end.',
    text: 'May a run create users?',
    choices: ['yes', 'no'],
    standard: 'yes',
    given: known.users === undefined ? undefined : answerFor[known.users],
    read: (answer): LoginChoices['users'] => (answer === 'yes' ? 'create' : 'none'),
    options: (answer) => ['--users', answer === 'yes' ? 'create' : 'none'],
  })
  return { choices: { ...both.choices, users }, found: both.found }
}

function portalAt(answer: string, known: KnownLogins): Promise<string> {
  if (!/^https?:\/\//i.test(answer))
    throw usageError('A URL that begins with https:// or http:// is expected.')
  return answeringAddress('the base URL', answer, known)
}

const answerFor = { create: 'yes', none: 'no' } as const

interface Part {
  readonly name: 'host' | 'guest'
  readonly option: string
  readonly variable: string
}

const hostPart: Part = { name: 'host', option: '--host-login', variable: 'HOST_PASSWORD' }
const guestPart: Part = { name: 'guest', option: '--guest-login', variable: 'GUEST_PASSWORD' }

/** The answers for the host, with a guest if there is one. */
async function askForGuest(
  dialogue: Dialogue,
  host: LoginAnswers,
  known: KnownLogins,
  passwords: Passwords,
  signIns: SignIns,
): Promise<LoginAnswers> {
  const baseUrl = await dialogue.ask({
    about:
      'A guest is a second portal, which the host invites to collaborations. Without a guest, a run does not test what needs one.',
    text: 'Base URL of a guest whose administrator you are, too',
    standard: '',
    given: known.guestUrl,
    read: (answer) => (answer === '' || answer === 'none' ? undefined : portalAt(answer, known)),
    options: (answer) => (answer === '' || answer === 'none' ? [] : ['--guest-url', answer]),
  })
  if (baseUrl === undefined) return host
  const signIn = (login: LoginChoice) =>
    signedIn(dialogue, { ...host.choices, guest: { ...login, baseUrl } }, passwords, signIns)
  return askForLogin(dialogue, guestPart, known.guest, passwords, signIn, () => host)
}

/** Asks for a user name and a password until they work, or until the user leaves the guest out. */
async function askForLogin(
  dialogue: Dialogue,
  { name, option, variable: usual }: Part,
  known: LoginChoice | undefined,
  passwords: Passwords,
  signIn: (login: LoginChoice) => Promise<LoginAnswers>,
  leaveOut?: () => LoginAnswers,
): Promise<LoginAnswers> {
  const variable = known?.variable ?? usual
  let refused: string | undefined
  const login = async (username: string): Promise<LoginAnswers> => {
    if (username === 'none' && leaveOut !== undefined) return leaveOut()
    if (looksLikeSecret(username)) throw usageError('A user name is expected; this may be a password.')
    if (username !== refused && passwords.take(variable)) {
      dialogue.say(`  ${variable} is set: init signs in with its value.`)
    } else passwords.type(variable, await dialogue.askHidden(`Password of ${username} (does not show)`))
    refused = username
    return signIn({ username, variable })
  }
  return dialogue.ask({
    text: `User name of an administrator of the ${name}${leaveOut === undefined ? '' : ', or none'}`,
    given: known?.username,
    read: login,
    options: (username) => (username === 'none' ? [] : [option, `${username}:${variable}`]),
  })
}

async function signedIn(
  dialogue: Dialogue,
  choices: LoginChoices,
  passwords: Passwords,
  signIns: SignIns,
): Promise<LoginAnswers> {
  dialogue.say('  Signing in …')
  const found = await tryLogins(choices, passwords.environment, signIns)
  const { target, portals } = found
  const known = [
    `portal ${(choices.guest === undefined ? portals.host : portals.guest)?.id}`,
    ...(choices.guest === undefined && target.version !== undefined ? [`release ${target.version}`] : []),
    ...(choices.guest === undefined && target.edition !== undefined ? [target.edition] : []),
  ]
  dialogue.say(`  Signed in: ${known.join(', ')}.`)
  return { choices, found }
}
