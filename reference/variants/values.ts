/** Other ids, times, texts and fields in answers, and stricter checks of parameters. */
import { randomInt, randomUUID } from 'node:crypto'
import { operationOf } from '../../specs/operations.ts'
import { isUrl } from '../../specs/paths.ts'
import {
  admitBefore,
  afterAccepted,
  all,
  around,
  counter,
  everywhere,
  refuseText,
  refuseWhen,
  remembering,
  replacing,
  wrapping,
} from '../alterations.ts'
import { isX509 } from '../certificate.ts'
import { collaborationIn, participantIn, runIn } from '../handlers.ts'
import type { Alter, Answer } from '../parts.ts'
import { asPage } from '../rendering.ts'
import { leaving, type Opening, variantsOf } from './variant.ts'

/** Adds unspecified fields to every object and reverses the order of its fields. */
function embellish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(embellish)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, each]) => [name, embellish(each)])
  return Object.fromEntries([['_links', { self: null }], ...fields.reverse(), ['revision', 7]])
}

/** If ids are counts, several tasks may have a run with the same id. */
const countedRuns: Opening = {
  requirements: ['update-task-run/run-of-task'],
  because: /^the ids of (?:runs|tasks) seem to be counts/,
}

/** Other ids, times, texts and fields in answers. */
export const recordVariants = variantsOf({
  'numeric-ids': {
    sentence: 'Ids are numbers, written as strings.',
    settles: ['form of ids'],
    because: '§2: ids are strings of no shown form',
    alter(parts) {
      let last = randomInt(1_000_000, 9_000_000)
      parts.newId = () => String(++last)
    },
  },
  'uuid-ids': {
    sentence: 'Ids are UUIDs.',
    settles: ['form of ids'],
    because: '§2: ids are strings of no shown form; self-hosted portals have dashed GUIDs (public samples)',
    alter: replacing({ newId: () => randomUUID() }),
  },
  'odd-ids': {
    sentence: 'Ids hold spaces, letters beyond ASCII, and characters that addresses reserve.',
    settles: ['form of ids', 'characters in lists of items'],
    because: '§2: ids are strings of no shown form',
    alter: replacing({ newId: () => `wks:é+1 ~@%41;${randomUUID().slice(0, 13)}` }),
  },
  'short-ids': {
    sentence: 'Ids count from 1, for each kind of thing.',
    settles: ['form of ids'],
    because: '§2: ids are strings of no shown form',
    may: { 'not-applicable': countedRuns },
    alter: remembering(counter<string>, (count) => replacing({ newId: (kind) => String(count(kind)) })),
  },
  'extra-fields': {
    sentence: 'Answers hold further fields, and their fields come in another order.',
    because: '§2: further fields are not excluded; public samples of config hold copyByRefIfCopyFail',
    alter: wrapping(
      'render',
      (honest) => (answer, arrival) =>
        honest({ ...answer, body: embellish(answer.body) as Answer['body'] }, arrival),
    ),
  },
  'clock-behind': {
    sentence: 'The clock of the portal is a minute behind.',
    settles: ['clock'],
    because: 'clocks of machines differ; the contract promises no synchronized clocks',
    alter: replacing({ now: () => Date.now() - 60_000 }),
  },
  'clock-ahead': {
    sentence: 'The clock of the portal is a minute ahead.',
    settles: ['clock'],
    because: 'clocks of machines differ; the contract promises no synchronized clocks',
    alter: replacing({ now: () => Date.now() + 60_000 }),
  },
  'texts-trimmed-and-normalised': {
    sentence: 'Texts are trimmed and brought into normalisation form NFC.',
    settles: ['texts kept'],
    because: '§2: how texts are stored is not shown; forms trim, and databases normalise (Unicode UAX 15)',
    alter: replacing({ keep: (text) => text.trim().normalize('NFC') }),
  },
  'texts-decomposed': {
    sentence: 'Texts are brought into normalisation form NFD.',
    settles: ['texts kept'],
    because: '§2: how texts are stored is not shown; HFS+ and others store NFD (Unicode UAX 15)',
    alter: replacing({ keep: (text) => text.normalize('NFD') }),
  },
  'markup-removed': {
    sentence: 'Markup is removed from texts.',
    settles: ['texts kept'],
    because:
      '§2: how texts are stored is not shown; public pages list the HTML that portals keep in texts, and drop the rest',
    alter: replacing({ keep: (text) => text.replace(/<[^>]*>?/g, '') }),
  },
  'utf-16-limits': {
    sentence: 'Limits count UTF-16 units, so that an astral character counts twice.',
    because: '§8: what a character is is not shown; JavaScript, Java and .NET count UTF-16 units',
    alter: replacing({ measure: (text) => text.length }),
  },
  'equal-names-refused': {
    sentence: 'Two workspaces of a collaboration may not have equal names.',
    because: '§4.1: whether names must differ is not shown',
    alter: refuseWhen('add-workspace', 'bad-value', (call) => {
      const workspaces = collaborationIn(call)?.workspaces.values() ?? []
      const name = call.form.get('collaborationWorkspaceName')
      return [...workspaces].some((workspace) => workspace.name === name)
    }),
  },
  'single-use-groups': {
    sentence: 'A group is linked with one workspace only.',
    because: '§4.1: whether a group may be linked twice is not shown',
    may: leaving(
      'not-applicable',
      ['delete-collaboration/others-unaffected'],
      /a group takes one workspace here/,
    ),
    alter: replacing({ groupsReusable: false }),
  },
  'runs-of-one-task': {
    sentence: 'All runs that are handed out are of one task.',
    because: '§2: a run belongs to a task; how many tasks a user has is not shown',
    may: leaving('not-applicable', ['update-task-run/run-of-task'], /runs of one task only/),
    alter: replacing({ runsOfTask: Number.POSITIVE_INFINITY }),
  },
  'open-parameters-required': {
    sentence: 'Every parameter that is not marked optional is required.',
    because: '§4: where a parameter is not marked as required, whether it is is not shown',
    alter: everywhere((operation) => {
      const required = operationOf(operation)
        .parameters.filter(({ name, presence }) => presence !== 'optional' && name !== 'f')
        .map(({ name }) => name)
      return refuseWhen(operation, 'missing-parameter', ({ form }) =>
        required.some((name) => form.get(name) === undefined),
      )
    }),
  },
  'created-201': {
    sentence: 'A new workspace is answered with HTTP status 201.',
    because: '§4: the status of success is not shown; RFC 9110, 15.3.2',
    alter: around('add-workspace', async (_call, honest) => {
      const answer = await honest()
      return answer.refused === undefined ? { ...answer, status: 201 } : answer
    }),
  },
  'any-federation-values': {
    sentence: 'Any sign-up mode and any user type is accepted.',
    because: '§4.7: allowed values are not shown',
    alter: replacing({ signUpModes: 'any', userTypes: 'any' }),
  },
})

