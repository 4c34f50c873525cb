/** Ordinary texts that a careless rule refuses, and texts that come back changed: each rule and each text parameter. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { refuseText, replacing } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import type { Field } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import { type Applied, type Chapter, inWords, product, requirementsOf, textsKept } from './fault.ts'

interface TextPlace {
  readonly what: string
  readonly operation: OperationId
  readonly parameters: readonly string[]
  readonly reason: Reason
  readonly requirement: RequirementId
}

const contact = (what: string, ...parameters: string[]): TextPlace => ({
  ...{ what, parameters, operation: 'update-participant', reason: 'bad-value' },
  requirement: 'update-participant/contact-text',
})

const setting = (what: string, ...parameters: string[]): TextPlace => ({
  ...{ what, parameters, operation: 'update-federation', reason: 'bad-setting' },
  requirement: 'update-federation/updates',
})

/** Parameters in which people write what they like, by parts of ids. */
const textPlaces = {
  results: {
    ...{ what: 'A result', operation: 'update-task-run', parameters: ['result'], reason: 'bad-value' },
    requirement: 'update-task-run/result-text',
  },
  'empty-results': {
    ...{ what: 'A result', operation: 'update-task-run', parameters: ['result'], reason: 'bad-value' },
    requirement: 'update-task-run/result-empty',
  },
  folders: {
    ...{ what: 'A folder', operation: 'reassign-items', parameters: ['targetFoldername'] },
    ...{ reason: 'bad-value', requirement: 'reassign-items/folder-created' },
  },
  'workspace-names': {
    ...{ what: 'A name of a workspace', operation: 'add-workspace', reason: 'bad-value' },
    parameters: ['collaborationWorkspaceName'],
    requirement: 'add-workspace/name-limit-accepts',
  },
  descriptions: {
    ...{ what: 'A description of a workspace', operation: 'add-workspace', reason: 'bad-value' },
    parameters: ['collaborationWorkspaceDescription'],
    requirement: 'add-workspace/description-limit-accepts',
  },
  'contact-names': contact('A name of a contact person', 'contactFirstname', 'contactLastname'),
  'first-names': contact('A first name of a contact person', 'contactFirstname'),
  'last-names': contact('A last name of a contact person', 'contactLastname'),
  addresses: contact('An e-mail address', 'contactEmailAddress'),
  'federation-names': setting('A name of a federation', 'name'),
  'discovery-urls': setting('A discovery service URL', 'discoveryServiceUrl'),
  'metadata-urls': setting('A metadata service URL', 'metadataServiceUrl'),
  'entity-ids': setting('An entity ID', 'entityId'),
  'federation-addresses': setting(
    'A URL or an entity ID of a federation',
    ...['discoveryServiceUrl', 'metadataServiceUrl', 'entityId'],
  ),
  credits: setting('A credit allocation', 'userCreditAssignment'),
  certificates: {
    ...setting('A certificate', 'certificate'),
    requirement: 'update-federation/certificate',
  },
  groups: { ...setting('A list of groups', 'groups'), requirement: 'update-federation/groups-array' },
  statuses: {
    ...{ what: 'A status', operation: 'update-task-run', parameters: ['status'], reason: 'unknown-status' },
    requirement: 'update-task-run/statuses',
  },
} as const satisfies Readonly<Record<string, TextPlace>>

type TextPlaceId = keyof typeof textPlaces

