/**
 * Refusals that may be about a value that the contract leaves open: addresses in example domains, parameters that are
 * not sent because no value is known, and the notation of certificates and groups. Such refusals say nothing about the
 * deployment.
 */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { saysUnknown } from '../../deployment/credentials/credential-keeper.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { enclosed, pemMarkers } from '../../specs/certificates.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { RequestFields } from '../context/calls.ts'
import { NotTested } from '../findings.ts'

/** Addresses that a deployment can only refuse for their domain. */
const plainAddresses: Readonly<Record<string, string>> = {
  email: 'anna.berg@example.com',
  url: 'https://example.org/federation',
}

const inExampleDomain = /(?:@|\/\/)(?:[\w-]+\.)*example\.(?:com|net|org)(?![\w.-])/

type Settled = Pick<Configuration['contract'], 'domain' | 'federation'>

/** What a run learned about open values of each operation. */
export class OpenValues {
  /** Operations that accepted a request with open values. */
  readonly #accepted = new Set<OperationId>()
  readonly #settled: Settled

  /**
   * `settled`: with `domain`, an address in an example domain was sent to be refused. With a value in `federation`, a
   * request without that parameter, or in that notation, was meant like that.
   */
  constructor(settled: Settled = {}) {
    this.#settled = settled
  }

  /** A request of the permitted caller was accepted. */
  accepted(operation: OperationId, request: RequestFields): void {
    const { addresses, notations, unsettled } = this.#openIn(operation, request)
    if (addresses.length + notations.length + unsettled.length > 0) this.#accepted.add(operation)
  }

  /**
   * A request of the permitted caller was refused. Rejects with `NotTested` if requests are accepted without the open
   * values but refused with plain addresses in example domains, or in one notation but not in the other; or if none was
   * accepted yet and the operation may need a parameter without a known value. `ask` sends another request instead.
   */
  async refused(
    operation: OperationId,
    request: RequestFields,
    ask: (request: RequestFields) => Promise<Answer>,
  ): Promise<void> {
    if (this.#accepted.has(operation)) return
    const open = this.#openIn(operation, request)
    const why = await refusedValue(request, open, async (changed) => isAccepted(await ask(changed)))
    if (why !== undefined) throw why
    if (open.unsettled.length === 0 || this.#accepted.has(operation)) return
    const again = await ask(request)
    if (!isAccepted(again)) throw unknownCredential(operation, again) ?? mayNeed(open.unsettled)
    this.#accepted.add(operation)
  }

  #openIn(operation: OperationId, request: RequestFields): OpenFields {
    const { domain, federation = {} } = this.#settled
    return {
      addresses: domain === undefined ? addressFields(operation, request) : [],
      notations: notations.filter(
        ({ name, settled }) => request[name] !== undefined && federation[settled] === undefined,
      ),
      unsettled: unsettledParameters(operation, request).filter(
        (name) => federation[name as keyof typeof federation] === undefined,
      ),
    }
  }
}

type Takes = (request: RequestFields) => Promise<boolean>

/** The open values in a request, and the parameters that it lacks because no value is known. */
interface OpenFields {
  readonly addresses: readonly AddressField[]
  readonly notations: readonly Notation[]
  readonly unsettled: readonly string[]
}

/** A parameter with an open notation, and the other notation. */
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

/** The parameters with an address in an example domain. */
function addressFields(operation: OperationId, request: RequestFields): AddressField[] {
  return Object.entries(requestSchema(operation).properties).flatMap(([name, property]) => {
    const kind = property['x-realistic'] ?? ''
    return Object.hasOwn(plainAddresses, kind) && inExampleDomain.test(String(request[name]))
      ? [{ name, kind }]
      : []
  })
}

/** Parameters that are not sent because no value is known. */
const unsettledParameters = (operation: OperationId, request: RequestFields): string[] =>
  Object.entries(requestSchema(operation).properties).flatMap(([name, property]) =>
    property['x-realistic'] === 'settled' && request[name] === undefined ? [name] : [],
  )

/** Which open value was refused. Undefined if the request was refused for another reason. */
async function refusedValue(
  request: RequestFields,
  { addresses, notations }: OpenFields,
  takes: Takes,
): Promise<NotTested | undefined> {
  const fields = [...addresses, ...notations].map(({ name }) => [name, undefined])
  if (fields.length === 0) return undefined
  const without: RequestFields = { ...request, ...Object.fromEntries(fields) }
  if (!(await takes(without))) return undefined
  const plainly = addresses.map(({ name, kind }) => [name, plainAddresses[kind]])
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
    `no request was accepted without ${names.join(' and ')} (no value is known): set ${names.map(keyOf).join(' and ')}`,
    names.map(keyOf),
  )

/** The refusal is about the credential, so it shows nothing about values. Undefined: it may be about them. */
function unknownCredential(operation: OperationId, refused: Answer): NotTested | undefined {
  const code = errorCodeOf(refused)
  if (!saysUnknown(code)) return undefined
  const { calledBy } = operationOf(operation)
  return new NotTested(
    `no request was accepted, since the target does not know the credential of ${calledBy} (${code}): check it`,
    [`actors.${calledBy}.credential`],
  )
}

const keyOf = (name: string): string => `contract.federation.${name}`
