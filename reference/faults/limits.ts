/** Limits that lie elsewhere, or are counted otherwise (§8): each limit, and each way of being wrong. */
import { changeParts, replacing, replacingIn, wrapping } from '../alterations.ts'
import { collaborationIn, itemIdsIn } from '../handlers.ts'
import type { Alter, Field } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import { takeAnyNumber } from './effects.ts'
import {
  type Applied,
  type Chapter,
  faultsOf,
  inWords,
  limitsAccept,
  product,
  requirementsOf,
} from './fault.ts'

/** Whatever valid request a check sends may carry a text of that length. */
const anyAdd = requirementsOf('add-workspace', 'protocol')
const anyReassignment = requirementsOf('reassign-items', 'protocol')

const textLimits: readonly (readonly [field: Field, most: number])[] = [
  ['name', 100],
  ['description', 250],
]

/** Replaces the limit on one text, and leaves the other. */
const fitting = (field: Field, fits: (length: number, text: string) => boolean): Alter =>
  wrapping(
    'fits',
    (honest, parts) => (text, of) => (of === field ? fits(parts.measure(text), text) : honest(text, of)),
  )

/** Whether a text fits, and which side of the limit that breaks. */
type WrongLimit = readonly [
  side: 'accepts' | 'rejects',
  fits: (length: number, text: string, most: number) => boolean,
]

const wrongLimits: Readonly<Record<string, WrongLimit>> = {
  'one-less': ['accepts', (length, _text, most) => length < most],
  halved: ['accepts', (length, _text, most) => length <= most / 2],
  'one-more': ['rejects', (length, _text, most) => length <= most + 1],
  'only-below-ten-more': ['rejects', (length, _text, most) => length <= most || length >= most + 10],
  'only-above-1000': ['rejects', (length) => length <= 1000],
  'only-below-6000': ['rejects', (length, _text, most) => length <= most || length > 6000],
  'after-collapsing': ['rejects', (_length, text, most) => [...text.replace(/\s+/g, '')].length <= most],
  'in-bytes': ['accepts', (_length, text, most) => Buffer.byteLength(text) <= most],
  'in-utf-16-units': ['accepts', (_length, text, most) => text.length <= most],
  'counts-escaped': ['accepts', (_length, text, most) => [...escapeHtml(text)].length <= most],
}

/** Names of those faults that are called otherwise. */
const names: Readonly<Record<string, string>> = {
  'name-limit-one-less': 'name-limit-99',
  'description-limit-one-less': 'description-limit-249',
  'description-limit-one-more': 'description-limit-251',
  'name-limit-only-below-ten-more': 'name-limit-only-below-110',
  'name-limit-only-below-6000': 'names-over-6000-accepted',
}

const openCounting = 'left open: what a character is at the limit (astral-counting)'

const misplaced = textLimits.flatMap(([field, most]) =>
  Object.entries(wrongLimits).map(([rule, [side, fits]]): Applied => {
    const id = `${field}-limit-${rule}`
    return {
      id: names[id] ?? id,
      sentence: `The limit of ${most} characters of a ${field} lies elsewhere: ${inWords(rule)}.`,
      breaks: [`add-workspace/${field}-limit-${side}`],
      mayBreak: side === 'accepts' ? anyAdd : [],
      alter: fitting(field, (length, text) => fits(length, text, most)),
    }
  }),
)

const shortened = textLimits.map(
  ([field, most]): Applied => ({
    id: `${field}-shortened`,
    sentence: `A ${field} of more than ${most} characters is quietly shortened to ${most}.`,
    breaks: [`add-workspace/${field}-limit-rejects`],
    alter(parts) {
      fitting(field, () => true)(parts)
      const honest = parts.keep
      parts.keep = (text, of) => (of === field ? [...text].slice(0, most).join('') : honest(text, of))
    },
  }),
)

/** What a text counts for at both limits. */
const measures: Readonly<Record<string, (text: string) => number>> = {
  'limits-in-bytes': (text) => Buffer.byteLength(text),
  'limits-count-escaped': (text) => [...escapeHtml(text)].length,
  'limits-count-escapes-of-json': (text) =>
    JSON.stringify(text).replace(/[^\x20-\x7e]/g, '\\u0000').length - '""'.length,
}

const measured = Object.entries(measures).map(
  ([id, measure]): Applied => ({
    id,
    sentence: `Names and descriptions are measured otherwise: ${inWords(id)}.`,
    breaks: limitsAccept,
    mayBreak: anyAdd,
    alter: replacing({ measure }),
  }),
)

const itemLimits: Readonly<Record<string, number>> = {
  'hundred-items-refused': 99,
  'more-than-fifty-items-refused': 50,
  'more-than-one-item-refused': 1,
  'hundred-and-one-items-accepted': 101,
  'hundred-and-ten-items-accepted': 110,
  'thousand-items-accepted': 1000,
}

const numbers = Object.entries(itemLimits).map(([id, items]): Applied => {
  const side = items < 100 ? 'accepts' : 'rejects'
  return {
    id,
    sentence: `A request may hold ${items} items at most where the contract says 100.`,
    breaks: [`reassign-items/items-limit-${side}`],
    mayBreak: side === 'accepts' ? anyReassignment : [],
    alter: replacingIn('limits', { items }),
  }
})

const limitProducts = [
  product('a text limit lies elsewhere', misplaced, {
    leftOut: {
      'name-limit-in-utf-16-units': openCounting,
      'description-limit-in-utf-16-units': openCounting,
    },
  }),
  product('a text is quietly shortened', shortened),
  product('texts are measured otherwise', measured),
  product('the limit on items lies elsewhere', numbers),
]

const name = 'collaborationWorkspaceName'
const description = 'collaborationWorkspaceDescription'

/** In limits that depend on the rest of the request. */
const limitFaults = faultsOf({
  'items-over-160-accepted': {
    sentence: 'More than 160 items are accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: takeAnyNumber((call) => itemIdsIn(call).length > 160),
  },
  'lengths-of-ten-bits': {
    sentence: 'Lengths are counted up to 1023, and begin again at none.',
    breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
    mayBreak: anyAdd,
    alter: wrapping('measure', (honest) => (text) => honest(text) % 1024),
  },
  'name-limit-needs-description': {
    sentence: 'The limit on names is looked at only where a description is sent.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: changeParts('add-workspace', ({ form }) => form.get(description) === undefined, {
      fits: () => true,
    }),
  },
  'description-limit-unless-name-is-full': {
    sentence: 'The limit of descriptions is not looked at where the name is as long as it may be.',
    breaks: ['add-workspace/description-limit-rejects'],
    alter: changeParts('add-workspace', ({ form }) => [...(form.get(name) ?? '')].length === 100, {
      fits: () => true,
    }),
  },
  'first-workspace-without-limits': {
    sentence: 'The limits of texts are looked at once a collaboration has a workspace.',
    breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
    alter: changeParts('add-workspace', (call) => collaborationIn(call)?.workspaces.size === 0, {
      fits: () => true,
    }),
  },
})

export const limitsChapter: Chapter = { products: limitProducts, faults: limitFaults }
