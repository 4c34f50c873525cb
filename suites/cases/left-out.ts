/** A request without what need not be there: whether a parameter that the contract marks neither way is required is open. */

import { requestSchema } from '../../schemas/request-schemas.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { Request } from '../context/calls.ts'

/** The request without each of its parameters that need not be there, one at a time. */
export function eachLeftOut(operation: OperationId, request: Request): Request[] {
  const { properties } = requestSchema(operation)
  const open = Object.keys(request).filter(
    (name) => name !== 'f' && properties[name]?.['x-presence'] !== 'required',
  )
  return open.map((left) => ({ ...request, [left]: undefined }))
}
