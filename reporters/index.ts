/** Reports from code: `import { writeReport } from 'portal-conformance/reporters'`. */
export { DocumentError } from './document.ts'
export { type FormatName, formatNames, writeFormat as writeReport } from './formats.ts'
export { ResultsError, readResults, writeResults } from './results-json.ts'
