/** Valid requests that must be accepted (§4), and what their answers must hold: a row for each rule. */
import fc from 'fast-check'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { inDomain, ordinaryContacts, varyingContacts } from '../../runner/cases/realistic.ts'
import {
  delicateTexts,
  joinedTexts,
  printableText,
  scalarTexts,
  textOfLength,
} from '../../runner/cases/text.ts'
import { markLength } from '../../runner/cases/unique-name.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { inTurn } from '../../runner/effort.ts'
import { usualCertificates } from '../../specs/certificates.ts'
import { type Acceptance, acceptances, packed } from './acceptance.ts'
import { observeCertificates, observeWorkspaceTexts } from './open-texts.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const inBothTexts = (text: string): RequestFields => ({
  collaborationWorkspaceName: text,
  collaborationWorkspaceDescription: text,
})

/** §4.1 and §2 */
const workspaces: readonly Acceptance[] = [
  {
    id: 'add-workspace/creates',
    must: ['accept', 'keep'],
    quick: () => [
      {
        collaborationWorkspaceName: "The city's roads",
        collaborationWorkspaceDescription: "What the city's teams share",
      },
    ],
    // Sometimes the description equals the name.
    alter: (request, number, { given }) => {
      const named = given.named(request)
      const { collaborationWorkspaceName } = named
      return number % 8 === 1
        ? { ...named, collaborationWorkspaceDescription: collaborationWorkspaceName }
        : named
    },
    further: (context) => context.openPoints.aside(() => observeWorkspaceTexts(context)),
  },
  ...([['add-workspace/workspace-fields'], ['add-workspace/config-fields']] as const).map(
    ([id]): Acceptance => ({
      id,
      must: ['keep'],
      requests: { text: 'adversarial' },
      examples: () => scalarTexts.map(inBothTexts),
      quick: () => [
        ...scalarTexts.slice(0, 1).map(inBothTexts),
        { collaborationWorkspaceDescription: undefined },
      ],
      further: async (context, judge) => {
        const request = await context.given.request('add-workspace')
        const { send } = context.target('add-workspace')
        await context.callers.onOneConnection(async (on) => {
          const how: How = { on }
          for (let turn = 0; turn < 3; turn += 1) judge(await send(request, how), request)
        })
      },
    }),
  ),
  {
    id: 'add-workspace/last-sync-milliseconds',
    must: ['keep'],
    cases: 'few',
  },
  ...(
    [
      ['add-workspace/name-kept', 'name', 'collaborationWorkspaceName', 100],
      ['add-workspace/description-kept', 'description', 'collaborationWorkspaceDescription', 250],
    ] as const
  ).map(
    ([id, part, about, most]): Acceptance => ({
      id,
      must: ['keep'],
      about,
      values: () =>
        fc
          .oneof({ arbitrary: printableText(most), weight: 4 }, { arbitrary: textOfLength(most), weight: 1 })
          .map((text) => ({ [about]: text })),
      // A name holds a unique mark, so it is neither a number nor a date.
      examples: () =>
        [...delicateTexts, ...(part === 'name' ? [] : scalarsAndLinks)].map((text) => ({ [about]: text })),
      quick: () =>
        joinedTexts(delicateTexts, part === 'name' ? most - markLength - 1 : most).map((text) => ({
          [about]: text,
        })),
      alter: (request, number, context) =>
        context.given.named({ ...request, ...besides(part, number, context) }),
      cases: 'many',
    }),
  ),
]

/** Texts that some deployments turn into numbers, dates, links or signs. */
const scalarsAndLinks = [
  ...scalarTexts,
  '12.50',
  '2024-03-05',
  'Copied: see https://example.org/roads/7?c=d, (c) or write to team@example.org',
]

/** In every second request, and in further situations, which have few cases, the other text is a delicate one as well. */
const besides = (
  judged: 'name' | 'description',
  number: number,
  { situation }: CheckContext,
): RequestFields => {
  if (situation() === 'plain' && number % 2 === 0) return {}
  return judged === 'name'
    ? { collaborationWorkspaceDescription: inTurn(delicateTexts, number + 8, 1)[0] }
    : { collaborationWorkspaceName: inTurn(delicateTexts, number + 16, 1)[0] }
}

