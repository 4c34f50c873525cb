/**
 * Refusals that may come from a value on which the contract is open: addresses at domains for examples, where a
 * deployment looks addresses up, parameters that are not sent because no value of them is known, and the notation of
 * certificates and of groups. They say nothing of the deployment.
 */

import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { enclosed, pemMarkers } from '../../specs/certificates.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { RequestFields } from '../context/calls.ts'
import { vainOften } from '../effort.ts'
import { NotTested } from '../findings.ts'
import { remembered } from '../remembered.ts'

/** Addresses with nothing about them that a deployment could refuse but their domain. */
const plain: Readonly<Record<string, string>> = {
  email: 'anna.berg@example.com',
  url: 'https://example.org/federation',
}

const reserved = /(?:@|\/\/)(?:[\w-]+\.)*example\.(?:com|net|org)(?![\w.-])/

type Settled = Pick<Configuration['contract'], 'domain' | 'federation'>

/** What a run has found out of each operation. */
export class OpenValues {
  readonly #taken = new Set<OperationId>()
  readonly #questions = new Map<OperationId, Promise<NotTested | undefined>[]>()
  readonly #settled: Settled

  /**
   * What is settled. `domain`: where the addresses of valid requests are; what is at a domain for examples then was sent to
   * be refused. A value of `federation`: a request without it was meant to be without, and one in that notation is right.
   */
  constructor(settled: Settled = {}) {
    this.#settled = settled
  }

  /** A request of the permitted caller was accepted. */
  accepted(operation: OperationId, request: RequestFields): void {
    const { open, unsettled } = this.#openIn(operation, request)
    if (open.addresses.length + open.notations.length + unsettled.length > 0) this.#taken.add(operation)
  }

  /**
   * A request of the permitted caller was refused. Rejects with `NotTested` where requests are accepted without what is
   * open, and refused with plain addresses at domains for examples, or in one notation and not in another; and where none
   * was accepted yet, and the operation may need a parameter of which no value is settled. `ask` sends another request in
   * its place.
   */
  async refused(
    operation: OperationId,
    request: RequestFields,
    ask: (request: RequestFields) => Promise<Answer>,
  ): Promise<void> {
    if (this.#taken.has(operation)) return
    const { open, unsettled } = this.#openIn(operation, request)
    if (open.addresses.length + open.notations.length > 0)
      await this.#askFor(operation, request, open, async (changed) => isAccepted(await ask(changed)))
    if (unsettled.length === 0 || this.#taken.has(operation)) return
    if (!isAccepted(await ask(request))) throw mayNeed(unsettled)
    this.#taken.add(operation)
  }

  /** What of the request is open here, and which parameters it lacks since their values are open. */
  #openIn(operation: OperationId, request: RequestFields) {
    const { domain, federation = {} } = this.#settled
    const open: OpenFields = {
      addresses: domain === undefined ? addressFields(operation, request) : [],
      notations: notations.filter(
        ({ name, settled }) => request[name] !== undefined && federation[settled] === undefined,
      ),
    }
    const unsettled = unsettledParameters(operation, request).filter(
      (name) => federation[name as keyof typeof federation] === undefined,
    )
    return { open, unsettled }
  }

  async #askFor(
    operation: OperationId,
    request: RequestFields,
    open: OpenFields,
    takes: Takes,
  ): Promise<void> {
    const asked = remembered(this.#questions, operation, () => [])
    // One after the other, so that the first that tells spares the rest.
    for (const known of asked) {
      const why = await known
      if (why !== undefined) throw why
    }
    if (this.#taken.has(operation) || asked.length >= vainOften) return
    const question = whyRefused(request, open, takes)
    asked.push(question)
    const why = await question
    if (why !== undefined) throw why
  }
}

type Takes = (request: RequestFields) => Promise<boolean>

interface OpenFields {
  readonly addresses: readonly AddressField[]
  readonly notations: readonly Notation[]
}

/** A parameter of which the notation is open, in another than is sent where nothing is settled. */
interface Notation {
  readonly name: string
  readonly settled: keyof NonNullable<Settled['federation']>
  readonly otherwise: string
  readonly written: (value: unknown) => unknown
}

const notations: readonly Notation[] = [
  {
    name: 'certificate',
    settled: 'certificateMarkers',
    otherwise: 'between the markers of PEM',
    written: (value) => enclosed(String(value).replace(/.{64}(?=.)/g, '$&\n'), pemMarkers),
  },
  {
    name: 'groups',
    settled: 'groupsNotation',
    otherwise: 'as a JSON array',
    written: (value) => (Array.isArray(value) ? JSON.stringify(value) : value),
  },
]

interface AddressField {
  readonly name: string
  readonly kind: string
}

/** The parameters of the request that hold an address at a domain for examples. */
function addressFields(operation: OperationId, request: RequestFields): AddressField[] {
  return Object.entries(requestSchema(operation).properties).flatMap(([name, property]) => {
    const kind = property['x-realistic'] ?? ''
    return Object.hasOwn(plain, kind) && reserved.test(String(request[name])) ? [{ name, kind }] : []
  })
}

/** Parameters that are left out because their values are open. */
const unsettledParameters = (operation: OperationId, request: RequestFields): string[] =>
  Object.entries(requestSchema(operation).properties).flatMap(([name, property]) =>
    property['x-realistic'] === 'settled' && request[name] === undefined ? [name] : [],
  )

/** What of the request is open, and is why it was refused; undefined where it was refused for something else. */
async function whyRefused(
  request: RequestFields,
  { addresses, notations }: OpenFields,
  takes: Takes,
): Promise<NotTested | undefined> {
  const fields = [...addresses, ...notations].map(({ name }) => [name, undefined])
  const without: RequestFields = { ...request, ...Object.fromEntries(fields) }
  if (!(await takes(without))) return undefined
  const plainly = addresses.map(({ name, kind }) => [name, plain[kind]])
  if (plainly.length > 0 && !(await takes({ ...without, ...Object.fromEntries(plainly) })))
    return refusedFor(addresses)
  for (const { name, settled, otherwise, written } of notations) {
    if (await takes({ ...without, [name]: request[name] })) continue
    if (await takes({ ...without, [name]: written(request[name]) }))
      return new NotTested(
        `a request is accepted with ${name} ${otherwise}, and refused otherwise: set ${keyOf(settled)}`,
        [keyOf(settled)],
      )
  }
  return undefined
}

const refusedFor = (fields: readonly AddressField[]): NotTested =>
  new NotTested(
    `a request is accepted without ${fields.map(({ name }) => name).join(' and ')}, and refused with addresses at a domain for examples: set contract.domain to a domain whose addresses this deployment takes`,
    ['contract.domain'],
  )

const mayNeed = (names: readonly string[]): NotTested =>
  new NotTested(
    `no request was accepted without ${names.join(' and ')}, of which no value is known here: set ${names.map(keyOf).join(' and ')}`,
    names.map(keyOf),
  )

const keyOf = (name: string): string => `contract.federation.${name}`
