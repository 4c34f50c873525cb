/** Why the deployment did not perform a request of an administrator, and what to do then. */
import { isLost } from '../http/pace.ts'

/** The deployment did not perform a request. One line for users, with its message but without secrets. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError'
  /** The error code of the answer, or its HTTP status. Absent: no answer came. */
  readonly code: number | undefined
  /** Whether the deployment may have performed it or may still do so, because no answer of its own came. */
  readonly mayBeDone: boolean

  constructor(message: string, code?: number, mayBeDone = isLost(code)) {
    super(message)
    this.code = code
    this.mayBeDone = mayBeDone
  }
}

/** The code if nothing was sent: the login failed, the portal is silent, or the budget is used up. It is final. */
export const notSent = 401

/** Nothing came from the portal: something in front of it answered, the connection broke, or the login does not work. */
export class UnansweredError extends AdministrationError {}

/** Nothing was sent, because the login was refused or the portal answered nothing more before. */
export class SilentPortalError extends AdministrationError {
  constructor(why: string) {
    super(`not tried, because ${why}`, notSent)
  }
}

/** The result, or that of `otherwise` after an AdministrationError. Other errors are thrown. */
export const ifRefused = <Wanted, Instead>(
  asked: Promise<Wanted>,
  otherwise: (error: AdministrationError) => Instead | Promise<Instead>,
): Promise<Wanted | Instead> =>
  asked.catch((error) => {
    if (error instanceof AdministrationError) return otherwise(error)
    throw error
  })

/** Why the deployment did not perform it. Undefined: it did. */
export const refusalOf = (asked: Promise<unknown>): Promise<AdministrationError | undefined> =>
  ifRefused(
    asked.then(() => undefined),
    (error) => error,
  )

/** Whether the deployment certainly did not perform it. */
export const isRefusal = ({ code = 0, mayBeDone }: AdministrationError): boolean =>
  code >= 400 && code < 500 && !mayBeDone

/**
 * The result, or that of `otherwise` if the portal itself answers that the thing does not exist or may not be seen. Other
 * refusals are thrown.
 */
export const ifHidden: typeof ifRefused = (asked, otherwise) =>
  ifRefused(asked, (error) => {
    if ([400, 404, 410].includes(error.code ?? 0) && !(error instanceof UnansweredError))
      return otherwise(error)
    throw error
  })
