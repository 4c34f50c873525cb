/** What a profile says of a kind of deployment: it settles open points, and never changes a requirement. */
import type { Markers } from './certificates.ts'
import type { OpenPointId } from './open-points.ts'
import type { OperationId } from './operations.ts'
import type { RequirementId } from './requirements.ts'

/** How a request carries its credential: an open point of the contract. */
export interface Authentication {
  readonly in: 'form' | 'query' | 'header' | 'cookie'
  readonly name: string
  readonly prefix: string
  /** A page below the base URL that answers only to a valid credential and changes nothing. */
  readonly check?: string
}

/** Open points of the contract with the values that settle them. */
export interface Settlements {
  /** The domain of the addresses that are made up. */
  readonly domain?: string
  /** Whether the designated participant can sync a workspace as soon as it is added. */
  readonly newWorkspacesSync?: boolean
  readonly sync?: { readonly parameter: string; readonly synchronous: string; readonly asynchronous: string }
  readonly run?: { readonly statuses: readonly string[]; readonly closed?: boolean }
  readonly federation?: {
    /** `json`: a JSON array of strings (default); `comma`: ids joined by commas; `repeated`: the parameter once an id. */
    readonly groupsNotation?: 'json' | 'comma' | 'repeated'
    readonly signUpModes?: readonly string[]
    readonly userTypes?: readonly string[]
    readonly discoveryServiceUrl?: string
    readonly metadataServiceUrl?: string
    readonly entityId?: string
    readonly roleId?: string
    readonly userLicenseType?: string
    readonly certificateMarkers?: Markers
    /** Further form parameters of this deployment, the conditional ones above all. */
    readonly parameters?: Readonly<Record<string, string>>
  }
}

/**
 * `informs`: nothing is judged by it; `settles`: the suite uses the values; `closes`: besides, values that are not
 * listed must be refused; of syncs, that they must not overlap.
 */
export type PointEffect = 'informs' | 'settles' | 'closes'

export interface ProfilePoint {
  readonly point: OpenPointId
  readonly effect: PointEffect
  /** What is known, in words. */
  readonly says: string
  /** Where it is read, and whether it is documented, seen in a client, or inferred. */
  readonly source: string
}

/** What a profile can close: lists of values, and overlapping syncs. */
export const closablePoints = [
  'run-statuses',
  'sign-up-modes',
  'user-types',
  'own-syncs',
] as const satisfies readonly OpenPointId[]

/** Why a request is refused. */
export type RefusalCause = 'noCredential' | 'invalidCredential' | 'notPermitted'

/** Pages that show what operations do. */
export type ReadName =
  | 'workspaces'
  | 'collaboration'
  | 'participant'
  | 'run'
  | 'item'
  | 'content'
  | 'syncs'
  | 'federation'

/**
 * An answer that breaks the contract and is known of such deployments: the finding says so, and stays a finding. An
 * answer has the shape where all that is said of its body holds.
 */
export interface KnownShape {
  readonly operation: OperationId
  /** The findings that it explains; absent: all that rest on such an answer. */
  readonly requirements?: readonly RequirementId[]
  /** Fields that the body has, and fields that it lacks: keys with dots between them. */
  readonly holds?: readonly string[]
  readonly lacks?: readonly string[]
  /** How the body ends, without spaces. */
  readonly endsWith?: string
  /** What came in place of an acceptance, such as `results[] in place of success and itemId`. */
  readonly answeredWith?: string
  /** What is known, in words. */
  readonly says: string
  readonly source: string
}

/** What may take longer than an ordinary answer: a synchronous sync, and each step by which a guest comes to take part. */
export type SlowRequest = 'synchronousSync' | 'trust'

export interface Profile {
  readonly format: 'portal-conformance/profile'
  readonly name: string
  readonly title: string
  /** A built-in profile by name, or a file. */
  readonly extends?: string
  readonly authentication?: Partial<Authentication>
  readonly contract?: Settlements
  readonly points?: readonly ProfilePoint[]
  /** The values of `error.code` that are right for each cause. */
  readonly errors?: Readonly<
    Partial<Record<RefusalCause, { readonly codes: readonly number[]; readonly source: string }>>
  >
  /** The family of administrative operations and reads that the deployment has; absent: not known. */
  readonly administration?: 'sharing'
  /** How long slow requests may take, as configurations write durations, and where that is read. */
  readonly durations?: Readonly<
    Partial<Record<SlowRequest, { readonly upTo: string; readonly source: string }>>
  >
  /**
   * Documented pages by which "it happened" and "nothing happened" can be told: their paths below the base URL, with
   * the names of fixtures in braces.
   */
  readonly reads?: Readonly<Partial<Record<ReadName, string>>>
  /** The values of `f` that ask for JSON; `pjson` always does. */
  readonly jsonFormats?: readonly string[]
  readonly shapes?: readonly KnownShape[]
}
