/** The settings of a target: each is an option of `init`, and a question on a terminal. */
import { Option } from 'commander'
import type { Edition } from '../../specs/operation.ts'
import { profiles } from '../../specs/profile.ts'
import { addressOf, type Choices, places } from './choices.ts'
import { fromEnvironment } from './configuration-text.ts'
import type { Question } from './dialogue.ts'

export type Target = Omit<Choices, 'actors' | 'fixtures' | 'effects'>

interface Setting<Value> extends Pick<Question<Value>, 'text' | 'about' | 'standard' | 'choices'> {
  readonly option: Option
  /** `where`: the option, at the beginning of an error about its value. */
  readonly read: (text: string, where?: string) => Value
}

/** The answer, if it is not the word none. */
export const optional = (answer: string): string | undefined =>
  answer === '' || answer === 'none' ? undefined : answer

const given = (text: string): string => text

/** In the order of the questions. */
export const targetSettings: { readonly [Key in keyof Target]-?: Setting<Target[Key] | undefined> } = {
  baseUrl: {
    option: new Option('--base-url <URL>', 'base URL of the deployment'),
    text: 'Base URL of the deployment (the paths of the contract are relative to it)',
    standard: fromEnvironment('PORTAL_BASE_URL'),
    read: (text, where = 'the base URL') => addressOf(where, text),
  },
  hostId: {
    option: new Option('--host-id <ID>', 'id of the host portal'),
    text: 'Id of the host portal',
    standard: fromEnvironment('HOST_PORTAL_ID'),
    read: given,
  },
  guestId: {
    option: new Option('--guest-id <ID>', 'id of a guest portal that takes part in the collaborations'),
    text: 'Id of a guest portal that takes part in collaborations',
    standard: '',
    read: optional,
  },
  profile: {
    option: new Option('--profile <NAME>', 'what settles open points: none, arcgis, or a file'),
    about: 'A profile settles points that the contract leaves open, for one kind of deployment.',
    text: `Profile: ${['none', ...profiles.map(({ name }) => name)].join(', ')}, or a file`,
    standard: 'none',
    read: given,
  },
  auth: {
    option: new Option('--auth <PLACE>', 'where a request carries the credential').choices(
      Object.keys(places),
    ),
    text: 'Where a request carries the credential',
    choices: Object.keys(places),
    standard: 'form',
    read: (text) => places[text as keyof typeof places],
  },
  release: {
    // Not `version`: the program has an option `--version`.
    option: new Option('--release <RELEASE>', 'release of the deployment, such as 11.0'),
    text: 'Release of the deployment, such as 11.0',
    standard: '',
    read: optional,
  },
  edition: {
    option: new Option('--edition <EDITION>', 'edition of the deployment').choices(['self-hosted', 'hosted']),
    text: 'Edition of the deployment',
    choices: ['self-hosted', 'hosted', 'none'],
    standard: 'none',
    read: (text) => optional(text) as Edition | undefined,
  },
}

export const targetKeys = Object.keys(targetSettings) as readonly (keyof Target)[]
