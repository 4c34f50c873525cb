import { describe, expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { OperationId } from '../../specs/operations.ts'
import { answerOf } from '../answers.fixture.ts'
import type { RequestFields } from '../context/calls.ts'
import { NotTested } from '../findings.ts'
import { OpenValues } from './open-values.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 400 } })

const contact = {
  contactFirstname: 'Anna',
  contactLastname: 'Berg',
  contactEmailAddress: 'anna+berg@sub.example.org',
}

/** The error after a permitted caller's request got this answer. Undefined if the answer counts. */
async function errorAfter(
  openValues: OpenValues,
  operation: OperationId,
  request: RequestFields,
  answer: Answer,
  ask: (request: RequestFields) => Promise<Answer>,
): Promise<unknown> {
  if (answer === accepted) return openValues.accepted(operation, request)
  return openValues.refused(operation, request, ask).catch((error: unknown) => error)
}

/** Sends requests to a deployment that accepts these addresses. Counts its side questions. */
async function run(
  accepts: (address: string) => boolean,
  requests: readonly RequestFields[],
  settled: object = {},
) {
  const openValues = new OpenValues(settled)
  let questions = 0
  const send = async (request: RequestFields) =>
    accepts(String(request.contactEmailAddress)) ? accepted : refused
  const ends: unknown[] = []
  for (const request of requests) {
    const ask = (changed: RequestFields) => {
      questions += 1
      return send(changed)
    }
    ends.push(await errorAfter(openValues, 'update-participant', request, await send(request), ask))
  }
  return { ends, questions }
}

it('a refused address is not tested if the target refuses all example domains', async () => {
  const { ends, questions } = await run((address) => !/example/.test(address), [contact, contact])
  expect(ends).toEqual([expect.any(NotTested), expect.any(NotTested)])
  expect((ends[0] as Error).message).toContain('contract.domain')
  expect(questions).toBe(4)
})

describe('the refusal of an address counts', () => {
  const ordinary = (address: string) => !address.includes('+')

  it.each([
    ['the target refuses requests without it too', () => false],
    ['the target refuses only unusual addresses', ordinary],
  ])('if %s', async (_, accepts) => {
    const { ends, questions } = await run(accepts, [contact, contact, contact, contact, contact])
    expect(ends).toEqual(Array.from({ length: 5 }))
    expect(questions).toBeLessThanOrEqual(10)
  })

  const at = (contactEmailAddress: string) => ({ ...contact, contactEmailAddress })

  it.each<[string, (address: string) => boolean, readonly RequestFields[], object?]>([
    ['an address in an example domain was accepted before', ordinary, [at('a@example.com'), contact]],
    ['the address is in a domain of the deployment', () => false, [at('anna@portal.edu')]],
    [
      'contract.domain is set, so an example domain was sent on purpose',
      (address) => !address.includes('example'),
      [contact],
      { domain: 'portal.edu' },
    ],
  ])('without a side question if %s', async (_, accepts, requests, settled) => {
    const ends = requests.map(() => undefined)
    expect(await run(accepts, requests, settled)).toEqual({ ends, questions: 0 })
  })
})

describe('parameters that are omitted because no value is configured', () => {
  const settings = { name: 'A federation', entityId: 'urn:example:portal', userType: 'platformonly' }

  async function ends(
    answers: readonly boolean[],
    request: RequestFields = settings,
    openValues = new OpenValues(),
  ): Promise<unknown[]> {
    const rest = [...answers]
    const send = async () => (rest.shift() === true ? accepted : refused)
    const all: unknown[] = []
    while (rest.length > 0)
      all.push(await errorAfter(openValues, 'update-federation', request, await send(), send))
    return all
  }

  it('make a refusal not tested if no request without them was accepted', async () => {
    const [end] = await ends([false, false])
    expect(end).toBeInstanceOf(NotTested)
    expect((end as Error).message).toContain('contract.federation.roleId')
  })

  it.each([498, 499, 401])(
    'are not the reason if the target does not know the credential (%i)',
    async (code) => {
      const unknown = answerOf({ error: { code, message: 'Invalid token.' } })
      const send = async () => unknown
      const end = await errorAfter(new OpenValues(), 'update-federation', settings, unknown, send)
      expect(end).toMatchObject({
        constructor: NotTested,
        message: `no request was accepted, since the target does not know the credential of organizationAdministrator (${code}): check it`,
        add: ['actors.organizationAdministrator.credential'],
      })
    },
  )

  it('do not excuse a refusal once a request without them was accepted', async () => {
    expect(await ends([true, false])).toEqual([undefined, undefined])
    expect(await ends([false, true, false])).toEqual([undefined, undefined])
  })

  const values = { roleId: 'org_user', userLicenseType: 'creatorUT' }

  it('do not excuse a refusal if their values are configured, or sent', async () => {
    const known = new OpenValues({ domain: 'portal.edu', federation: values })
    expect(await ends([false, false], settings, known)).toEqual([undefined, undefined])
    expect(await ends([false, false], { ...settings, ...values })).toEqual([undefined, undefined])
  })
})

describe('a notation that is not configured', () => {
  const whole = {
    name: 'A federation',
    certificate: 'TUlJ'.repeat(40),
    groups: ['g1', 'g2'],
    roleId: 'org_user',
    userLicenseType: 'creatorUT',
  }
  const asked = async (accepts: (request: RequestFields) => boolean, openValues = new OpenValues()) => {
    const send = async (request: RequestFields) => (accepts(request) ? accepted : refused)
    return errorAfter(openValues, 'update-federation', whole, await send(whole), send)
  }
  const marked = ({ certificate }: RequestFields) =>
    certificate === undefined || /^-----BEGIN CERTIFICATE-----\n[\w\n]+\n-----END/.test(String(certificate))
  const asJson = ({ groups }: RequestFields) => groups === undefined || groups === '["g1","g2"]'

  it.each([
    ['contract.federation.certificateMarkers', marked],
    ['contract.federation.groupsNotation', asJson],
    [
      'contract.federation.certificateMarkers',
      (request: RequestFields) => marked(request) && asJson(request),
    ],
  ])('is not tested if the target accepts only another notation, and names %s', async (key, accepts) => {
    const end = await asked(accepts)
    expect(end).toBeInstanceOf(NotTested)
    expect([(end as NotTested).message, (end as NotTested).add]).toEqual([
      expect.stringContaining(`set ${key}`),
      [key],
    ])
  })

  it.each<[string, (request: RequestFields) => boolean]>([
    ['a certificate in any notation', ({ certificate }) => certificate === undefined],
    ['the request without the value too', () => false],
  ])('does not excuse a refusal if the target refuses %s', async (_, accepts) => {
    expect(await asked(accepts)).toBeUndefined()
  })

  it('excuses no refusal once it is configured', async () => {
    const settled = { certificateMarkers: { begin: 'a', end: 'b' }, groupsNotation: 'comma' } as const
    expect(await asked(asJson, new OpenValues({ federation: settled }))).toBeUndefined()
  })
})
