/** Faults in the texts of workspaces: the portal changes them, or its limits on them are wrong. */
import { all, changeParts, replacing, replacingIn, wrapping } from '../alterations.ts'
import type { Alter, Call, Field } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import {
  anyRequestOf,
  type Broken,
  faultsOf,
  hasNoDescription,
  limitsAccept,
  placesOf,
  textsKept,
  type WrittenFault,
} from './fault.ts'

const anyAdd = anyRequestOf('add-workspace')

/** Changes the texts of these fields before they are stored. */
const changing =
  (fields: readonly Field[]) =>
  (change: (text: string) => string): Alter =>
    replacing({ keep: (text, field) => (fields.includes(field) ? change(text) : text) })

/** Replaces what is found in a text. */
const replaced = (found: RegExp, instead: string) => (text: string) => text.replace(found, instead)

const inNames: Broken = { breaks: ['add-workspace/name-kept'], mayBreak: anyAdd }
const inDescriptions: Broken = { breaks: ['add-workspace/description-kept'], mayBreak: anyAdd }
const inBoth: Broken = { breaks: textsKept, mayBreak: anyAdd }
const inLimits: Broken = { breaks: textsKept, mayBreak: limitsAccept }

export const apostropheFaults = [
  ...placesOf(changing(['name']), 'Names of workspaces change', inNames, {
    'apostrophes-doubled-in-names': [replaced(/'/g, "''")],
    'apostrophes-escaped-in-names': [replaced(/'/g, '&#39;')],
    'apostrophes-curled-in-names': [replaced(/'/g, '’')],
    'apostrophes-lost-in-names': [replaced(/'/g, '')],
    'apostrophes-behind-a-backslash-in-names': [replaced(/'/g, "\\'")],
  }),
  ...placesOf(changing(['description']), 'Descriptions of workspaces change', inDescriptions, {
    'apostrophes-doubled-in-descriptions': [replaced(/'/g, "''")],
  }),
]

const changedTextFaults = [
  ...placesOf(changing(['name', 'description']), 'Texts of workspaces change', inBoth, {
    'html-escaped-echo': [escapeHtml, inLimits],
    'astral-characters-dropped': [replaced(/[\u{10000}-\u{10ffff}]/gu, ''), inLimits],
    'dotted-capital-i-shrinks': [replaced(/İ/g, 'i'), inLimits],
    'vowel-signs-dropped': [replaced(/(?![\u0300-\u036f])\p{M}/gu, ''), inLimits],
    'slashes-become-spaces': [replaced(/\//g, ' '), inLimits],
    'capitals-written-small': [
      (text) => (/^[A-Z ]{2,}$/.test(text) ? text.charAt(0) + text.slice(1).toLowerCase() : text),
      inLimits,
    ],
    'placeholders-filled-in': [replaced(/%[sd]/g, '')],
    'dollar-signs-read-as-patterns': [replaced(/\$\$/g, '$$')],
    'percent-signs-doubled': [replaced(/%/g, '%%')],
    'combining-marks-dropped': [replaced(/\p{Mn}/gu, '')],
    'number-signs-at-the-beginning-cut': [replaced(/^#/, '')],
    'number-signs-end-longer-texts': [replaced(/(?<=.{20})#.*/s, '')],
    'signs-at-the-end-cut': [replaced(/[;=]$/, '')],
    'plus-lost-beside-ampersand': [(text) => (text.includes('&') ? text.replaceAll('+', ' ') : text)],
    'flags-lost': [replaced(/[\u{1f1e6}-\u{1f1ff}]/gu, '')],
    'first-letters-beyond-ascii-small': [
      (text) => text.replace(/^[^\0-\x7f]/, (first) => first.toLowerCase()),
    ],
  }),
  ...placesOf(changing(['description']), 'Descriptions of workspaces change', inDescriptions, {
    'descriptions-beyond-latin-1-lost': [replaced(/[^\x00-\xff]/gu, '?')],
  }),
  ...placesOf(changing(['name']), 'Names of workspaces change', inNames, {
    'names-cut-inside-a-character': [(text) => Buffer.from(text).subarray(0, 255).toString('utf8')],
  }),
]

/** Measures texts in another way. `honest`: the right length. */
const measuring = (length: (text: string, honest: (text: string) => number) => number): Alter =>
  wrapping('measure', (honest) => (text) => length(text, honest))

const wrongLengths: Broken = { breaks: limitsAccept, mayBreak: anyAdd }

const measureFaults = placesOf(measuring, 'The length of a text is measured wrongly', wrongLengths, {
  'limits-in-bytes': [(text) => Buffer.byteLength(text)],
  'limits-count-escaped': [(text, honest) => honest(escapeHtml(text))],
  'limits-count-escapes-of-json': [
    (text) => JSON.stringify(text).replace(/[^\x20-\x7e]/g, '\\u0000').length - '""'.length,
  ],
})

/** Replaces the limit on names and keeps the limit on descriptions. */
const nameFits = (fits: (length: number, text: string) => boolean): Alter =>
  wrapping(
    'fits',
    (honest, parts) => (text, field) =>
      field === 'name' ? fits(parts.measure(text), text) : honest(text, field),
  )

const nameLimitFaults = placesOf(
  nameFits,
  'The limit on names has a gap',
  'add-workspace/name-limit-rejects',
  {
    'name-limit-only-below-110': [(length) => length <= 100 || length >= 110],
    'name-limit-only-above-1000': [(length) => length <= 1000],
    'names-over-6000-accepted': [(length) => length <= 100 || length > 6000],
    'name-limit-after-collapsing': [(length, text) => length - (text.match(/\s/g) ?? []).length <= 100],
  },
)

/** Does not check the limits of some requests. */
const limitless = (concerns: (call: Call) => boolean): Alter =>
  changeParts('add-workspace', concerns, { fits: () => true })

const limitlessFaults = placesOf(
  limitless,
  'Limits on texts are not always checked',
  'add-workspace/name-limit-rejects',
  {
    'name-limit-needs-description': [hasNoDescription],
  },
)

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
