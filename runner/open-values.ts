/**
 * Refusals that may come from a value on which the contract is open: addresses at domains for examples, where a
 * deployment looks addresses up, and parameters that are not sent because no value of them is known. They say nothing of
 * the deployment.
 */
import { acceptance } from '../clauses/acceptance.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { requestSchema } from '../schemas/catalogue.ts'
import type { OperationId } from '../specs/operations.ts'
import type { Request } from './context/calls.ts'
import { NotTested } from './findings.ts'

/** Addresses with nothing about them that a deployment could refuse but their domain. */
const plain: Readonly<Record<string, string>> = {
  email: 'anna.berg@example.com',
  url: 'https://example.org/federation',
}

const reserved = /(?:@|\/\/)(?:[\w-]+\.)*example\.(?:com|net|org)(?![\w.-])/

/** How often it is asked whether addresses are why a request was refused, for each operation. */
const mostQuestions = 3

type Settled = Pick<Configuration['contract'], 'domain' | 'federation'>

/** What a run has found out of each operation. */
export class OpenValues {
  readonly #taken = new Set<OperationId>()
  readonly #questions = new Map<OperationId, Promise<boolean>[]>()
  readonly #settled: Settled

  /**
   * What is settled. `domain`: where the addresses of valid requests are; what is at a domain for examples then was sent to
   * be refused. A value of `federation`: a request without it was meant to be without.
   */
  constructor(settled: Settled = {}) {
    this.#settled = settled
  }

  /**
   * Looks at the answer to a request by the permitted caller. Rejects with `NotTested` where requests are accepted
   * without their addresses, and refused with plain ones at domains for examples; and where none was accepted yet, and
   * the operation may need a parameter of which no value is settled. `ask` sends another request in its place.
   */
  async look(
    operation: OperationId,
    request: Request,
    answer: Answer,
    ask: (request: Request) => Promise<Answer>,
  ): Promise<void> {
    const { domain, federation = {} } = this.#settled
    const fields = domain === undefined ? addressFields(operation, request) : []
    const unsettled = unsettledParameters(operation, request).filter(
      (name) => federation[name as keyof typeof federation] === undefined,
    )
    if (fields.length + unsettled.length === 0) return
    if (acceptance(answer).accepted) return void this.#taken.add(operation)
    if (this.#taken.has(operation)) return
    if (fields.length > 0) await this.#askForAddresses(operation, request, fields, ask)
    if (unsettled.length === 0 || this.#taken.has(operation)) return
    if (!acceptance(await ask(request)).accepted) throw mayNeed(unsettled)
    this.#taken.add(operation)
  }

  async #askForAddresses(
    operation: OperationId,
    request: Request,
    fields: readonly AddressField[],
    ask: (request: Request) => Promise<Answer>,
  ): Promise<void> {
    const asked = this.#questions.get(operation) ?? []
    this.#questions.set(operation, asked)
    // One after the other, so that the first that tells spares the rest.
    for (const known of asked) if (await known) throw refusedFor(fields)
    if (this.#taken.has(operation) || asked.length >= mostQuestions) return
    const question = areRefused(request, fields, ask)
    asked.push(question)
    if (await question) throw refusedFor(fields)
  }
}

interface AddressField {
  readonly name: string
  readonly kind: string
}

/** The parameters of the request that hold an address at a domain for examples. */
function addressFields(operation: OperationId, request: Request): AddressField[] {
  return Object.entries(requestSchema(operation).properties).flatMap(([name, property]) => {
    const kind = property['x-realistic'] ?? ''
    return Object.hasOwn(plain, kind) && reserved.test(String(request[name])) ? [{ name, kind }] : []
  })
}

/** Parameters that are left out because their values are open. */
const unsettledParameters = (operation: OperationId, request: Request): string[] =>
  Object.entries(requestSchema(operation).properties).flatMap(([name, property]) =>
    property['x-realistic'] === 'settled' && request[name] === undefined ? [name] : [],
  )

async function areRefused(
  request: Request,
  fields: readonly AddressField[],
  ask: (request: Request) => Promise<Answer>,
): Promise<boolean> {
  const changed = (value: (field: AddressField) => unknown): Request => ({
    ...request,
    ...Object.fromEntries(fields.map((field) => [field.name, value(field)])),
  })
  if (!acceptance(await ask(changed(() => undefined))).accepted) return false
  return !acceptance(await ask(changed(({ kind }) => plain[kind]))).accepted
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
