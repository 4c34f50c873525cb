/** Faults in the texts of workspaces: the portal changes them, or its limits on them are wrong. */
import type { RequirementId } from '../../specs/requirements.ts'
import { all, changeParts, replacing, replacingIn, wrapping } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call, Field } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import {
  anyRequestOf,
  type Broken,
  faultsOf,
  hasNoDescription,
  limitsAccept,
  rowsOf,
  type WrittenFault,
} from './fault.ts'

const anyAdd = anyRequestOf('add-workspace')

type Changes = Readonly<Record<string, readonly [how: string, change: (text: string) => string]>>

/** Faults that change the texts of these fields before they are stored. */
function changing(
  fields: readonly Field[],
  mayBreak: readonly RequirementId[],
  rows: Changes,
): WrittenFault[] {
  const texts = fields.map((field) => `${field}s`).join(' and ')
  return Object.entries(rows).map(([id, [how, change]]) => ({
    id,
    sentence: `The ${texts} of workspaces ${how}.`,
    breaks: fields.map((field) => `add-workspace/${field}-kept` as const),
    mayBreak,
    alter: replacing({ keep: (text, field) => (fields.includes(field) ? change(text) : text) }),
  }))
}

/** Replaces what is found in a text. */
const replaced = (found: RegExp, instead: string) => (text: string) => text.replace(found, instead)

const bothTexts = ['name', 'description'] as const

