/** What getting a credential comes to: the credential, or the reason why there is none. */

/** A credential, and when it ends in milliseconds since 1970 where that is known. */
export interface Obtained {
  readonly credential: string
  readonly expiresAt?: number
}

/** No credential could be had. One line that holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}
