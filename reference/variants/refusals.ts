/** Other ways of saying no: statuses and bodies of refusals are open, apart from the error of §7. */
import type { Answer, Arrival, Parts, Rendered } from '../parts.ts'
import { page } from '../rendering.ts'
import type { Variant } from './variant.ts'

/** Replaces the rendering of refusals. */
function refusals(
  parts: Parts,
  render: (answer: Answer, rendered: Rendered, arrival: Arrival) => Rendered,
): void {
  const honest = parts.render
  parts.render = (answer, arrival) => {
    const rendered = honest(answer, arrival)
    return answer.refused === undefined ? rendered : render(answer, rendered, arrival)
  }
}

/** The body of this error is shown by the contract: it may not be replaced. */
const isShown = ({ refused }: Answer) => refused === 'ineligible-target'

const codeOf = ({ body }: Answer) => (body.error as { code: number }).code

export const refusalVariants: readonly Variant[] = [
  {
    id: 'refusals-as-403-json',
    sentence: 'Refusals have HTTP status 403 and the error as JSON.',
    alter: (parts) => refusals(parts, (_answer, rendered) => ({ ...rendered, status: 403 })),
  },
  {
    id: 'refusals-as-401',
    sentence: 'Refusals have HTTP status 401 and ask for credentials, whatever is refused.',
    alter: (parts) =>
      refusals(parts, (answer, rendered) =>
        isShown(answer)
          ? rendered
          : {
              status: 401,
              headers: { 'content-type': 'text/html;charset=utf-8', 'www-authenticate': 'Bearer' },
              body: Buffer.from(page('Unauthorized', { reason: answer.refused })),
            },
      ),
  },
  {
    id: 'refusals-with-their-status',
    sentence: 'The HTTP status of a refusal is the code of its error where HTTP knows that code.',
    alter: (parts) =>
      refusals(parts, (answer, rendered) => {
        const code = codeOf(answer)
        return { ...rendered, status: code === 498 || code === 499 ? 401 : code }
      }),
  },
  {
    id: 'refusals-as-400-html',
    sentence: 'Refusals have HTTP status 400 and an HTML page, whatever format was asked for.',
    alter: (parts) =>
      refusals(parts, (answer, rendered) =>
        isShown(answer)
          ? rendered
          : {
              status: 400,
              headers: { 'content-type': 'text/html;charset=utf-8' },
              body: Buffer.from(page('Bad Request', { reason: answer.refused })),
            },
      ),
  },
  {
    id: 'refusals-as-empty-500',
    sentence: 'Refusals have HTTP status 500 and no body.',
    alter: (parts) =>
      refusals(parts, (answer, rendered) =>
        isShown(answer) ? rendered : { status: 500, headers: {}, body: Buffer.alloc(0) },
      ),
  },
  {
    id: 'refusals-with-success-false',
    sentence: 'Refusals hold success false beside the error.',
    alter(parts) {
      const honest = parts.refuse
      parts.refuse = (reason, details) => {
        const answer = honest(reason, details)
        return reason === 'ineligible-target'
          ? answer
          : { ...answer, body: { success: false, ...answer.body } }
      }
    },
  },
  {
    id: 'refusals-as-302-login',
    sentence: 'Refusals send to a page for signing in.',
    alter: (parts) =>
      refusals(parts, (answer, rendered) =>
        isShown(answer)
          ? rendered
          : {
              status: 302,
              headers: { location: '/signin', 'content-type': 'text/html' },
              body: Buffer.from('<!doctype html><title>Moved</title>'),
            },
      ),
  },
  {
    id: 'refusals-as-200-login-page',
    sentence: 'Refusals are a page for signing in, under HTTP status 200.',
    alter: (parts) =>
      refusals(parts, (answer, rendered) =>
        isShown(answer)
          ? rendered
          : {
              status: 200,
              headers: { 'content-type': 'text/html;charset=utf-8' },
              body: Buffer.from('<!doctype html><title>Sign in</title><form>{"success":true}</form>'),
            },
      ),
  },
  {
    id: 'ineligible-error-with-more',
    sentence:
      'The error of an ineligible target has further fields beside and in it, and its entries come in another order.',
    alter(parts) {
      const honest = parts.refuse
      parts.refuse = (reason, details = []) => {
        const answer = honest(reason, details.toReversed())
        if (reason !== 'ineligible-target') return answer
        const error = { restart: false, ...(answer.body.error as object) }
        return { ...answer, body: { success: false, status: 'error', error } }
      }
    },
  },
]
