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

/** What happens to a request of a permitted caller that was answered so. */
async function looked(
  openValues: OpenValues,
  operation: OperationId,
  request: RequestFields,
  answer: Answer,
  ask: (request: RequestFields) => Promise<Answer>,
): Promise<unknown> {
  if (answer === accepted) return openValues.accepted(operation, request)
  return openValues.refused(operation, request, ask).catch((error: unknown) => error)
}

/** Sends requests to a deployment that takes those addresses; how often it was asked on the side, and what came of each. */
async function run(
  takes: (address: string) => boolean,
  requests: readonly RequestFields[],
  settled: object = {},
) {
  const openValues = new OpenValues(settled)
  let questions = 0
  const send = async (request: RequestFields) =>
    takes(String(request.contactEmailAddress)) ? accepted : refused
  const ends: unknown[] = []
  for (const request of requests) {
    const ask = (changed: RequestFields) => {
      questions += 1
      return send(changed)
    }
    ends.push(await looked(openValues, 'update-participant', request, await send(request), ask))
  }
  return { ends, questions }
}

it('a deployment that looks addresses up is not tested with those at domains for examples, and asked once', async () => {
  const { ends, questions } = await run((address) => !/example/.test(address), [contact, contact])
  expect(ends).toEqual([expect.any(NotTested), expect.any(NotTested)])
  expect((ends[0] as Error).message).toContain('contract.domain')
  expect(questions).toBe(2)
})

describe('the refusal of an address stands', () => {
  const ordinary = (address: string) => !address.includes('+')

  it.each([
    ['where it has another reason', () => false],
    ['where only an unusual one is refused', ordinary],
    ['where it is needed', (address: string) => address === 'somebody'],
  ])('%s', async (_, takes) => {
    const { ends, questions } = await run(takes, [contact, contact, contact, contact, contact])
    expect(ends).toEqual(Array.from({ length: 5 }))
    expect(questions).toBeLessThanOrEqual(6)
  })

  const at = (contactEmailAddress: string) => ({ ...contact, contactEmailAddress })

  it.each<[string, (address: string) => boolean, readonly RequestFields[], object?]>([
    ['such an address was accepted before', ordinary, [at('a@example.com'), contact]],
    ['it is in a domain of the deployment', () => false, [at('anna@portal.edu')]],
    [
      'a domain of the deployment is known: one for examples was sent to be refused',
      (address) => !address.includes('example'),
      [contact],
      { domain: 'portal.edu' },
    ],
  ])('without a question where %s', async (_, takes, requests, settled) => {
    const ends = requests.map(() => undefined)
    expect(await run(takes, requests, settled)).toEqual({ ends, questions: 0 })
  })
})

describe('parameters that are left out because no value of them is known', () => {
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
      all.push(await looked(openValues, 'update-federation', request, await send(), send))
    return all
  }

  it('may be needed where nothing was accepted without them: not tested', async () => {
    const [end] = await ends([false, false])
    expect(end).toBeInstanceOf(NotTested)
    expect((end as Error).message).toContain('contract.federation.roleId')
  })

  it('are not needed once a request was accepted: refusals stand', async () => {
    expect(await ends([true, false])).toEqual([undefined, undefined])
    expect(await ends([false, true, false])).toEqual([undefined, undefined])
  })

  it('were meant to be left out where they are settled, and other requests send them', async () => {
    const federation = { roleId: 'org_user', userLicenseType: 'creatorUT' }
    const known = new OpenValues({ domain: 'portal.edu', federation })
    expect(await ends([false, false], settings, known)).toEqual([undefined, undefined])
  })

  it('are nothing to wonder about where they are settled', async () => {
    const whole = { ...settings, roleId: 'org_user', userLicenseType: 'creatorUT' }
    expect(await ends([false, false], whole)).toEqual([undefined, undefined])
  })
})

describe('a notation that is not settled', () => {
  const whole = {
    name: 'A federation',
    certificate: 'TUlJ'.repeat(40),
    groups: ['g1', 'g2'],
    roleId: 'org_user',
    userLicenseType: 'creatorUT',
  }
  const asked = async (takes: (request: RequestFields) => boolean, openValues = new OpenValues()) => {
    const send = async (request: RequestFields) => (takes(request) ? accepted : refused)
    return looked(openValues, 'update-federation', whole, await send(whole), send)
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
  ])('leaves untested what is taken in another only, and names %s', async (key, takes) => {
    const end = await asked(takes)
    expect(end).toBeInstanceOf(NotTested)
    expect([(end as NotTested).message, (end as NotTested).add]).toEqual([
      expect.stringContaining(`set ${key}`),
      [key],
    ])
  })

  it.each<[string, (request: RequestFields) => boolean]>([
    ['in none', ({ certificate }) => certificate === undefined],
    ['not even without it', () => false],
  ])('lets a refusal stand where it is taken %s', async (_, takes) => {
    expect(await asked(takes)).toBeUndefined()
  })

  it('is none where it is settled', async () => {
    const settled = { certificateMarkers: { begin: 'a', end: 'b' }, groupsNotation: 'comma' } as const
    expect(await asked(asJson, new OpenValues({ federation: settled }))).toBeUndefined()
  })
})
