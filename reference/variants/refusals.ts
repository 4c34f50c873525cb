/** Other ways of saying no: statuses and bodies of refusals are open, apart from the error of §7. */
import { changeRendered, withHeaders, wrapping } from '../alterations.ts'
import type { Alter, Answer, Rendered } from '../parts.ts'
import { asHtml, asPage } from '../rendering.ts'
import { variantsOf } from './variant.ts'

/** Changes refusals as they go over the wire. */
const changeRefusals = (change: (rendered: Rendered, answer: Answer) => Rendered): Alter =>
  changeRendered((rendered, answer) => (answer.refused === undefined ? rendered : change(rendered, answer)))

/** Replaces refusals, but for the one whose error the contract shows. */
const replaceRefusals = (instead: (answer: Answer) => Rendered): Alter =>
  changeRefusals((rendered, answer) => (answer.refused === 'ineligible-target' ? rendered : instead(answer)))

export const refusalVariants = variantsOf({
  'refusals-as-403-json': {
    sentence: 'Refusals have HTTP status 403 and the error as JSON.',
    alter: changeRefusals((rendered) => ({ ...rendered, status: 403 })),
  },
  'refusals-as-401': {
    sentence: 'Refusals have HTTP status 401 and ask for credentials, whatever is refused.',
    alter: replaceRefusals(({ refused }) =>
      withHeaders(asPage(401, 'Unauthorized', { reason: refused }), { 'www-authenticate': 'Bearer' }),
    ),
  },
  'refusals-as-498': {
    sentence: 'Refusals have the error code 498 of an invalid token, whatever is refused but for its target.',
    alter: changeRefusals((rendered, { refused, body }) =>
      refused === 'ineligible-target'
        ? rendered
        : {
            ...rendered,
            body: Buffer.from(JSON.stringify({ error: { ...(body.error as object), code: 498 } })),
          },
    ),
  },
  'refusals-with-their-status': {
    sentence: 'The HTTP status of a refusal is the code of its error where HTTP knows that code.',
    alter: changeRefusals((rendered, { body }) => {
      const { code } = body.error as { code: number }
      return { ...rendered, status: code === 498 || code === 499 ? 401 : code }
    }),
  },
  'refusals-as-400-html': {
    sentence: 'Refusals have HTTP status 400 and an HTML page, whatever format was asked for.',
    alter: replaceRefusals(({ refused }) => asPage(400, 'Bad Request', { reason: refused })),
  },
  'refusals-as-empty-500': {
    sentence: 'Refusals have HTTP status 500 and no body.',
    alter: replaceRefusals(() => ({ status: 500, headers: {}, body: Buffer.alloc(0) })),
  },
  'refusals-with-success-false': {
    sentence: 'Refusals hold success false beside the error.',
    alter: wrapping('refuse', (honest) => (reason, details) => {
      const answer = honest(reason, details)
      return reason === 'ineligible-target' ? answer : { ...answer, body: { success: false, ...answer.body } }
    }),
  },
  'refusals-as-302-login': {
    sentence: 'Refusals send to a page for signing in.',
    alter: replaceRefusals(() => ({
      status: 302,
      headers: { location: '/signin', 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>Moved</title>'),
    })),
  },
  'refusals-as-200-login-page': {
    sentence: 'Refusals are a page for signing in, under HTTP status 200.',
    alter: replaceRefusals(() =>
      asHtml(200, '<!doctype html><title>Sign in</title><form>{"success":true}</form>'),
    ),
  },
  'ineligible-error-with-more': {
    sentence:
      'The error of an ineligible target has further fields beside and in it, and its entries come in another order.',
    alter: wrapping('refuse', (honest) => (reason, details = []) => {
      const answer = honest(reason, details.toReversed())
      if (reason !== 'ineligible-target') return answer
      const error = { restart: false, ...(answer.body.error as object) }
      return { ...answer, body: { success: false, status: 'error', error } }
    }),
  },
})