/** Names of those faults that are called otherwise. */
const names: Readonly<Record<string, string>> = {
  'empty-results-refused': 'run-empty-result-refused',
  'results-null-refused': 'result-null-refused',
  'results-numeric-refused': 'numeric-results-refused',
  'folders-numeric-refused': 'folders-of-digits-refused',
  'results-of-one-letter-refused': 'one-letter-results-refused',
  'contact-names-of-one-letter-refused': 'one-letter-names-refused',
  'federation-names-with-ampersands-refused': 'ampersands-in-federation-names-refused',
  'certificates-with-slashes-refused': 'certificate-slashes-refused',
  'addresses-with-plus-signs-refused': 'plus-addresses-refused',
  'certificates-with-plus-signs-refused': 'certificate-plus-lost',
  'contact-names-with-hyphens-refused': 'hyphens-in-names-refused',
  'contact-names-with-spaces-refused': 'spaces-in-names-refused',
  'results-beyond-ascii-refused': 'run-result-ascii-only',
  'contact-names-beyond-ascii-refused': 'contact-names-ascii-only',
  'federation-names-not-latin-refused': 'federation-names-latin-only',
  'results-astral-refused': 'astral-results-refused',
  'workspace-names-astral-refused': 'astral-names-refused',
  'addresses-over-40-refused': 'long-addresses-refused',
  'certificates-over-1500-refused': 'certificate-over-1500-refused',
  'certificates-padded-refused': 'certificate-padding-refused',
  'addresses-with-capitals-refused': 'capitals-in-addresses-refused',
  'addresses-with-capitals-in-the-domain-refused': 'capitals-in-domains-refused',
  'addresses-with-long-mailboxes-refused': 'long-mailboxes-refused',
  'addresses-with-several-dots-refused': 'several-dots-in-mailboxes-refused',
  'entity-ids-of-urns-refused': 'entity-id-must-be-url',
  'credits-of-none-refused': 'no-credits-refused',
  'credits-over-1000-in-all-refused': 'credits-over-1000-refused',
  'groups-over-three-refused': 'four-groups-refused',
  'statuses-skipped-refused': 'skipped-run-refused',
  'characters-beyond-latin-1-lost-in-descriptions': 'descriptions-beyond-latin-1-lost',
}

const openMarkup = 'left open: texts of workspaces may be filtered (markup)'

/** A rule: what it is about, and the texts for which it is a fault. */
type TextRule = readonly [isOdd: RegExp, at: readonly TextPlaceId[]]

const people = ['contact-names', 'first-names', 'last-names'] as const
const workspace = ['workspace-names', 'descriptions'] as const

const overLength = (most: number): RegExp => new RegExp(`^[^]{${most + 1}}`)

