/** Asks users who cannot sign in as an administrator for callers and fixtures. Enter answers every question. */
import { type ActorName, actorNames } from '../../deployment/configuration/actors.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import type { OperationId } from '../../specs/operations.ts'
import { listOf } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'
import {
  type ActorChoice,
  type Choices,
  credentialPlace,
  effectChoice,
  fixtureChoice,
  usualEffects,
  usualVariable,
} from './choices.ts'
import { configurationText, refuseWrong } from './configuration-text.ts'
import type { Dialogue, Question } from './dialogue.ts'
import { optional, type Target, targetKeys, targetSettings } from './settings.ts'

type Ask = Dialogue['ask']

/** Asks for what the command line does not say. Rejects with a CommandError if the answers end early. */
export async function askForChoices(
  dialogue: Dialogue,
  given: Partial<Choices>,
  environment: NodeJS.ProcessEnv,
): Promise<Choices> {
  const target = await askForTarget(dialogue, given, environment)
  const actors = given.actors ?? (await askForActors(dialogue, target, environment))
  const fixtures = given.fixtures ?? (await askForFixtures(dialogue.ask))
  const all = withoutUndefined({ ...target, actors, fixtures })
  return { ...all, effects: given.effects ?? (await askForEffects(dialogue.ask, all)) }
}

async function askForTarget(
  { ask }: Dialogue,
  given: Partial<Choices>,
  environment: NodeJS.ProcessEnv,
): Promise<Target> {
  let target: Partial<Target> = {}
  for (const key of targetKeys) {
    const { option, ...setting } = targetSettings[key]
    const question: Question<Target[keyof Target] | undefined> = {
      ...setting,
      // Asks again if the configuration would be refused because of the answer.
      read: (answer) => {
        const value = setting.read(answer)
        refuseMisfit({ ...target, [key]: value }, environment)
        return value
      },
      options: (answer) => [String(option.long), answer],
    }
    target = withoutUndefined({ ...target, [key]: given[key] ?? (await ask(question)) })
  }
  return target as Target
}

/** Throws a ConfigurationError if a configuration with these choices would be refused. */
function refuseMisfit(choices: Partial<Choices>, environment: NodeJS.ProcessEnv): void {
  const standIns = { baseUrl: 'https://portal.example.com/rest', hostId: 'stand-in', actors: [] }
  refuseWrong(configurationText({ ...standIns, ...withoutUndefined(choices) }), 'this answer', environment)
}

function askForEffects(ask: Ask, choices: Choices): Promise<'all' | readonly OperationId[]> {
  return ask({
    text: `What a run may do there: all, none, or operations, comma-separated${warningFor(choices)}`,
    standard: usualEffects(choices).join(',') || 'none',
    read: (answer) => effectChoice(answer === 'all' ? answer : listIn(answer)),
    options: (answer) => ['--effects', answer === 'all' ? answer : listIn(answer).join(',')],
  })
}

/** The answer may allow to delete the collaborations that the user listed before. */
const warningFor = ({ fixtures }: Choices): string =>
  fixtures !== undefined && 'collaborations' in fixtures && fixtures.collaborations.length > 0
    ? ' (delete-collaboration deletes the collaborations that you listed)'
    : ''

const listIn = (answer: string): string[] => (answer === 'none' ? [] : listOf(answer))

const aboutCredentials =
  'Name the environment variable of each credential; init does not ask for the credential itself. Other sources are file:PATH, command:LINE and login:USER:VARIABLE.'

async function askForActors(
  { ask, say }: Dialogue,
  target: Target,
  environment: NodeJS.ProcessEnv,
): Promise<ActorChoice[]> {
  const names = await ask<ActorName[]>({
    about: `A caller is a user whose credential you have. Callers are ${actorNames.join(', ')}.`,
    text: 'Callers that you have, comma-separated',
    standard: 'hostAdministrator',
    read: (answer) => {
      const unknown = listIn(answer).find((name) => !actorNames.some((known) => known === name))
      if (unknown !== undefined) throw usageError(`Known callers are ${actorNames.join(', ')}.`)
      const names = listIn(answer) as ActorName[]
      const actors = names.map((name) => ({ name, credential: { variable: usualVariable(name) } }))
      refuseMisfit({ ...target, actors }, environment)
      return names
    },
  })
  if (names.length > 0) say(`\n${aboutCredentials}`)
  const actors: ActorChoice[] = []
  for (const name of names) {
    const credential = await ask({
      text: `${name}: the variable of the credential`,
      standard: usualVariable(name),
      read: (answer) => credentialPlace(name, answer, environment),
      options: (answer) => ['--actor', `${name}=${answer}`],
    })
    const username = await ask({
      text: `${name}: the user name`,
      standard: '',
      read: optional,
      options: (answer) => ['--username', `${name}=${answer}`],
    })
    actors.push(withoutUndefined({ name, credential, username }))
  }
  return actors
}

async function askForFixtures(ask: Ask): Promise<Choices['fixtures']> {
  const fixtures = await ask({
    about: 'Fixtures are the collaborations, groups and items that a run may change.',
    text: 'Fixtures: static (ids that you list), url=URL, module=PATH, command=LINE, or none',
    standard: 'static',
    read: (answer) => fixtureChoice(answer, { collaborations: [], groups: [] }),
    options: (answer) => ['--fixtures', answer],
  })
  if (fixtures === undefined || !('collaborations' in fixtures)) return fixtures
  const askForIds = (text: string, option: string) =>
    ask({
      text,
      standard: '',
      read: listIn,
      options: (answer) => listIn(answer).flatMap((id) => [option, id]),
    })
  return {
    collaborations: await askForIds(
      'Ids of collaborations of the host that a run may add workspaces to, comma-separated',
      '--collaboration',
    ),
    groups: await askForIds(
      'Ids of groups of the host that a run may link to workspaces, comma-separated',
      '--group',
    ),
  }
}