export const apostropheFaults = [
  ...changing(['name'], anyAdd, {
    'apostrophes-doubled-in-names': ['come back with their apostrophes doubled', replaced(/'/g, "''")],
    'apostrophes-escaped-in-names': ['come back with their apostrophes escaped', replaced(/'/g, '&#39;')],
    'apostrophes-curled-in-names': ['come back with their apostrophes curled', replaced(/'/g, '’')],
    'apostrophes-lost-in-names': ['lose their apostrophes', replaced(/'/g, '')],
    'apostrophes-behind-a-backslash-in-names': [
      'come back with their apostrophes behind a backslash',
      replaced(/'/g, "\\'"),
    ],
  }),
  ...changing(['description'], anyAdd, {
    'apostrophes-doubled-in-descriptions': ['come back with their apostrophes doubled', replaced(/'/g, "''")],
  }),
]

const changedTextFaults: readonly WrittenFault[] = [
  ...changing(bothTexts, limitsAccept, {
    'html-escaped-echo': ['come back escaped for HTML', escapeHtml],
    'astral-characters-dropped': [
      'lose characters beyond the Basic Multilingual Plane',
      replaced(/[\u{10000}-\u{10ffff}]/gu, ''),
    ],
    'dotted-capital-i-shrinks': ['have an i for each Turkish İ', replaced(/İ/g, 'i')],
    'vowel-signs-dropped': [
      'lose the vowel signs of Indian scripts',
      replaced(/(?![\u0300-\u036f])\p{M}/gu, ''),
    ],
    'slashes-become-spaces': ['have spaces for slashes', replaced(/\//g, ' ')],
    'capitals-written-small': [
      'in capitals alone come back with one capital',
      (text) => (/^[A-Z ]{2,}$/.test(text) ? text.charAt(0) + text.slice(1).toLowerCase() : text),
    ],
  }),
  ...changing(bothTexts, anyAdd, {
    'placeholders-filled-in': ['lose what looks like a placeholder of printf', replaced(/%[sd]/g, '')],
    'dollar-signs-read-as-patterns': [
      'lose one of two dollar signs, as in a replacement text',
      replaced(/\$\$/g, '$$'),
    ],
    'percent-signs-doubled': ['come back with their percent signs doubled', replaced(/%/g, '%%')],
    'combining-marks-dropped': [
      'lose marks above letters that have no character together with them',
      replaced(/\p{Mn}/gu, ''),
    ],
    'number-signs-at-the-beginning-cut': ['lose a number sign at their beginning', replaced(/^#/, '')],
    'signs-at-the-end-cut': ['lose a semicolon or an equals sign at their end', replaced(/[;=]$/, '')],
    'plus-lost-beside-ampersand': [
      'with an ampersand come back with spaces for plus signs',
      (text) => (text.includes('&') ? text.replaceAll('+', ' ') : text),
    ],
    'flags-lost': ['lose flags', replaced(/[\u{1f1e6}-\u{1f1ff}]/gu, '')],
    'first-letters-beyond-ascii-small': [
      'that begin with a capital beyond ASCII come back with a small letter there',
      (text) => text.replace(/^[^\0-\x7f]/, (first) => first.toLowerCase()),
    ],
  }),
  ...changing(['description'], anyAdd, {
    'descriptions-beyond-latin-1-lost': [
      'have question marks for characters that Latin-1 does not have',
      replaced(/[^\x00-\xff]/gu, '?'),
    ],
  }),
  ...changing(['name'], anyAdd, {
    'names-cut-inside-a-character': [
      'are cut after 255 bytes of UTF-8, also within a character',
      (text) => Buffer.from(text).subarray(0, 255).toString('utf8'),
    ],
  }),
]

/** Measures texts in another way. `honest`: the right length. */
const measuring = (length: (text: string, honest: (text: string) => number) => number): Alter =>
  wrapping('measure', (honest) => (text) => length(text, honest))

const wrongLengths: Broken = { breaks: limitsAccept, mayBreak: anyAdd }

const measureFaults = rowsOf(measuring, wrongLengths, {
  'limits-in-bytes': [
    'Names and descriptions are limited in bytes where the limit counts characters.',
    (text) => Buffer.byteLength(text),
  ],
  'limits-count-escaped': [
    'Limits count what a text is once it is escaped for a page.',
    (text, honest) => honest(escapeHtml(text)),
  ],
  'limits-count-escapes-of-json': [
    'Limits count what a text is in JSON that escapes all but ASCII.',
    (text) => JSON.stringify(text).replace(/[^\x20-\x7e]/g, '\\u0000').length - '""'.length,
  ],
  'lengths-of-ten-bits': [
    'Lengths are counted up to 1023, and begin again at none.',
    (text, honest) => honest(text) % 1024,
    {
      breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
      mayBreak: anyAdd,
    },
  ],
})

/** Replaces the limit on names and keeps the limit on descriptions. */
const nameFits = (fits: (length: number, text: string) => boolean): Alter =>
  wrapping(
    'fits',
    (honest, parts) => (text, field) =>
      field === 'name' ? fits(parts.measure(text), text) : honest(text, field),
  )

const nameLimitFaults = rowsOf(nameFits, 'add-workspace/name-limit-rejects', {
  'name-limit-only-below-110': [
    'Names of 101 to 109 characters are refused, and longer ones are accepted.',
    (length) => length <= 100 || length >= 110,
  ],
  'name-limit-only-above-1000': ['Names are refused only above 1000 characters.', (length) => length <= 1000],
  'names-over-6000-accepted': [
    'Names of more than 6000 characters are accepted.',
    (length) => length <= 100 || length > 6000,
  ],
  'name-limit-after-collapsing': [
    'The spaces of a name do not count against its limit.',
    (length, text) => length - (text.match(/\s/g) ?? []).length <= 100,
  ],
})

/** Whether the name is exactly as long as it may be. */
const nameIsFull = ({ form, parts }: Call): boolean =>
  parts.measure(form.get('collaborationWorkspaceName') ?? '') === parts.limits.name

/** Does not check the limits of some requests. */
const limitless = (concerns: (call: Call) => boolean): Alter =>
  changeParts('add-workspace', concerns, { fits: () => true })

const limitlessFaults = rowsOf(limitless, 'add-workspace/name-limit-rejects', {
  'name-limit-needs-description': [
    'The limit on names is checked only where a description is sent.',
    hasNoDescription,
  ],
  'description-limit-unless-name-is-full': [
    'The limit of descriptions is not checked where the name is as long as it may be.',
    nameIsFull,
    'add-workspace/description-limit-rejects',
  ],
  'first-workspace-without-limits': [
    'The limits of texts are checked only once a collaboration has a workspace.',
    (call) => collaborationIn(call)?.workspaces.size === 0,
    {
      breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
      dependsOn: 'earlier requests',
    },
  ],
})

const otherFaults = faultsOf({
  'description-limit-251': {
    sentence: 'A description of 251 characters is accepted.',
    breaks: ['add-workspace/description-limit-rejects'],
    alter: replacingIn('limits', { description: 251 }),
  },
  'name-shortened': {
    sentence: 'A name of more than 100 characters is quietly shortened to 100.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: all(
      nameFits(() => true),
      replacing({ keep: (text, field) => (field === 'name' ? [...text].slice(0, 100).join('') : text) }),
    ),
  },
})

/** Faults that change texts of workspaces, or whose limits on them are wrong. */
export const textFaults: readonly WrittenFault[] = [
  ...changedTextFaults,
  ...measureFaults,
  ...nameLimitFaults,
  ...limitlessFaults,
  ...otherFaults,
]
