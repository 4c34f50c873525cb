/** Reports from code: `import { writeReport } from 'portal-conformance/reporters'`. */
export { DocumentError, type FormatName, formatNames, writeFormat as writeReport } from './document.ts'
export { ResultsError, readResults, writeResults } from './results-json.ts'
