/** Faults of add-workspace in limits and texts. */

import { changeView, refuseText, refuseWhen, replacing, replacingIn, wrapping } from '../alterations.ts'
import type { Alter, Field } from '../parts.ts'
import { escapeHtml } from '../rendering.ts'
import { faultsOf, limitsAccept, requirementsOf, textsKept } from './fault.ts'

/** Whatever valid request a check sends may carry a text that is wrongly refused. */
const anyRequest = requirementsOf('add-workspace', 'protocol')

/** Replaces the limit on names, and leaves that on descriptions. */
const nameFits = (fits: (length: number) => boolean): Alter =>
  wrapping(
    'fits',
    (honest, parts) => (text, field: Field) =>
      field === 'name' ? fits(parts.measure(text)) : honest(text, field),
  )

export const workspaceTextFaults = faultsOf({
  'limits-in-bytes': {
    sentence: 'Names and descriptions are limited in bytes where the limit counts characters.',
    breaks: limitsAccept,
    mayBreak: anyRequest,
    alter: replacing({ measure: (text) => Buffer.byteLength(text) }),
  },
  'name-limit-only-below-110': {
    sentence: 'Names of 101 to 109 characters are refused, and longer ones are accepted.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: nameFits((length) => length <= 100 || length >= 110),
  },
  'name-limit-only-above-1000': {
    sentence: 'Names are refused only above 1000 characters.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: nameFits((length) => length <= 1000),
  },
  'name-shortened': {
    sentence: 'A name of more than 100 characters is quietly shortened to 100.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter(parts) {
      nameFits(() => true)(parts)
      const honest = parts.keep
      parts.keep = (text, field) =>
        field === 'name' ? [...honest(text, field)].slice(0, 100).join('') : honest(text, field)
    },
  },
  'name-limit-after-collapsing': {
    sentence: 'The spaces of a name do not count against its limit.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: wrapping(
      'fits',
      (honest) => (text, field) => honest(field === 'name' ? text.replace(/\s+/g, '') : text, field),
    ),
  },
  'name-limit-99': {
    sentence: 'A name of exactly 100 characters is refused.',
    breaks: ['add-workspace/name-limit-accepts'],
    mayBreak: anyRequest,
    alter: replacingIn('limits', { name: 99 }),
  },
  'description-limit-249': {
    sentence: 'A description of exactly 250 characters is refused.',
    breaks: ['add-workspace/description-limit-accepts'],
    mayBreak: anyRequest,
    alter: replacingIn('limits', { description: 249 }),
  },
  'description-limit-251': {
    sentence: 'A description of 251 characters is accepted.',
    breaks: ['add-workspace/description-limit-rejects'],
    alter: replacingIn('limits', { description: 251 }),
  },
  'html-escaped-echo': {
    sentence: 'Name and description come back escaped for HTML.',
    breaks: textsKept,
    // A suite may also look at what comes back of a text of greatest length.
    mayBreak: limitsAccept,
    alter: changeView(({ name, description }) => ({
      name: escapeHtml(name),
      description: escapeHtml(description),
    })),
  },
  'astral-characters-dropped': {
    sentence: 'Characters beyond the Basic Multilingual Plane vanish from names and descriptions.',
    breaks: textsKept,
    // A suite may also look at what comes back of a text of greatest length.
    mayBreak: limitsAccept,
    alter: replacing({ keep: (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '') }),
  },
  'dotted-capital-i-shrinks': {
    sentence: 'The Turkish İ becomes an i in names and descriptions.',
    breaks: textsKept,
    mayBreak: limitsAccept,
    alter: replacing({ keep: (text) => text.replaceAll('İ', 'i') }),
  },
  'vowel-signs-dropped': {
    sentence: 'The vowel signs of Indian scripts vanish from names and descriptions.',
    breaks: textsKept,
    mayBreak: limitsAccept,
    alter: replacing({ keep: (text) => text.replace(/(?![\u0300-\u036f])\p{M}/gu, '') }),
  },
  'slashes-become-spaces': {
    sentence: 'A slash in a name or a description becomes a space.',
    breaks: textsKept,
    alter: replacing({ keep: (text) => text.replaceAll('/', ' ') }),
  },
  'description-like-name-refused': {
    sentence: 'A description that says what the name says is refused.',
    breaks: ['add-workspace/creates'],
    mayBreak: anyRequest,
    alter: refuseWhen(
      'add-workspace',
      'bad-value',
      ({ form }) => form.get('collaborationWorkspaceName') === form.get('collaborationWorkspaceDescription'),
    ),
  },
  'astral-names-refused': {
    sentence: 'A name with a character beyond the Basic Multilingual Plane is refused.',
    breaks: ['add-workspace/name-limit-accepts'],
    mayBreak: anyRequest,
    alter: refuseText('bad-value', ['collaborationWorkspaceName'], (text) =>
      /[\u{10000}-\u{10ffff}]/u.test(text),
    ),
  },
})
