/** The schemas and validators from code: `import { violations } from 'portal-conformance/schemas'`. */

export type { JsonSchema } from './catalogue.ts'
export { type SchemaName, schemaNames, schemaOf } from './catalogue.ts'
export { type Issue, issuesOf, violations, violationsOf } from './validators.ts'