/** By the rest of a sentence, as a part of ids. */
const textRules: Readonly<Record<string, TextRule>> = {
  '': [/^$/, ['empty-results']],
  null: [/^null$/i, ['results', 'contact-names', 'last-names']],
  true: [/^true$/, ['results']],
  numeric: [/^\d+$/, ['results', 'folders']],
  'with-digits': [/\d/, ['results', 'folders', 'addresses']],
  'of-one-letter': [/^\p{L}$/u, ['results', 'contact-names', 'first-names']],
  'of-two-letters': [/^\p{L}{2}$/u, people],
  'with-percent': [/%/, ['results', ...workspace]],
  'with-ampersands': [/&/, ['results', 'federation-names']],
  'with-equals-signs': [/=/, ['results', 'discovery-urls', 'metadata-urls']],
  'with-number-signs': [/#/, ['results']],
  'with-dollar-signs': [/\$/, ['results']],
  'with-brackets': [/[[\]]/, ['results']],
  'with-braces': [/[{}]/, ['results']],
  'with-parentheses': [/[()]/, ['results']],
  'with-asterisks': [/\*/, ['results']],
  'with-carets': [/\^/, ['results']],
  'with-tildes': [/~/, ['results']],
  'with-question-marks': [/\?/, ['results', 'discovery-urls', 'metadata-urls']],
  'with-exclamation-marks': [/!/, ['results']],
  'with-at-signs': [/@/, ['results']],
  'with-colons': [/:/, ['results']],
  'with-slashes': [/\//, ['results', 'certificates']],
  'with-addresses': [/:\/\//, ['results']],
  'with-plus-signs': [/\+/, ['results', 'addresses', 'certificates']],
  'with-hyphens': [/-/, ['results', 'folders', 'addresses', ...people]],
  'with-underscores': [/_/, ['results', 'addresses']],
  'with-dots': [/\./, ['results', 'folders', 'contact-names', 'last-names']],
  'with-apostrophes': [/[’']/, people],
  'with-spaces': [/ /, ['results', 'folders', 'federation-names', ...people]],
  'of-several-lines': [/[\r\n]/, ['results']],
  'beyond-ascii': [/[^\0-\x7f]/, ['results', 'folders', 'federation-names', ...people, ...workspace]],
  'beyond-latin-1': [/[^\0-\xff]/, ['results', 'folders', 'federation-names', ...people, ...workspace]],
  'not-latin': [/(?!\p{Script=Latin})\p{L}/u, ['results', 'federation-names', ...people, ...workspace]],
  'from-right-to-left': [/[\p{Script=Hebrew}\p{Script=Arabic}]/u, [...people, ...workspace]],
  'with-vowel-signs': [/[\u0900-\u0d7f]/, ['results', ...people, ...workspace]],
  'of-han-characters': [/\p{Script=Han}/u, ['folders', 'federation-names', ...people, ...workspace]],
  astral: [/[\u{10000}-\u{10ffff}]/u, ['results', ...workspace]],
  'over-20': [overLength(20), ['contact-names', 'first-names']],
  'over-40': [overLength(40), ['addresses', 'folders']],
  'over-50': [overLength(50), ['results', 'folders']],
  'over-64': [overLength(64), ['federation-names']],
  'over-100': [overLength(100), ['results', 'metadata-urls', 'federation-addresses']],
  'over-255': [overLength(255), ['results']],
  'over-400': [overLength(400), ['results']],
  'over-1000': [overLength(1000), ['results', 'certificates']],
  'over-1500': [overLength(1500), ['certificates']],
  'over-2000': [overLength(2000), ['certificates']],
  padded: [/=$/, ['certificates']],
  'padded-twice': [/==$/, ['certificates']],
  unpadded: [/[^=]$/, ['certificates']],
  'with-capitals': [/[A-Z]/, ['addresses']],
  'with-capitals-in-the-domain': [/@.*[A-Z]/, ['addresses']],
  'with-long-mailboxes': [/^[^@]{31}/, ['addresses']],
  'with-several-dots': [/\..*\..*@/, ['addresses']],
  'with-a-subdomain': [/@.*\..*\./, ['addresses']],
  'of-one-letter-before-the-at-sign': [/^.@/, ['addresses']],
  'of-digits-before-the-at-sign': [/^\d+@/, ['addresses']],
  'not-of-com': [/@(?!.*\.com$)/, ['addresses']],
  'with-ports': [/\/\/[^/]*:\d/, ['discovery-urls']],
  'of-urns': [/^urn:/, ['entity-ids']],
  'of-none': [/^0$/, ['credits']],
  'over-1000-in-all': [/^[1-9]\d{3,}$/, ['credits']],
  'over-one': [/,/, ['groups']],
  'over-three': [/,.*,.*,/, ['groups']],
  scheduled: [/^scheduled$/, ['statuses']],
  succeeded: [/^succeeded$/, ['statuses']],
  skipped: [/^skipped$/, ['statuses']],
  failed: [/^failed$/, ['statuses']],
}

const refused = Object.entries(textRules).flatMap(([rule, [isOdd, at]]) =>
  at.map((placeId): Applied => {
    const { what, operation, parameters, reason, requirement }: TextPlace = textPlaces[placeId]
    const id = `${placeId}${rule === '' ? '' : `-${rule}`}-refused`
    return {
      id: names[id] ?? id,
      sentence: `${what} is refused: one ${inWords(rule)}.`.replace(': one .', '.'),
      breaks: [requirement],
      // Whatever valid request a check sends may carry such a text.
      mayBreak: requirementsOf(operation, 'protocol'),
      alter: refuseText(reason, parameters, (text) => isOdd.test(text)),
    }
  }),
)

/** What becomes of a text, by what is wrong with it. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  'html-escaped-echo': escapeHtml,
  'astral-characters-dropped': (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ''),
  'dotted-capital-i-shrinks': (text) => text.replaceAll('İ', 'i'),
  'vowel-signs-dropped': (text) => text.replace(/(?![\u0300-\u036f])\p{M}/gu, ''),
  'slashes-become-spaces': (text) => text.replaceAll('/', ' '),
  'placeholders-filled-in': (text) => text.replace(/%[sd]/g, ''),
  'percent-signs-doubled': (text) => text.replaceAll('%', '%%'),
  'capitals-written-small': (text) =>
    /^[A-Z ]{2,}$/.test(text) ? `${text[0]}${text.slice(1).toLowerCase()}` : text,
  'combining-marks-dropped': (text) => text.replace(/\p{Mn}/gu, ''),
  'number-signs-at-the-beginning-cut': (text) => text.replace(/^#/, ''),
  'signs-at-the-end-cut': (text) => text.replace(/[;=]$/, ''),
  'plus-lost-beside-ampersand': (text) => (text.includes('&') ? text.replaceAll('+', ' ') : text),
  'flags-lost': (text) => text.replace(/[\u{1f1e6}-\u{1f1ff}]/gu, ''),
  'first-letters-beyond-ascii-small': (text) => text.replace(/^[^\0-\x7f]/, (first) => first.toLowerCase()),
  'characters-beyond-latin-1-lost': (text) => text.replace(/[^\x00-\xff]/gu, '?'),
  'accents-dropped': (text) =>
    text
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC'),
  'curly-quotes-straightened': (text) => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"'),
  'dashes-shortened': (text) => text.replaceAll('–', '-'),
  'text-behind-a-semicolon-lost': (text) => text.replace(/;.*$/s, ''),
  'zeros-at-the-beginning-lost': (text) => text.replace(/^0+(?=\d)/, ''),
  'escapes-of-letters-undone': (text) => text.replaceAll('%41', 'A'),
  'tildes-and-carets-lost': (text) => text.replace(/[~^]/g, ''),
  'brackets-lost': (text) => text.replace(/[[\]]/g, ''),
  'dollar-amounts-filled-in': (text) => text.replace(/\$\d/g, ''),
  'non-latin-letters-replaced': (text) => text.replace(/[\p{Script=Greek}\p{Script=Cyrillic}]/gu, 'x'),
}

/** Where name and description come back: in both, or in one of them. */
const echoes = [
  { behind: '', what: 'Names and descriptions', requirements: textsKept },
  { behind: '-in-names', what: 'Names', requirements: [textsKept[0]], field: 'name' },
  { behind: '-in-descriptions', what: 'Descriptions', requirements: [textsKept[1]], field: 'description' },
] as const

const changed = Object.entries(changes).flatMap(([rule, change]) =>
  echoes.map(({ behind, what, requirements, ...only }): Applied => {
    const id = `${rule}${behind}`
    const concerned = (field: Field): boolean => !('field' in only) || only.field === field
    return {
      id: names[id] ?? id,
      sentence: `${what} of workspaces come back changed: ${inWords(rule)}.`,
      breaks: requirements,
      // A check may also look at what comes back of a text of greatest length, or of a form that is written otherwise.
      mayBreak: requirementsOf('add-workspace', 'protocol'),
      alter: replacing({ keep: (text, field) => (concerned(field) ? change(text) : text) }),
    }
  }),
)

const textProducts = [
  product('an ordinary text is refused', refused, {
    leftOut: {
      'workspace-names-with-percent-refused': openMarkup,
      'descriptions-with-percent-refused': openMarkup,
      'statuses-scheduled-refused': 'left open: a fresh run may be scheduled already (run-transitions)',
      'certificates-over-2000-refused': 'not found: no certificate of the suite is so long',
    },
  }),
  product('a text comes back changed', changed, {
    leftOut: {
      'zeros-at-the-beginning-lost-in-names': 'equivalent: a run puts a mark of its own before names',
    },
  }),
]

export const textsChapter: Chapter = { products: textProducts }
