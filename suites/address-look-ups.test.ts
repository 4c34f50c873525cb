import { describe, expect, it } from 'vitest'
import { AddressLookUps } from './address-look-ups.ts'
import { answerOf } from './answers.fixture.ts'
import type { Request } from './context/calls.ts'
import { NotTested } from './findings.ts'

const accepted = answerOf({ success: true })
const refused = answerOf({ error: { code: 400 } })

const contact = {
  contactFirstname: 'Anna',
  contactLastname: 'Berg',
  contactEmailAddress: 'anna+berg@sub.example.org',
}

/** Sends requests to a deployment that takes those; how often it was asked on the side, and what came of each. */
async function run(takes: (address: unknown) => boolean, ...requests: Request[]) {
  const lookUps = new AddressLookUps()
  let questions = 0
  const send = async (request: Request) => (takes(request.contactEmailAddress) ? accepted : refused)
  const ends: unknown[] = []
  for (const request of requests) {
    const ask = (changed: Request) => {
      questions += 1
      return send(changed)
    }
    ends.push(
      await lookUps.look('update-participant', request, await send(request), ask).catch((error) => error),
    )
  }
  return { ends, questions }
}

describe('a deployment that looks addresses up', () => {
  it('is not tested with addresses at domains for examples, and asked once', async () => {
    const { ends, questions } = await run((address) => !/example/.test(String(address)), contact, contact)
    expect(ends).toEqual([expect.any(NotTested), expect.any(NotTested)])
    expect((ends[0] as Error).message).toContain('contract.domain')
    expect(questions).toBe(2)
  })
})

describe('a refusal stands', () => {
  it.each([
    ['where it has another reason', () => false],
    ['where only an unusual address is refused', (address: unknown) => !String(address).includes('+')],
    ['where the address is needed', (address: unknown) => address === 'somebody'],
  ])('%s', async (_, takes) => {
    const { ends, questions } = await run(takes, contact, contact, contact, contact, contact)
    expect(ends).toEqual(Array.from({ length: 5 }))
    expect(questions).toBeLessThanOrEqual(6)
  })

  it('and nothing is asked where such an address was accepted before', async () => {
    const simple = { ...contact, contactEmailAddress: 'a@example.com' }
    const { ends, questions } = await run((address) => !String(address).includes('+'), simple, contact)
    expect(ends).toEqual([undefined, undefined])
    expect(questions).toBe(0)
  })

  it('where the address is in a domain of the deployment', async () => {
    const own = { ...contact, contactEmailAddress: 'anna@portal.edu' }
    expect(await run(() => false, own)).toEqual({ ends: [undefined], questions: 0 })
  })
})
