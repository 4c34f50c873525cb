/** Why a fixture could not be had. */
import type { FixtureKind } from './fixture-kinds.ts'

/** The provider has no such fixture (any more): checks that need it are not tested. One line for users. */
export class FixtureNotOffered extends Error {
  override readonly name = 'FixtureNotOffered'
  readonly kind: FixtureKind

  constructor(kind: FixtureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The provider broke its side: an error, or an answer that is no such fixture. One line for users. */
export class FixtureFailure extends Error {
  override readonly name = 'FixtureFailure'
}