const federation = 'update-federation'

/** Domains without mail or services (RFC 2606, RFC 6761). */
const reserved = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)$/i

const knownRoles = ['org_viewer', 'org_user', 'org_publisher']
const knownLicenses = ['viewerUT', 'editorUT', 'creatorUT']

const ofAddresses = [
  'update-federation/*',
  'update-participant/*',
  'protocol/*',
  'delete-collaboration/*',
  'lifecycle/*',
]

const ofFederation = ['update-federation/*', 'protocol/*', 'lifecycle/*']

const refuseReserved = all(
  refuseText(['contactEmailAddress'], (address) => reserved.test(address.split('@')[1] ?? '')),
  refuseText(
    ['discoveryServiceUrl', 'metadataServiceUrl'],
    (url) => isUrl(url) && reserved.test(new URL(url).hostname),
  ),
)

const blocked = asPage(403, 'Request blocked', { rule: 942100 })

/** Exempt from filters: groups are sent as JSON, and a credential may contain any characters. */
const ofThePortal: readonly string[] = ['groups', 'token']

/** A filter in front of the portal. It knows nothing of the operations except the exempt parameters. */
const filter = (blocks: RegExp, exempt: readonly string[] = []): Alter =>
  admitBefore(({ form }) =>
    form.pairs.some(([name, value]) => ![...ofThePortal, ...exempt].includes(name) && blocks.test(value))
      ? blocked
      : undefined,
  )

