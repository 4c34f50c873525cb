/** Faults in what all operations have in common: the way a form is read. */
import { operationIds } from '../../specs/operations.ts'
import { around, refuseWhen } from '../alterations.ts'
import { decodeText, parseForm, unescapeBytes } from '../form.ts'
import type { Call } from '../parts.ts'
import { page } from '../rendering.ts'
import { acceptances, type Fault, requirementsOf } from './fault.ts'

const textsKept = ['add-workspace/name-kept', 'add-workspace/description-kept'] as const

function namesCharset({ arrival }: Call): boolean {
  return /;\s*charset/i.test(arrival.headers['content-type'] ?? '')
}

export const protocolFaults: readonly Fault[] = [
  {
    id: 'plus-kept',
    sentence: 'A plus sign in a form stays a plus sign where it stands for a space.',
    breaks: textsKept,
    mayBreak: [
      'protocol/encoding',
      ...requirementsOf('add-workspace').filter((id) => id.includes('-limit-')),
    ],
    alter(parts) {
      parts.decodeForm = (body) => parseForm(body, (raw) => decodeText(raw.replaceAll('+', '%2B')))
    },
  },
  {
    id: 'percent-decoded-twice',
    sentence: 'Percent-escapes are resolved twice, so that a text that holds one is changed.',
    breaks: textsKept,
    mayBreak: requirementsOf('add-workspace').filter((id) => id.includes('-limit-')),
    alter(parts) {
      parts.decodeForm = (body) =>
        parseForm(body, (raw) => {
          const once = Buffer.from(decodeText(raw)).toString('latin1')
          return unescapeBytes(once).toString('utf8')
        })
    },
  },
  {
    id: 'latin-1-decoding',
    sentence: 'Forms are read as Latin-1 where they are UTF-8.',
    breaks: [...textsKept, 'add-workspace/name-limit-accepts', 'add-workspace/description-limit-accepts'],
    mayBreak: requirementsOf('add-workspace', 'protocol'),
    alter(parts) {
      parts.decodeForm = (body) =>
        parseForm(body, (raw) => unescapeBytes(raw.replaceAll('+', ' ')).toString('latin1'))
    },
  },
  {
    id: 'charset-refused',
    sentence: 'A form whose content type names a charset is refused.',
    breaks: ['protocol/encoding'],
    alter(parts) {
      for (const operation of operationIds) {
        refuseWhen(parts, operation, 'not-a-form', namesCharset)
      }
    },
  },
  {
    id: 'form-without-charset-refused',
    sentence: 'A form whose content type names no charset is answered success: false.',
    breaks: acceptances,
    alter(parts) {
      for (const operation of operationIds) {
        around(parts, operation, (call, honest) =>
          namesCharset(call) ? honest() : { status: 200, body: { success: false }, refused: 'not-a-form' },
        )
      }
    },
  },
  {
    id: 'lower-case-escapes-refused',
    sentence: 'A form with percent-escapes in lower case is refused.',
    breaks: ['protocol/encoding'],
    alter(parts) {
      for (const operation of operationIds) {
        refuseWhen(parts, operation, 'not-a-form', ({ arrival }) =>
          /%(?:[a-f][0-9a-fA-F]|[0-9A-F][a-f])/.test(arrival.body.toString('latin1')),
        )
      }
    },
  },
  {
    id: 'lower-case-escapes-kept',
    sentence: 'Percent-escapes in lower case stay as they are.',
    breaks: ['protocol/encoding'],
    alter(parts) {
      const lower = /%(?=[0-9a-f]{2})(?!\d{2})/g
      parts.decodeForm = (body) => parseForm(body, (raw) => decodeText(raw.replace(lower, '%25')))
    },
  },
  {
    id: 'media-type-case-matters',
    sentence: 'A form whose media type is not written in lower case is refused.',
    breaks: ['protocol/encoding'],
    alter(parts) {
      for (const operation of operationIds) {
        refuseWhen(parts, operation, 'not-a-form', ({ arrival }) =>
          /[A-Z]/.test((arrival.headers['content-type'] ?? '').split(';')[0] as string),
        )
      }
    },
  },
  {
    id: 'quoted-charset-refused',
    sentence: 'A form whose content type has its charset in quotes is refused.',
    breaks: ['protocol/encoding'],
    alter(parts) {
      for (const operation of operationIds) {
        refuseWhen(parts, operation, 'not-a-form', ({ arrival }) =>
          /charset="/i.test(arrival.headers['content-type'] ?? ''),
        )
      }
    },
  },
  {
    id: 'accept-header-beats-format',
    sentence: 'Who accepts HTML gets a page, also with f=pjson.',
    breaks: ['protocol/json-format'],
    alter(parts) {
      const honest = parts.render
      parts.render = (answer, arrival) =>
        /\btext\/html\b/.test(arrival.headers.accept ?? '')
          ? {
              status: answer.status,
              headers: { 'content-type': 'text/html;charset=utf-8' },
              body: Buffer.from(page('Answer', answer.body)),
            }
          : honest(answer, arrival)
    },
  },
]
