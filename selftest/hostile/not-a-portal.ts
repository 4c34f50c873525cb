/** Targets that answer, and are no portal. */
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type HostileTarget, targetAt } from './hostile-target.ts'
import { serve } from './servers.ts'

function html(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html><body><p>${text}</p></body></html>`)
}

/** What is no portal is told by the baseline: nothing that it says counts as a finding. */
const inconclusive = { exitCode: 3, says: /base URL.*\(not accepted: HTTP \d{3}/, timeoutsMs: 0 } as const

interface Seen {
  readonly requests: string[]
}

/** A page on another origin that keeps all that it is sent. */
async function loginPage(seen: Seen) {
  return serve(async (request, response) => {
    seen.requests.push(`${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`)
    html(response, 200, 'Please sign in.')
  })
}

/** A target that sends everybody there with that status. */
function redirecting(status: number, changes: Record<string, unknown>) {
  return async () => {
    const seen: Seen = { requests: [] }
    const login = await loginPage(seen)
    const server = await serve(async (request, response) => {
      const query = `from=${encodeURIComponent(request.url ?? '')}&sent=${encodeURIComponent(await text(request))}`
      response.writeHead(status, { location: `${login.origin}/login?${query}` }).end()
    })
    const target = await targetAt(server, changes, () =>
      seen.requests.map((request) => `the other origin was asked: ${request.slice(0, 100)}`),
    )
    return { ...target, close: async () => void (await Promise.all([target.close(), login.close()])) }
  }
}

export const notAPortal: readonly HostileTarget[] = [
  {
    id: 'static-site',
    sentence: 'A static site: a page for GET, 405 for POST.',
    expect: inconclusive,
    start: async () =>
      targetAt(
        await serve(({ method }, response) =>
          method === 'GET'
            ? html(response, 200, 'Welcome.')
            : html(response.setHeader('allow', 'GET'), 405, 'No.'),
        ),
      ),
  },
  {
    id: 'html-200-from-proxy',
    sentence: 'A proxy answers every request with HTTP 200 and a page that repeats what was sent.',
    expect: inconclusive,
    start: async () =>
      targetAt(
        await serve(async (request, response) =>
          html(response, 200, `You sent ${JSON.stringify(request.headers)} ${await text(request)}.`),
        ),
      ),
  },
  {
    id: 'html-502-from-proxy',
    sentence: 'A proxy answers every request with HTTP 502 and a page.',
    // A gateway that says so is no answer of the deployment: after so many the run gives up.
    expect: { ...inconclusive, says: /nothing more is sent after \d+ broken exchanges in a row/ },
    start: async () =>
      targetAt(await serve((_request, response) => html(response, 502, 'Nothing is behind me.'))),
  },
  {
    id: 'redirect-to-login',
    sentence:
      'Every request is redirected (302) to a login page on another origin; credentials are in a header.',
    expect: inconclusive,
    start: redirecting(302, { authentication: { in: 'header', name: 'Authorization', prefix: 'Bearer ' } }),
  },
  {
    id: 'redirect-with-body',
    sentence:
      'Every request is redirected (307) to another origin, body and all; credentials are in the form.',
    expect: inconclusive,
    start: redirecting(307, {}),
  },
]
