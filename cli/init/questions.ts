/** Asks on a terminal for what a configuration is written from. Every question has an answer that Enter gives. */
import { createInterface } from 'node:readline/promises'
import { type ActorName, actorNames } from '../../deployment/configuration/actors.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { profiles } from '../../specs/profiles.ts'
import { listOf } from '../arguments/option-values.ts'
import { CommandError, usageError } from '../command-error.ts'
import type { Surroundings } from '../process/surroundings.ts'
import {
  type ActorChoice,
  addressOf,
  type Choices,
  credentialPlace,
  effectChoice,
  fixtureChoice,
  places,
  usualEffects,
  usualVariable,
} from './choices.ts'
import { fromEnvironment } from './configuration-text.ts'
import { answeringAddress, asOptions, type LoginChoices, loginChoice, tryLogins } from './logins.ts'

interface Question<Value> {
  readonly text: string
  /** What an empty answer stands for; shown in brackets. */
  readonly standard: string
  /** Throws a usage error where the answer will not do: then it is asked again. */
  readonly read: (answer: string) => Value | Promise<Value>
}

/** What the command line says of logins. */
type KnownLogins = Pick<LoginChoices, 'profile'> & Partial<LoginChoices>

/** `given` are answers of the command line: they are not asked for. Throws a usage error where the input ends early. */
export async function askForChoices(
  given: Partial<Choices>,
  { stdout, stdin, environment }: Surroundings,
  known: KnownLogins,
  signIns: SignIns,
): Promise<Choices | LoginChoices> {
  // Without an output: the terminal shows what is typed, and nothing of it is kept.
  const lines = createInterface({ input: stdin as NodeJS.ReadableStream, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  const ask = async <Value>({ text, standard, read }: Question<Value>): Promise<Value> => {
    for (;;) {
      stdout.write(`${text} [${standard === '' ? 'none' : standard}] `)
      const { value, done } = await answers.next()
      if (done === true) throw usageError('the answers ended early; nothing was written')
      try {
        return await read(value.trim() || standard)
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        stdout.write(`  ${error.message}\n`)
      }
    }
  }
  try {
    stdout.write('Enter takes what stands in brackets; everything can be changed in the file later.\n\n')
    const named = given.hostId !== undefined || given.actors !== undefined
    const logins = named ? undefined : await askForLogins(ask, known, environment, signIns)
    return logins ?? (await choicesOf(ask, given, environment))
  } finally {
    lines.close()
  }
}

/** Whether somebody can sign in as an administrator, and as whom; each login is tried at once. Undefined where nobody can. */
async function askForLogins(
  asked: Ask,
  known: KnownLogins,
  environment: NodeJS.ProcessEnv,
  signIns: SignIns,
): Promise<LoginChoices | undefined> {
  const signedIn = async (choices: LoginChoices): Promise<LoginChoices> => {
    await tryLogins(choices, environment, signIns)
    return choices
  }
  // What was answered so far is not typed in vain where the answers end.
  let soFar: Partial<LoginChoices> = known
  const ask: Ask = async (question) => {
    try {
      return await asked(question)
    } catch (error) {
      const options = asOptions(soFar)
      if (!(error instanceof CommandError) || options === '') throw error
      throw usageError(`${error.message}; to go on from there: portal-conformance init ${options}`)
    }
  }
  const hasLogin = await ask({
    text: 'Can you sign in as an administrator of the host? yes: the run makes all it needs; no: you name it',
    standard: 'no',
    read: oneOf(['yes', 'no']),
  })
  if (hasLogin === 'no') return undefined
  const baseUrl =
    known.baseUrl ??
    (await ask({
      text: 'Base URL of the host, such as https://machine.example.com/portal/sharing/rest',
      standard: '',
      read: (answer) => answeringAddress('the base URL', answer, known),
    }))
  soFar = { ...soFar, baseUrl }
  const host = await ask({
    text: 'Administrator of the host, as USER:VARIABLE (the variable that holds the password)',
    standard: 'admin:HOST_PASSWORD',
    read: (answer) => {
      const login = loginChoice('the login', answer, environment)
      return signedIn({ ...known, baseUrl, host: login, users: 'none' })
    },
  })
  soFar = host
  const guestUrl = await ask({
    text: 'Base URL of a guest portal that you can sign in to as well',
    standard: '',
    read: (answer) =>
      optional(answer) === undefined ? undefined : answeringAddress('the base URL', answer, known),
  })
  const both =
    guestUrl === undefined
      ? host
      : await ask({
          text: 'Administrator of the guest, as USER:VARIABLE',
          standard: 'admin:GUEST_PASSWORD',
          read: (answer) => {
            const guest = { ...loginChoice('the login', answer, environment), baseUrl: guestUrl }
            return signedIn({ ...host, guest })
          },
        })
  soFar = both
  const users = await ask({
    text: 'May a run make users and roles, and remove them: create or none',
    standard: 'create',
    read: oneOf<LoginChoices['users']>(['create', 'none']),
  })
  return { ...both, users }
}

type Ask = <Value>(question: Question<Value>) => Promise<Value>

const text = (answer: string): string => answer
const optional = (answer: string): string | undefined =>
  answer === '' || answer === 'none' ? undefined : answer

function oneOf<Value extends string>(known: readonly Value[]): (answer: string) => Value {
  return (answer) => {
    const found = known.find((each) => each === answer)
    if (found === undefined) throw usageError(`Known are ${known.join(', ')}.`)
    return found
  }
}

async function choicesOf(
  ask: Ask,
  given: Partial<Choices>,
  environment: NodeJS.ProcessEnv,
): Promise<Choices> {
  const askUnless = async <Value>(known: Value | undefined, question: Question<Value>): Promise<Value> =>
    known ?? (await ask(question))
  const baseUrl = await askUnless(given.baseUrl, {
    text: 'Base URL of the deployment, where the paths of the contract begin',
    standard: fromEnvironment('PORTAL_BASE_URL'),
    read: (answer) => addressOf('the base URL', answer),
  })
  const hostId = await askUnless(given.hostId, {
    text: 'Id of the host portal',
    standard: fromEnvironment('HOST_PORTAL_ID'),
    read: text,
  })
  const guestId = await askUnless(given.guestId, {
    text: 'Id of a guest portal that takes part in collaborations',
    standard: '',
    read: optional,
  })
  const known = ['none', ...profiles.map(({ name }) => name)]
  const profile = await askUnless(given.profile, {
    text: `Profile that settles open points: ${known.join(', ')}, or a file`,
    standard: 'none',
    read: text,
  })
  const authentication = await askUnless(given.authentication, {
    text: 'Where a request carries the credential: form, query, header or cookie',
    standard: 'form',
    read: (answer) => places[oneOf(['form', 'query', 'header', 'cookie'])(answer)],
  })
  const version = await askUnless(given.version, {
    text: 'Release of the deployment, such as 11.0',
    standard: '',
    read: optional,
  })
  const edition = await askUnless(given.edition, {
    text: 'Edition: self-hosted or hosted',
    standard: '',
    read: (answer) => (optional(answer) === undefined ? undefined : oneOf(['self-hosted', 'hosted'])(answer)),
  })
  const choices = withoutUndefined({
    baseUrl,
    hostId,
    profile,
    authentication,
    guestId,
    version,
    edition,
    actors: given.actors ?? (await askForActors(ask, environment)),
  })
  const fixtures = given.fixtures ?? (await askForFixtures(ask))
  const all = withoutUndefined({ ...choices, fixtures })
  const effects = await askUnless(given.effects, {
    text: `What a run may do there: all, none, or operations with commas between them${warningFor(fixtures)}`,
    standard: usualEffects(all).join(','),
    read: (answer) => effectChoice(answer === 'all' ? answer : listIn(answer)),
  })
  return { ...all, effects }
}

/** What was listed to be added to can be deleted by the next answer. */
const warningFor = (fixtures: Choices['fixtures']): string =>
  fixtures !== undefined && 'collaborations' in fixtures && fixtures.collaborations.length > 0
    ? ' (delete-collaboration deletes the collaborations that you listed)'
    : ''

const listIn = (answer: string): string[] => (answer === 'none' ? [] : listOf(answer))

async function askForActors(ask: Ask, environment: NodeJS.ProcessEnv): Promise<ActorChoice[]> {
  const names = await ask<ActorName[]>({
    text: `Callers that you can offer, with commas between them, of ${actorNames.join(', ')}`,
    standard: 'hostAdministrator',
    read: (answer) => listIn(answer).map(oneOf(actorNames)),
  })
  const actors: ActorChoice[] = []
  for (const name of names) {
    const credential = await ask({
      text: `${name}: the environment variable with its credential (or file:PATH, command:LINE, login:USER:VARIABLE)`,
      standard: usualVariable(name),
      read: (answer) => credentialPlace(name, answer, environment),
    })
    const username = await ask({ text: `${name}: its user name`, standard: '', read: optional })
    actors.push(withoutUndefined({ name, credential, username }))
  }
  return actors
}

async function askForFixtures(ask: Ask): Promise<Choices['fixtures']> {
  const fixtures = await ask({
    text: 'What the suite may act upon: static (ids that you list), url=URL, module=PATH, command=LINE, or none',
    standard: 'static',
    read: (answer) => fixtureChoice(answer, { collaborations: [], groups: [] }),
  })
  if (fixtures === undefined || !('collaborations' in fixtures)) return fixtures
  const collaborations = await ask({
    text: 'Ids of collaborations of the host that a run may add workspaces to, with commas between them',
    standard: '',
    read: listIn,
  })
  const groups = await ask({
    text: 'Ids of groups of the host that workspaces may be linked to, with commas between them',
    standard: '',
    read: listIn,
  })
  return { collaborations, groups }
}
