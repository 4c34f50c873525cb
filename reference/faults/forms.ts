/** Forms that are written in another way, and are read otherwise: each way of writing and each operation. */
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'
import { around, changeRendered, refuseWhen, replacing } from '../alterations.ts'
import { decodeText, parseForm, unescapeBytes } from '../form.ts'
import type { Call } from '../parts.ts'
import { asPage } from '../rendering.ts'
import {
  type Applied,
  acceptances,
  type Chapter,
  faultsOf,
  inWords,
  product,
  requirementsOf,
  textsKept,
} from './fault.ts'

const contentType = ({ arrival }: Call): string => arrival.headers['content-type'] ?? ''

const bytesOf = ({ arrival }: Call): string => arrival.body.toString('latin1')

interface Writing {
  readonly id: string
  readonly sentence: string
  readonly isOdd: (call: Call) => boolean
  /** It is a text that is written so. */
  readonly ofText?: true
}

const writings: readonly Writing[] = [
  {
    id: 'charset',
    sentence: 'whose content type names a charset',
    isOdd: (call) => /;\s*charset/i.test(contentType(call)),
  },
  {
    id: 'quoted-charset',
    sentence: 'whose content type has its charset in quotes',
    isOdd: (call) => /charset="/i.test(contentType(call)),
  },
  {
    id: 'capital-charset',
    sentence: 'whose content type has its charset in capitals',
    isOdd: (call) => /charset="?UTF/.test(contentType(call)),
  },
  {
    id: 'media-type-case',
    sentence: 'whose media type is not written in lower case',
    isOdd: (call) => /^[^;]*[A-Z]/.test(contentType(call)),
  },
  {
    id: 'lower-case-escapes',
    sentence: 'with percent-escapes in lower case',
    isOdd: (call) => /%(?:[a-f][0-9a-fA-F]|[0-9A-F][a-f])/.test(bytesOf(call)),
    ofText: true,
  },
  {
    id: 'escaped-letters',
    sentence: 'in which letters are escaped that need not be',
    isOdd: (call) => /%(?:6[1-9A-F]|7[0-9A])/i.test(bytesOf(call)),
  },
  {
    id: 'escaped-spaces',
    sentence: 'with %20 for a space',
    isOdd: (call) => /%20/.test(bytesOf(call)),
    ofText: true,
  },
]

/** Operations of which no parameter is a text. */
const textless: readonly OperationId[] = ['sync-workspace', 'delete-collaboration']

/** Of all operations. */
const everywhere: Readonly<Record<string, string>> = {
  charset: 'charset-refused',
  'quoted-charset': 'quoted-charset-refused',
  'media-type-case': 'media-type-case-matters',
  'lower-case-escapes': 'lower-case-escapes-refused',
}

const refusedEverywhere = writings.map(
  ({ id, sentence, isOdd }): Applied => ({
    id: everywhere[id] ?? `${id}-refused`,
    sentence: `A form ${sentence} is refused.`,
    breaks: ['protocol/encoding'],
    alter(parts) {
      for (const operation of operationIds) refuseWhen(operation, 'not-a-form', isOdd)(parts)
    },
  }),
)

const refusedAtOne = writings.flatMap(({ id, sentence, isOdd, ofText }) =>
  operationIds
    .filter((operation) => ofText !== true || !textless.includes(operation))
    .map(
      (operation): Applied => ({
        id: `${operation}-${id}-refused`,
        sentence: `A form of ${operation} ${sentence} is refused.`,
        breaks: ['protocol/encoding'],
        operation,
        alter: refuseWhen(operation, 'not-a-form', isOdd),
      }),
    ),
)

const parameterOrder = operationIds
  .filter((operation) => !textless.includes(operation))
  .map((operation): Applied => {
    const [first] = operationOf(operation).parameters
    return {
      id: operation === 'add-workspace' ? 'parameter-order-matters' : `${operation}-parameter-order-matters`,
      sentence: `A form of ${operation} in which f comes before ${first.name} is refused.`,
      breaks: ['protocol/encoding'],
      operation,
      alter: refuseWhen(operation, 'bad-value', ({ form }) => {
        const names = form.pairs.map(([name]) => name)
        return names.includes('f') && names.indexOf('f') < names.indexOf(first.name)
      }),
    }
  })

/** How names and values of a form are read, as raw bytes in Latin-1. */
const readings: Readonly<Record<string, (raw: string) => string>> = {
  'plus-kept': (raw) => decodeText(raw.replaceAll('+', '%2B')),
  'percent-decoded-twice': (raw) =>
    unescapeBytes(Buffer.from(decodeText(raw)).toString('latin1')).toString('utf8'),
  'latin-1-decoding': (raw) => unescapeBytes(raw.replaceAll('+', ' ')).toString('latin1'),
  'lower-case-escapes-kept': (raw) => decodeText(raw.replace(/%(?=[0-9a-f]{2})(?!\d{2})/g, '%25')),
}

const readingsOf = Object.entries(readings).map(
  ([id, decode]): Applied => ({
    id,
    sentence: `Forms are misread: ${inWords(id)}.`,
    breaks: id.startsWith('lower') ? ['protocol/encoding'] : textsKept,
    mayBreak: requirementsOf('add-workspace', 'protocol'),
    alter: replacing({ decodeForm: (body) => parseForm(body, decode) }),
  }),
)

const noText = 'not found: forms in which the suite tries this hold no text'
const bySeed = 'not found with every seed: each seed tries half of the ways'

const formProducts = [
  product('a form that is written otherwise is refused', refusedEverywhere),
  product('a form of one operation that is written otherwise is refused', refusedAtOne, {
    leftOut: {
      'reassign-items-lower-case-escapes-refused': noText,
      'reassign-items-escaped-spaces-refused': noText,
      ...Object.fromEntries(
        (['update-participant', 'update-federation'] as const).flatMap((operation) =>
          writings.map(({ id }) => [`${operation}-${id}-refused`, bySeed]),
        ),
      ),
    },
  }),
  product('the order of parameters matters', parameterOrder, {
    leftOut: {
      'update-participant-parameter-order-matters': bySeed,
      'update-federation-parameter-order-matters': bySeed,
    },
  }),
  product('forms are misread', readingsOf),
]

const formFaults = faultsOf({
  'form-without-charset-refused': {
    sentence: 'A form whose content type names no charset is answered success: false.',
    breaks: acceptances,
    mayBreak: ['protocol/refusal-json'],
    alter(parts) {
      for (const operation of operationIds)
        around(operation, (call, honest) =>
          /;\s*charset/i.test(contentType(call))
            ? honest()
            : { status: 200, body: { success: false }, refused: 'not-a-form' },
        )(parts)
    },
  },
  'accept-header-beats-format': {
    sentence: 'A client that accepts HTML gets a page, also with f=pjson.',
    breaks: ['protocol/json-format'],
    mayBreak: ['protocol/refusal-json'],
    alter: changeRendered((rendered, { status, body }, { headers }) =>
      /\btext\/html\b/.test(headers.accept ?? '') ? asPage(status, 'Answer', body) : rendered,
    ),
  },
})

export const formsChapter: Chapter = { products: formProducts, faults: formFaults }
