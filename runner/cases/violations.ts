/** Requests that break exactly one keyword of one field, proved on the bytes that go on the wire. */

import { decodeForm, encodeForm, type FormField } from '../../deployment/http/outgoing-request.ts'
import type { RequestSchema } from '../../schemas/catalogue.ts'
import { fromFormFields } from '../../schemas/form-values.ts'
import { type Issue, violationsOf } from '../../schemas/validators.ts'

/** The parameters that must be sent. */
export const requiredFields = (schema: RequestSchema): readonly string[] => schema.required ?? []

/** The one keyword that a violation breaks. */
interface Fault {
  readonly field: string
  readonly keyword: 'required' | 'maxLength' | 'maxItems' | 'type' | 'format' | 'pattern'
}

/**
 * Makes sure that what will be sent breaks the schema as meant, and in no other way.
 * Throws an error of the suite where it does not: such a probe would prove nothing.
 */
export function assertViolates(schema: RequestSchema, fields: readonly FormField[], fault: Fault): void {
  const decoded = fromFormFields(schema, decodeForm(encodeForm(fields)))
  const issues = violationsOf(schema, decoded)
  const meant = issues.filter((issue) => concerns(issue, fault))
  if (meant.length > 0 && meant.length === issues.length) return
  const found = issues.length === 0 ? 'nothing' : issues.map(({ message }) => message).join('; ')
  throw new Error(
    `a probe must break ${fault.keyword} of ${fault.field} and nothing else; on the wire it breaks ${found}`,
  )
}

const concerns = ({ path, keyword }: Issue, fault: Fault): boolean =>
  keyword === fault.keyword && (path === fault.field || path.startsWith(`${fault.field}[`) || path === '')
