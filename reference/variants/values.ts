/** Portals that look closely at values: what is no certificate, no role or no place on the internet is refused. */
import { admitBefore, around, refuseText, refuseWhen } from '../alterations.ts'
import { isX509 } from '../certificate.ts'
import type { Alter, Parts } from '../parts.ts'
import { asPage } from '../rendering.ts'
import { variantsOf } from './variant.ts'

const federation = 'update-federation'

/** Domains that no mail and no service has (RFC 2606, RFC 6761). */
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

function refuseReserved(parts: Parts): void {
  refuseText('bad-email', ['contactEmailAddress'], (address) => reserved.test(address.split('@')[1] ?? ''))(
    parts,
  )
  refuseText(
    'bad-setting',
    ['discoveryServiceUrl', 'metadataServiceUrl'],
    (url) => URL.canParse(url) && reserved.test(new URL(url).hostname),
  )(parts)
}

const blocked = asPage(403, 'Request blocked', { rule: 942100 })

/** Lists that the operations take as JSON, and the credential, which may have any characters by chance. */
const ofThePortal: readonly string[] = ['groups', 'token']

/** A filter before the portal: it knows nothing of the operations, but for the lists that they take as JSON. */
const filter = (blocks: RegExp): Alter =>
  admitBefore(({ form }) =>
    form.pairs.some(([name, value]) => !ofThePortal.includes(name) && blocks.test(value))
      ? blocked
      : undefined,
  )

export const valueVariants = variantsOf({
  'certificates-parsed': {
    sentence: 'A certificate of a federation must be one (X.509).',
    alter: refuseWhen(federation, 'bad-setting', ({ form }) =>
      form.getAll('certificate').some((text) => !isX509(text)),
    ),
  },
  'roles-and-licenses-looked-up': {
    sentence: 'A role and a type of licence must be among those of the organization.',
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
      'Addresses under domains that are reserved for examples are refused; the run is told of another one.',
    alter: refuseReserved,
    configure({ contract }) {
      contract.domain = 'portal.example.edu'
    },
  },
  'addresses-looked-up': {
    sentence:
      'Addresses under domains that are reserved for examples are refused, and the run is told of no other.',
    may: {
      'not-tested': { requirements: ofAddresses, because: /domain|address/i },
      inconclusive: { requirements: ofAddresses, because: /domain|address|setting/i },
    },
    alter: refuseReserved,
  },
  'certificate-between-markers': {
    sentence: 'A certificate is taken between the markers of PEM only, and the run is not told so.',
    may: { 'not-tested': { requirements: ofFederation, because: /certificateMarkers/ } },
    alter: refuseText(
      'bad-value',
      ['certificate'],
      (text) => !text.startsWith('-----BEGIN CERTIFICATE-----'),
    ),
  },
  'groups-with-commas': {
    sentence: 'The ids of groups stand with commas between them, and the run is not told so.',
    may: { 'not-tested': { requirements: ofFederation, because: /groupsNotation/ } },
    alter: refuseText('bad-value', ['groups'], (text) => /[[\]"]/.test(text)),
  },
  'names-unique-in-portal': {
    sentence: 'No two workspaces of the portal may have equal names, also of collaborations that are gone.',
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
    alter: filter(/\d\s*[-+*/]\s*\d+\s*=\s*\d/),
  },
  'filter-blocks-quotes': {
    sentence: 'A filter before the portal blocks values that hold quotes.',
    alter: filter(/['"`]/),
  },
  'filter-blocks-attacks': {
    sentence: 'A filter before the portal blocks values that look like markup, SQL, paths or templates.',
    alter: filter(
      /<|>|''|""|--|\/\*|\.\.[/\\]|^\/(etc|bin|usr)\/|[a-z]:\\|\$\{|\{\{|%00|;\s*drop\b|\bunion\s+select\b/i,
    ),
  },
})
