/** `compare`: what differs between the results of runs. */
import { compareResults } from '../../reporters/compare/compare.ts'
import type { Comparison } from '../../reporters/compare/comparison.ts'
import { comparisonHtml } from '../../reporters/compare/html.ts'
import { comparisonMarkdown } from '../../reporters/compare/markdown.ts'
import { comparisonOnTerminal } from '../../reporters/compare/terminal.ts'
import { DocumentError, writeDocument } from '../../reporters/document.ts'
import type { Results } from '../../reporters/results.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { paintFor, widthOf } from '../../reporters/terminal/style.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { readAll, resultsFileOf } from '../results/results-files.ts'

export interface CompareOptions {
  readonly matrix?: boolean
  readonly html?: string
  readonly markdown?: string
  readonly json?: string
}

/** 1 where something that passed no longer does. Throws a CommandError where a file cannot be read or written. */
export async function compare(
  paths: readonly string[],
  { matrix = false, html, markdown, json }: CompareOptions,
  { stdout, stderr, environment }: Surroundings,
): Promise<ExitCode> {
  if (paths.length < 2) throw usageError('compare: at least two results are expected: compare A B')
  const files = await Promise.all(paths.map(resultsFileOf))
  const comparison = compareResults(await readAll(files, withoutEvidence))
  const asMatrix = matrix || paths.length > 2
  stdout.write(
    comparisonOnTerminal(comparison, {
      width: widthOf(stdout),
      paint: paintFor(stdout, environment),
      asMatrix,
    }),
  )
  const documents = [
    { file: html, pieces: () => comparisonHtml(comparison, asMatrix) },
    { file: markdown, pieces: () => comparisonMarkdown(comparison, asMatrix) },
    { file: json, pieces: () => comparisonJson(comparison) },
  ]
  for (const { file, pieces } of documents) {
    if (file === undefined) continue
    try {
      await writeDocument(file, pieces())
    } catch (error) {
      throw error instanceof DocumentError ? new CommandError(exitCodes.broken, error.message) : error
    }
    stderr.write(`Report: ${safeText(file)}\n`)
  }
  return comparison.lost.length > 0 ? exitCodes.nonConformant : exitCodes.conformant
}

/** Evidence is most of a file, and no part of a comparison: that of many files must not be in memory together. */
function withoutEvidence(results: Results): Results {
  const requirements = results.requirements.map(({ checks, ...requirement }) => ({
    ...requirement,
    checks: checks.map(({ evidence: _, ...check }) => check),
  }))
  return { ...results, requirements }
}

function* comparisonJson(comparison: Comparison): Iterable<string> {
  yield `${JSON.stringify(comparison, null, 2)}\n`
}