/** §4.2 to §4.5 */
const runsItemsSyncsParticipants: readonly Acceptance[] = [
  {
    id: 'update-task-run/updates',
    must: ['accept', 'keep'],
    requests: { fixed: { status: 'executing' } },
    examples: () => [{ result: undefined }],
    cases: 'few',
  },
  {
    id: 'reassign-items/folder-optional',
    must: ['accept'],
    about: 'targetFoldername',
    values: () => fc.constant({ targetFoldername: undefined }),
  },
  {
    id: 'sync-workspace/starts',
    must: ['accept', 'keep'],
    cases: 'few',
    width: 1,
  },
  {
    id: 'update-participant/updates',
    must: ['accept', 'keep'],
    values: ({ configuration }) =>
      fc.constant({
        contactLastname: 'Berg',
        contactEmailAddress: inDomain('anna@example.com', configuration.contract.domain),
      }),
    // The contract leaves open whether an update must change something.
    alter: (request, number) => ({ ...request, contactFirstname: number % 2 === 0 ? 'Anna' : 'Eva' }),
    cases: 'few',
  },
  {
    id: 'update-participant/contact-text',
    must: ['accept'],
    requests: { text: 'adversarial' },
    examples: ({ configuration }) => ordinaryContacts(configuration.contract.domain),
    quick: ({ configuration }) => varyingContacts(configuration.contract.domain),
    cases: 'many',
  },
]

/** §4.7 */
const federations: readonly Acceptance[] = [
  {
    id: 'update-federation/updates',
    must: ['accept', 'keep'],
    values: ({ configuration }) => fc.constantFrom<RequestFields>({}, ...usualSettings(configuration)),
    examples: ({ configuration }) => usualSettings(configuration),
    quick: ({ configuration }) => packed(usualSettings(configuration)),
    cases: 'many',
  },
  {
    id: 'update-federation/groups-array',
    must: ['accept'],
    about: 'groups',
    values: async ({ given }) => fc.constant({ groups: [(await given.group()).groupId] }),
  },
  {
    id: 'update-federation/groups-array:several',
    must: ['accept'],
    about: 'groups',
    title: 'groups with several ids is accepted.',
    traits: ['cheap'],
    values: async (context) =>
      fc.shuffledSubarray(await sixGroups(context), { minLength: 2 }).map((groups) => ({ groups })),
    examples: async (context) => [{ groups: await sixGroups(context) }],
    cases: 'many',
  },
  ...(
    [
      ['update-federation/sign-up-mode', 'signUpMode', 'signUpModes', 'Automatic'],
      ['update-federation/user-type', 'userType', 'userTypes', 'platformonly'],
    ] as const
  ).map(
    ([id, about, list, usual]): Acceptance => ({
      id,
      must: ['accept'],
      about,
      ...listed(about, ({ contract }) => contract.federation?.[list] ?? [usual]),
    }),
  ),
  {
    id: 'update-federation/certificate',
    must: ['accept'],
    about: 'certificate',
    ...listed('certificate', () => usualCertificates),
    // The longest one has padding.
    quick: () => usualCertificates.slice(-1).map((certificate) => ({ certificate })),
    further: (context) => context.openPoints.aside(() => observeCertificates(context)),
  },
]

/** Each listed value once, then drawn ones. */
function listed(
  name: string,
  valuesOf: (configuration: Configuration) => readonly string[],
): Pick<Acceptance, 'values' | 'examples'> {
  return {
    values: ({ configuration }) =>
      fc.constantFrom(...valuesOf(configuration)).map((value) => ({ [name]: value })),
    examples: ({ configuration }) => valuesOf(configuration).map((value) => ({ [name]: value })),
  }
}

/** Up to six groups, always the same ones. */
const sixGroups = ({ given }: CheckContext): Promise<string[]> =>
  given.once('six groups', async () =>
    (await given.different('group', 6, { least: 2 })).map(({ groupId }) => groupId),
  )

/** Typical settings of federations, except those that this deployment settles otherwise. */
function usualSettings({ contract: { domain, federation = {} } }: Configuration): RequestFields[] {
  return usual.flatMap(([name, value]) =>
    Object.hasOwn(federation, name)
      ? []
      : [{ [name]: typeof value === 'string' ? inDomain(value, domain) : value }],
  )
}

const usual: readonly (readonly [string, string | number])[] = [
  ['name', "Föderation der Hochschulen & Musées d'État"],
  ['discoveryServiceUrl', 'https://example.org:8443/ds?entityID=https%3A%2F%2Fsp.example.org&lang=de'],
  ['metadataServiceUrl', 'https://example.org/aggregate.xml?category=all&signed=1'],
  ['entityId', 'urn:mace:example.org:portal'],
  ['name', 'Федерация 大学'],
  ['userCreditAssignment', 0],
  ['userCreditAssignment', 5000],
  ['name', 'Identity federation of the universities and research institutes of the northern regions'],
  [
    'metadataServiceUrl',
    'https://example.org/federations/northern-regions/universities-and-research-institutes/aggregates/all-providers.xml',
  ],
]

acceptances(checks, [...workspaces, ...runsItemsSyncsParticipants, ...federations])
