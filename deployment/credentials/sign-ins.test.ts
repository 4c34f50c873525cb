import { describe, expect, it } from 'vitest'
import type { CredentialSource, Login } from '../configuration/configuration.ts'
import { answerJson, configurationFor, received, serve } from '../http/server.fixture.ts'
import { SignIns } from './sign-ins.ts'

const login: Login = { username: 'admin', password: 'right', referer: 'https://suite', expirationMs: 60_000 }
const source = (changes: Partial<Login> = {}): CredentialSource => ({ login: { ...login, ...changes } })

/** A portal with these answers to logins. `sent` has the user names it received. */
async function portalAnswering(answers: (fields: URLSearchParams, count: number) => object | number) {
  const sent: string[] = []
  const baseUrl = await serve(async (request, response) => {
    const fields = new URLSearchParams(await received(request))
    sent.push(fields.get('username') ?? '')
    const answer = answers(fields, sent.length)
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answerJson(response, answer)
  })
  const configuration = configurationFor(baseUrl)
  const signIns = new SignIns()
  const obtain = (from: CredentialSource, instead?: string) =>
    signIns.obtain(from, 'host', configuration, instead).then(
      ({ credential }) => credential,
      (error) => error.message as string,
    )
  return { sent, obtain, baseUrl }
}

const refusal = (detail: string) => ({
  error: { code: 400, message: 'Unable to generate token.', details: [detail] },
})
const tokens = (_: URLSearchParams, count: number) => ({ token: `token-${count}` })

describe('SignIns', () => {
  it('sends one login for equal actors, and one more to replace a lost token', async () => {
    const { sent, obtain } = await portalAnswering(tokens)
    const given = await Promise.all([source(), source(), source()].map((each) => obtain(each)))
    expect(given).toEqual(['token-1', 'token-1', 'token-1'])
    const again = [1, 2].map(() => obtain(source(), 'token-1'))
    expect(await Promise.all(again)).toEqual(['token-2', 'token-2'])
    expect(sent).toHaveLength(2)
  })

  it('sends separate logins for other referers or expirations', async () => {
    const { obtain } = await portalAnswering(tokens)
    const all = [source(), source({ referer: 'https://other' }), source({ expirationMs: 120_000 })]
    expect(new Set(await Promise.all(all.map((each) => obtain(each))))).toHaveLength(3)
  })

  it('never repeats a refused login, but sends other logins', async () => {
    const { sent, obtain, baseUrl } = await portalAnswering((fields) =>
      fields.get('password') === 'right' ? { token: 't' } : refusal('Invalid username or password.'),
    )
    const wrong = [{}, {}, { referer: 'https://other' }, { expirationMs: 120_000 }].map((changes) =>
      obtain(source({ ...changes, password: 'wrong' })),
    )
    const message = `the login was not accepted: ${baseUrl}/generateToken says that the user name or the password is wrong`
    for (const each of await Promise.all(wrong)) expect(each).toContain(message)
    expect(await obtain(source({ password: 'wrong' }), 'old')).toContain(message)
    expect(sent).toEqual(['admin'])
    expect(await obtain(source())).toBe('t')
    await obtain(source({ username: 'guest', password: 'wrong' }))
    expect(sent).toEqual(['admin', 'admin', 'guest'])
  })

  it('never repeats an accepted login whose renewal was refused', async () => {
    const { sent, obtain } = await portalAnswering((_, count) =>
      count === 1 ? { token: 'first' } : refusal('Invalid username or password.'),
    )
    expect(await obtain(source())).toBe('first')
    await obtain(source(), 'first')
    expect(await obtain(source(), 'first')).toContain('is wrong')
    expect(sent).toHaveLength(2)
  })

  it.each([
    [{ code: 400, message: 'Invalid username or password' }, /the user name or the password is wrong/],
    [
      {
        code: 400,
        message: 'Unable to generate token.',
        details: ['Multifactor authentication\nis required.'],
      },
      /with error code 400: Unable to generate token. Multifactor authentication is required; signing in with a browser may show more/,
    ],
    [
      { code: 400, message: 'Falsches Kennwort: ri%67ht', details: 'Konto gesperrt' },
      /: Falsches Kennwort: \*\*\* Konto gesperrt;/,
    ],
    [{ code: 500, message: 'Starting.' }, /with error code 500: Starting$/],
    [{ code: 404 }, /answered HTTP 200 with error code 404, so it issues no tokens; check the base URL/],
    [null, /answered HTTP 200 without a token; signing in with a browser/],
  ])('reports the reason of a refusal with %j', async (error, expected) => {
    const { obtain } = await portalAnswering(() => ({ error }))
    expect(await obtain(source())).toMatch(expected)
  })

  it('reports a locked account and does not repeat the login', async () => {
    const { sent, obtain } = await portalAnswering(() => refusal('Too many invalid attempts.'))
    expect(await obtain(source())).toMatch(/the account is locked after too many failed logins; wait 15 min/)
    await obtain(source())
    expect(sent).toHaveLength(1)
  })

  it('repeats a login after HTTP 500', async () => {
    const { sent, obtain } = await portalAnswering((_, count) => (count === 1 ? 500 : { token: 't' }))
    expect(await obtain(source())).toContain('answered HTTP 500')
    expect(await obtain(source())).toBe('t')
    expect(sent).toHaveLength(2)
  })
})
