import { describe, expect, it } from 'vitest'
import type { CredentialSource, Login } from '../configuration/configuration.ts'
import { answerJson, configurationFor, received, serve } from '../http/server.fixture.ts'
import { SignIns } from './sign-ins.ts'

const login: Login = { username: 'admin', password: 'right', referer: 'https://suite', expirationMs: 60_000 }
const source = (changes: Partial<Login> = {}): CredentialSource => ({ login: { ...login, ...changes } })

/** A portal that answers logins in that way, and the user names that were sent to it. */
async function portalAnswering(answers: (fields: URLSearchParams, count: number) => object | number) {
  const asked: string[] = []
  const baseUrl = await serve(async (request, response) => {
    const fields = new URLSearchParams(await received(request))
    asked.push(fields.get('username') ?? '')
    const answer = answers(fields, asked.length)
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answerJson(response, answer)
  })
  const configuration = configurationFor(baseUrl)
  const signIns = new SignIns()
  const obtain = (from: CredentialSource, wanted = {}) =>
    signIns.obtain(from, 'host', configuration, wanted).then(
      ({ credential }) => credential,
      (error) => error.message as string,
    )
  return { asked, obtain, baseUrl }
}

const refusal = (detail: string) => ({
  error: { code: 400, message: 'Unable to generate token.', details: [detail] },
})
const tokens = (_: URLSearchParams, count: number) => ({ token: `token-${count}` })

describe('logins', () => {
  it('are sent once for all who sign in alike, and again for a token that is not known any more', async () => {
    const { asked, obtain } = await portalAnswering(tokens)
    const given = await Promise.all([source(), source(), source()].map((each) => obtain(each)))
    expect(given).toEqual(['token-1', 'token-1', 'token-1'])
    const again = [1, 2].map(() => obtain(source(), { instead: 'token-1' }))
    expect(await Promise.all(again)).toEqual(['token-2', 'token-2'])
    expect(asked).toHaveLength(2)
  })

  it('share no token where it would be bound to another referer, or end at another time', async () => {
    const { obtain } = await portalAnswering(tokens)
    const all = [source(), source({ referer: 'https://other' }), source({ expirationMs: 120_000 })]
    expect(new Set(await Promise.all(all.map((each) => obtain(each))))).toHaveLength(3)
  })

  it('are never sent again once refused, whatever else differs, and others are', async () => {
    const { asked, obtain, baseUrl } = await portalAnswering((fields) =>
      fields.get('password') === 'right' ? { token: 't' } : refusal('Invalid username or password.'),
    )
    const wrong = [{}, {}, { referer: 'https://other' }, { expirationMs: 120_000 }].map((changes) =>
      obtain(source({ ...changes, password: 'wrong' })),
    )
    const said = `the login was not accepted: ${baseUrl}/generateToken says that the user name or the password is wrong`
    for (const each of await Promise.all(wrong)) expect(each).toContain(said)
    expect(await obtain(source({ password: 'wrong' }), { instead: 'old' })).toContain(said)
    expect(asked).toEqual(['admin'])
    expect(await obtain(source())).toBe('t')
    await obtain(source({ username: 'guest', password: 'wrong' }))
    expect(asked).toEqual(['admin', 'admin', 'guest'])
  })

  it('that were accepted are not sent again either where a renewal is refused', async () => {
    const { asked, obtain } = await portalAnswering((_, count) =>
      count === 1 ? { token: 'first' } : refusal('Invalid username or password.'),
    )
    expect(await obtain(source())).toBe('first')
    await obtain(source(), { instead: 'first' })
    expect(await obtain(source(), { instead: 'first' })).toContain('is wrong')
    expect(asked).toHaveLength(2)
  })

  it.each([
    [{ code: 400, message: 'Invalid username or password' }, /the user name or the password is wrong/],
    [
      { code: 400, message: 'Unable to generate token.', details: [] },
      /answered HTTP 200 with error code 400$/,
    ],
    [null, /answered HTTP 200 without a token$/],
  ])('that are refused with %j say what is known of the reason', async (error, expected) => {
    const { obtain } = await portalAnswering(() => ({ error }))
    expect(await obtain(source())).toMatch(expected)
  })

  it('of a locked account say so', async () => {
    const { asked, obtain } = await portalAnswering(() => refusal('Too many invalid attempts.'))
    expect(await obtain(source())).toMatch(/the account is locked after too many failed logins; wait 15 min/)
    await obtain(source())
    expect(asked).toHaveLength(1)
  })

  it('are sent again where the deployment only failed', async () => {
    const { asked, obtain } = await portalAnswering((_, count) => (count === 1 ? 500 : { token: 't' }))
    expect(await obtain(source())).toContain('answered HTTP 500')
    expect(await obtain(source())).toBe('t')
    expect(asked).toHaveLength(2)
  })

  it('that get no token say what is in front of the portal', async () => {
    const { obtain } = await portalAnswering(() => 404)
    expect(await obtain(source())).toMatch(/generateToken answered HTTP 404; no portal answers here/)
  })
})
