/** A request without what need not be there: whether a parameter that the contract marks neither way is required is open. */

import { requestSchema } from '../../schemas/catalogue.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { RequestFields } from '../context/calls.ts'

/** The parameters of the request that need not be there. */
export function openParameters(operation: OperationId, request: RequestFields): string[] {
  const { properties } = requestSchema(operation)
  return Object.keys(request).filter(
    (name) => name !== 'f' && properties[name]?.['x-presence'] !== 'required',
  )
}

/** The request without each of its parameters that need not be there, one at a time. */
export const eachLeftOut = (operation: OperationId, request: RequestFields): RequestFields[] =>
  openParameters(operation, request).map((left) => ({ ...request, [left]: undefined }))
