/** Faults in what all operations share: how the portal reads a form. */
import { operationIds } from '../../specs/operations.ts'
import { around, changeRendered, refuseWhen, replacing } from '../alterations.ts'
import { decodeText, parseForm, unescapeBytes } from '../form.ts'
import type { Alter, Call } from '../parts.ts'
import { asPage } from '../rendering.ts'
import { acceptances, faultsOf, limitsAccept, requirementsOf, textsKept } from './fault.ts'

const contentType = ({ arrival }: Call): string => arrival.headers['content-type'] ?? ''

const namesCharset = (call: Call): boolean => /;\s*charset/i.test(contentType(call))

/** Refuses some forms of every operation. */
const refuseForms =
  (isOdd: (call: Call) => boolean): Alter =>
  (parts) => {
    for (const operation of operationIds) refuseWhen(operation, 'not-a-form', isOdd)(parts)
  }

export const protocolFaults = faultsOf({
  'plus-kept': {
    sentence: 'A plus sign in a form stays a plus sign where it stands for a space.',
    breaks: textsKept,
    mayBreak: [
      'protocol/encoding',
      ...requirementsOf('add-workspace').filter((id) => id.includes('-limit-')),
    ],
    alter: replacing({
      decodeForm: (body) => parseForm(body, (raw) => decodeText(raw.replaceAll('+', '%2B'))),
    }),
  },
  'percent-decoded-twice': {
    sentence: 'Percent-escapes are resolved twice, so that a text that holds one is changed.',
    breaks: textsKept,
    mayBreak: requirementsOf('add-workspace').filter((id) => id.includes('-limit-')),
    alter: replacing({
      decodeForm: (body) =>
        parseForm(body, (raw) => {
          const once = Buffer.from(decodeText(raw)).toString('latin1')
          return unescapeBytes(once).toString('utf8')
        }),
    }),
  },
  'latin-1-decoding': {
    sentence: 'Forms are read as Latin-1 where they are UTF-8.',
    breaks: [...textsKept, ...limitsAccept],
    mayBreak: requirementsOf('add-workspace', 'protocol'),
    alter: replacing({
      decodeForm: (body) =>
        parseForm(body, (raw) => unescapeBytes(raw.replaceAll('+', ' ')).toString('latin1')),
    }),
  },
  'charset-refused': {
    sentence: 'A form whose content type names a charset is refused.',
    breaks: ['protocol/encoding'],
    alter: refuseForms(namesCharset),
  },
  'form-without-charset-refused': {
    sentence: 'A form whose content type names no charset is answered success: false.',
    breaks: acceptances,
    mayBreak: ['protocol/refusal-json'],
    alter(parts) {
      for (const operation of operationIds) {
        around(operation, (call, honest) =>
          namesCharset(call) ? honest() : { status: 200, body: { success: false }, refused: 'not-a-form' },
        )(parts)
      }
    },
  },
  'lower-case-escapes-refused': {
    sentence: 'A form with percent-escapes in lower case is refused.',
    breaks: ['protocol/encoding'],
    alter: refuseForms(({ arrival }) =>
      /%(?:[a-f][0-9a-fA-F]|[0-9A-F][a-f])/.test(arrival.body.toString('latin1')),
    ),
  },
  'lower-case-escapes-kept': {
    sentence: 'Percent-escapes in lower case stay as they are.',
    breaks: ['protocol/encoding'],
    alter(parts) {
      const lower = /%(?=[0-9a-f]{2})(?!\d{2})/g
      parts.decodeForm = (body) => parseForm(body, (raw) => decodeText(raw.replace(lower, '%25')))
    },
  },
  'media-type-case-matters': {
    sentence: 'A form whose media type is not written in lower case is refused.',
    breaks: ['protocol/encoding'],
    alter: refuseForms((call) => /^[^;]*[A-Z]/.test(contentType(call))),
  },
  'quoted-charset-refused': {
    sentence: 'A form whose content type has its charset in quotes is refused.',
    breaks: ['protocol/encoding'],
    alter: refuseForms((call) => /charset="/i.test(contentType(call))),
  },
  'accept-header-beats-format': {
    sentence: 'Who accepts HTML gets a page, also with f=pjson.',
    breaks: ['protocol/json-format'],
    mayBreak: ['protocol/refusal-json'],
    alter: changeRendered((rendered, { status, body }, { headers }) =>
      /\btext\/html\b/.test(headers.accept ?? '') ? asPage(status, 'Answer', body) : rendered,
    ),
  },
})
