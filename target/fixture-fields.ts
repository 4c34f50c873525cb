/** Every option and answer of every kind of fixture, as data: it is checked by and documented from it. */
import { actorNames } from './configuration.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from './fixture-kinds.ts'

/** One option that is asked, or one field that is answered. */
export interface Field {
  readonly type: FieldType
  readonly optional?: true
  /** What it means, with its unit. */
  readonly meaning: string
}

export type Fields = Readonly<Record<string, Field>>

export interface KindFields {
  /** What a fixture of that kind is, and what becomes of it. */
  readonly what: string
  readonly options: Fields
  readonly answer: Fields
}

type FieldType = keyof typeof fieldTypes

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const fieldTypes = {
  text: { expected: 'a text that is not empty', holds: isText },
  texts: {
    expected: 'a list of distinct texts that are not empty',
    holds: (value: unknown) =>
      Array.isArray(value) && value.length > 0 && value.every(isText) && new Set(value).size === value.length,
  },
  flag: { expected: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
  milliseconds: {
    expected: 'a number of milliseconds, 0 or more',
    holds: (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  },
  count: {
    expected: 'a whole number, 1 or more',
    holds: (value: unknown) => Number.isInteger(value) && (value as number) >= 1,
  },
  actor: {
    expected: 'the name of an actor of the configuration',
    holds: (value: unknown) => actorNames.some((name) => name === value),
  },
  next: {
    expected: 'participant or workspace',
    holds: (value: unknown) => value === 'participant' || value === 'workspace',
  },
} as const

const collaborationId: Field = { type: 'text', meaning: 'the collaboration' }
const within: Field = { type: 'text', optional: true, meaning: 'the collaboration to use; absent: any' }
const workspaceId: Field = { type: 'text', meaning: 'the workspace' }

export const fixtureFields = {
  collaboration: {
    what: 'hosted by the host portal, the guest takes part; disposable: it is added to and deleted',
    options: {
      with: {
        type: 'next',
        optional: true,
        meaning: 'what will be asked for in it next; need not be looked at where things are made on demand',
      },
    },
    answer: { collaborationId },
  },
  workspace: {
    what: 'of a collaboration that the guest takes part in, another one at each call; it is synced, several times',
    options: {
      collaborationId: within,
      minimumSyncMs: {
        type: 'milliseconds',
        optional: true,
        meaning: 'what each of its syncs should take at least, in milliseconds; absent: any time will do',
      },
    },
    answer: {
      collaborationId,
      workspaceId,
      minimumSyncMs: {
        type: 'milliseconds',
        meaning: 'what each of its syncs takes at least, in milliseconds; 0: not known',
      },
      maximumSyncMs: {
        type: 'milliseconds',
        optional: true,
        meaning: 'what each of its syncs takes at most, in milliseconds; absent: not known',
      },
    },
  },
  scheduledSync: {
    what: 'a workspace whose scheduled sync is running now, another one at each call; it is synced meanwhile',
    options: {
      remainingMs: { type: 'milliseconds', meaning: 'how long the sync should still run, in milliseconds' },
    },
    answer: {
      collaborationId,
      workspaceId,
      remainingMs: {
        type: 'milliseconds',
        meaning: 'how long the sync still runs, in milliseconds from the answer on',
      },
    },
  },
  participant: {
    what: 'a guest that takes part in a collaboration; its contact person is changed',
    options: { collaborationId: within },
    answer: {
      collaborationId,
      participantPortalId: { type: 'text', meaning: 'the portal ID of the guest, as paths name it' },
    },
  },
  group: {
    what: 'of the host portal; workspaces are linked with it, and members may be added to it by a federation',
    options: {},
    answer: {
      groupId: { type: 'text', meaning: 'the group' },
      reusable: {
        type: 'flag',
        optional: true,
        meaning: 'whether it takes more than one workspace; absent: it does',
      },
    },
  },
  items: {
    what: 'of one owner; disposable: they are given to other users',
    options: {
      owner: { type: 'actor', meaning: 'whose items, by the name of the actor in the configuration' },
      count: { type: 'count', meaning: 'how many, 1 to 160' },
    },
    answer: {
      owner: { type: 'text', meaning: 'user name of the owner' },
      itemIds: { type: 'texts', meaning: 'as many items as were asked for' },
    },
  },
  eligibleUser: {
    what: 'may receive items, and receives some; another user at each call where there are several',
    options: {},
    answer: { username: { type: 'text', meaning: 'user name' } },
  },
  ineligibleUser: {
    what: 'lacks the privileges to receive items',
    options: {},
    answer: { username: { type: 'text', meaning: 'user name' } },
  },
  taskRun: {
    what: 'a run of a scheduled task; disposable: its status is set, once',
    options: {},
    answer: {
      userName: { type: 'text', meaning: 'the user whom the task belongs to' },
      taskId: { type: 'text', meaning: 'the task' },
      runId: { type: 'text', meaning: 'the run' },
    },
  },
  federation: {
    what: 'of the organization of the host portal; its configuration is changed and not put back',
    options: {},
    answer: { federationId: { type: 'text', meaning: 'the federation' } },
  },
} as const satisfies {
  [Kind in FixtureKind]: KindFields & {
    options: Readonly<Record<keyof FixtureOptions[Kind], Field>>
    answer: Readonly<Record<keyof FixtureAnswers[Kind], Field>>
  }
}

/** What is wrong with the value, in a few words that say what was expected; undefined where nothing is. */
export function wrongField(fields: Fields, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a JSON object expected'
  for (const [name, { type, optional }] of Object.entries(fields)) {
    const { expected, holds } = fieldTypes[type]
    const given = Object.hasOwn(value, name)
    if (!given && !optional) return `${name} is missing: ${expected} expected`
    if (given && !holds((value as Record<string, unknown>)[name])) return `${name}: ${expected} expected`
  }
  return undefined
}
