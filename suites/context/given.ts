/** What a check is given: fixtures of the provider, and valid requests that are made of them. */
import fc from 'fast-check'
import type { OperationId } from '../../specs/operations.ts'
import type { Configuration } from '../../target/configuration.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from '../../target/fixture-kinds.ts'
import { type Derivation, validRequest } from '../cases/requests.ts'
import { requestSchema } from '../cases/schema.ts'
import { subSeed } from '../seeds.ts'
import type { Session } from '../session.ts'
import type { Request } from './calls.ts'

type Obtain<Kind extends FixtureKind> = (
  options?: Partial<FixtureOptions[Kind]>,
) => Promise<FixtureAnswers[Kind]>

/** The fixtures that a check declared, and valid requests. */
export type Given<Kind extends FixtureKind> = { readonly [K in Kind]: Obtain<K> } & {
  /** An ordinary valid request, with a group where the operation links one. `fixed` are values it must hold. */
  readonly request: (operation: OperationId, fixed?: Request) => Promise<Request>
  /** The request with a group in it where the operation links one and none was given. */
  readonly linked: (operation: OperationId, request: Request) => Promise<Request>
  /** Valid requests in all their variety, around the given values. */
  readonly requests: (operation: OperationId, derivation?: Derivation) => fc.Arbitrary<Request>
}

/** Fixtures and requests for one attempt of one check. `name` keeps its seeds apart from those of others. */
export function givenFor(session: Session, name: string, kinds: readonly FixtureKind[]): Given<FixtureKind> {
  let made = 0
  const obtain = <K extends FixtureKind>(kind: K): Obtain<K> => {
    return (options = {}) => session.obtain(kind, options as FixtureOptions[K])
  }
  const settled = (operation: OperationId, fixed: Request): Request => ({
    ...settledValues(session.configuration, operation),
    ...fixed,
  })
  const fixtures = Object.fromEntries(kinds.map((kind) => [kind, obtain(kind)])) as {
    [K in FixtureKind]: Obtain<K>
  }
  return {
    ...fixtures,
    request: async (operation, fixed = {}) => {
      const arbitrary = validRequest(requestSchema(operation), {
        fixed: settled(operation, await linked(session, operation, fixed)),
        text: 'ordinary',
        leaveOut: 'nothing',
      })
      made += 1
      const seed = subSeed(session.configuration.run.seed, `${name}/${made}`)
      const request = fc.sample(arbitrary, { seed, numRuns: 1 })[0] as Request
      const called = request.collaborationWorkspaceName
      if (operation !== 'add-workspace' || typeof called !== 'string') return request
      // Whether two workspaces may have one name is open: each request has a name of its own.
      return { ...request, collaborationWorkspaceName: `${called.slice(0, 80).trim()} ${made}` }
    },
    linked: (operation, request) => linked(session, operation, request),
    requests: (operation, derivation = {}) =>
      validRequest(requestSchema(operation), {
        ...derivation,
        fixed: settled(operation, derivation.fixed ?? {}),
      }),
  }
}

async function linked(session: Session, operation: OperationId, request: Request): Promise<Request> {
  if (operation === 'add-workspace' && !Object.hasOwn(request, 'portalGroupId')) {
    return { ...request, portalGroupId: await session.anyGroup() }
  }
  if (operation === 'update-federation' && !Object.hasOwn(request, 'groups')) {
    return { ...request, groups: [await session.anyGroup()] }
  }
  return request
}

/** Values of parameters that this deployment settles. */
function settledValues({ contract }: Configuration, operation: OperationId): Request {
  if (operation !== 'update-federation') return {}
  const { signUpModes, userTypes, roleId, userLicenseType } = contract.federation ?? {}
  return {
    ...(signUpModes?.[0] === undefined ? {} : { signUpMode: signUpModes[0] }),
    ...(userTypes?.[0] === undefined ? {} : { userType: userTypes[0] }),
    ...(roleId === undefined ? {} : { roleId }),
    ...(userLicenseType === undefined ? {} : { userLicenseType }),
  }
}