/** Portals that refuse invalid certificates, unknown roles, reserved domains, equal names or suspicious values. */
export const valueVariants = variantsOf({
  'runs-go-on': {
    sentence: 'A run that is set to executing has succeeded when it is read.',
    because: '§3: transitions of a run are not shown; the executing server sets the status as well',
    alter: afterAccepted('update-task-run', (call) => {
      const run = runIn(call)
      if (run?.status === 'executing') run.status = 'succeeded'
    }),
  },
  'contact-of-a-portal': {
    sentence: 'A portal has one contact in all of its collaborations.',
    because: '§4.5: the contact is the contact person of the participant portal',
    alter: afterAccepted('update-participant', (call) => {
      const { firstname, lastname, email } = participantIn(call) ?? {}
      for (const { participants } of call.store.collaborations.values())
        for (const [id, other] of participants)
          if (id === call.params.participantPortalID) Object.assign(other, { firstname, lastname, email })
    }),
  },
  'certificates-parsed': {
    sentence: 'A certificate of a federation must be one (X.509).',
    because: '§4.7: a Base64-encoded certificate, so it may be parsed',
    alter: refuseWhen(federation, 'bad-setting', ({ form }) =>
      form.getAll('certificate').some((text) => !isX509(text)),
    ),
  },
  'roles-and-licenses-looked-up': {
    sentence: 'A role and a type of licence must be among those of the organization.',
    because:
      '§4.7: allowed values of roleId and userLicenseType are not shown; public pages name those of an organization',
    alter: refuseWhen(
      federation,
      'bad-setting',
      ({ form }) =>
        !form.getAll('roleId').every((role) => knownRoles.includes(role)) ||
        !form.getAll('userLicenseType').every((type) => knownLicenses.includes(type)),
    ),
  },
  'reserved-domains-refused': {
    sentence:
      'Addresses under domains that are reserved for examples are refused; the run names another one.',
    because: 'RFC 2606: domains for examples are not registered, so a deployment may refuse them',
    alter: refuseReserved,
    configure({ contract }) {
      contract.domain = 'portal.example.edu'
    },
  },
  'addresses-looked-up': {
    sentence:
      'Addresses under domains that are reserved for examples are refused, and the run names no other.',
    because: 'RFC 2606: domains for examples are not registered, so a deployment may refuse them',
    may: {
      'not-tested': { requirements: ofAddresses, because: /domain|address/i },
      inconclusive: { requirements: ofAddresses, because: /domain|address|setting/i },
    },
    alter: refuseReserved,
  },
  'certificate-between-markers': {
    sentence: 'A certificate is taken between the markers of PEM only, and the run does not know.',
    because: '§4.7: the markers are not shown; public page update-federation shows those of PEM',
    may: leaving('not-tested', ofFederation, /certificateMarkers/),
    alter: refuseText(['certificate'], (text) => !text.startsWith('-----BEGIN CERTIFICATE-----')),
  },
  'groups-with-commas': {
    sentence: 'The ids of groups stand with commas between them, as clients in use join arrays.',
    because: '§4.7: an array of ids in a form-encoded field; the JavaScript client joins arrays with commas',
    alter: refuseText(['groups'], (text) => /[[\]"]/.test(text)),
  },
  'groups-as-json': {
    sentence: 'The ids of groups are taken as a JSON array only, and the run does not know.',
    because: '§4.7: an array of ids in a form-encoded field; public samples show a JSON array',
    may: leaving('not-tested', ofFederation, /groupsNotation/),
    alter: refuseText(['groups'], (text) => !text.startsWith('[')),
  },
  'names-unique-in-portal': {
    sentence: 'No two workspaces of the portal may have equal names, also of collaborations that are gone.',
    because: '§4.1: whether names must differ is not shown',
    alter(parts) {
      const taken = new Set<string>()
      around('add-workspace', async ({ form }, honest) => {
        const name = form.get('collaborationWorkspaceName')
        if (name === undefined) return honest()
        if (taken.has(name)) return parts.refuse('bad-value')
        taken.add(name)
        const answer = await honest()
        if (answer.refused !== undefined) taken.delete(name)
        return answer
      })(parts)
    },
  },
  'federations-not-alike': {
    sentence: 'No two federations may have one name, or one entity ID.',
    because: '§4.7: whether two federations may be alike is not shown',
    alter: refuseWhen('update-federation', 'bad-setting', ({ store, form, params }) =>
      [...store.federations.values()].some(
        ({ id, settings }) =>
          id !== params.federationID &&
          ['name', 'entityId'].some(
            (field) => (form.get(field) ?? '') !== '' && settings[field] === form.get(field),
          ),
      ),
    ),
  },
  'filter-blocks-equations': {
    sentence: 'A filter before the portal blocks values that hold an equation such as 1+1=2.',
    because: 'firewalls such as ModSecurity with the OWASP core rules block such values',
    alter: filter(/\d\s*[-+*/]\s*\d+\s*=\s*\d/),
  },
  'filter-blocks-quotes': {
    sentence:
      'A filter before the portal blocks values that hold quotes, but for apostrophes between letters and results of runs.',
    because: 'firewalls such as ModSecurity with the OWASP core rules block such values',
    alter: filter(/["`]|(?<!\p{L})'|'(?!\p{L})/u, ['result']),
  },
  'filter-blocks-attacks': {
    sentence: 'A filter before the portal blocks values that look like markup, SQL, paths or templates.',
    because: 'firewalls such as ModSecurity with the OWASP core rules block such values',
    alter: filter(
      /<|>|''|""|--|\/\*|\.\.[/\\]|^\/(etc|bin|usr)\/|[a-z]:\\|\$\{|\{\{|%00|;\s*drop\b|\bunion\s+select\b/i,
    ),
  },
})
