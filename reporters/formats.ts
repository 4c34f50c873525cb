/** The reports that are files, with their names, places and renderers. Each renderer is loaded only if needed. */
import { join } from 'node:path'
import { type Render, writeDocument } from './document.ts'
import type { Results } from './results.ts'

interface Format {
  /** The name of its file in the output directory. */
  readonly file: string
  /** Its purpose, in a few words. */
  readonly purpose: string
  readonly load: () => Promise<Render>
}

export const formats = {
  html: {
    file: 'report.html',
    purpose: 'a page for people',
    load: async () => (await import('./html/report.ts')).htmlReport,
  },
  junit: {
    file: 'junit.xml',
    purpose: 'what CI servers show as tests',
    load: async () => (await import('./junit/report.ts')).junitReport,
  },
  markdown: {
    file: 'summary.md',
    purpose: 'a summary for a CI step or a pull request',
    load: async () => (await import('./markdown/report.ts')).markdownReport,
  },
  har: {
    file: 'evidence.har',
    purpose: 'the exchanges, for HTTP tools',
    load: async () => (await import('./har/report.ts')).harReport,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as FormatName[]

/** The path of a report that is requested only by its name. */
export function documentFile(directory: string, name: FormatName): string {
  return join(directory, formats[name].file)
}

/** Renders the results into the file. Throws a DocumentError if it cannot be written. */
export async function writeFormat(name: FormatName, results: Results, file: string): Promise<void> {
  const render = await formats[name].load()
  await writeDocument(file, render(results))
}
