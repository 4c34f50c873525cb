/** `compare`: what differs between the results of runs. */
import { compareResults, newFailures, withoutEvidence } from '../../reporters/compare/compare.ts'
import type { ComparedResults, Comparison } from '../../reporters/compare/comparison.ts'
import { comparisonHtml } from '../../reporters/compare/html.ts'
import { comparisonMarkdown } from '../../reporters/compare/markdown.ts'
import { comparisonOnTerminal } from '../../reporters/compare/terminal.ts'
import { DocumentError, writeDocument } from '../../reporters/document.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { paintFor, widthOf } from '../../reporters/terminal/style.ts'
import { names } from '../../reporters/wording.ts'
import { withoutCommands } from '../ci/github.ts'
import { CommandError, usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { readAll, resultsFileOf } from '../results/results-files.ts'

export interface CompareOptions {
  readonly matrix?: boolean
  readonly html?: string
  readonly markdown?: string
  readonly json?: string
  /** `new`: 1 only for what fails now and did not in the first results. */
  readonly gate?: 'new'
}

/** 1 where something that passed no longer does. Throws a CommandError where a file cannot be read or written. */
export async function compare(
  paths: readonly string[],
  options: CompareOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (paths.length < 2) throw usageError('compare: at least two results are expected: compare A B')
  const files = await Promise.all(paths.map(resultsFileOf))
  const matrix = options.matrix === true || paths.length > 2
  return showComparison(await readAll(files, withoutEvidence), { ...options, matrix }, surroundings)
}

/** Prints the comparison and writes its documents. 1 where something that passed on the first does not on others. */
export async function showComparison(
  inputs: readonly ComparedResults[],
  { matrix: asMatrix = false, html, markdown, json, gate }: CompareOptions,
  { stdout, stderr, environment }: Surroundings,
): Promise<ExitCode> {
  const comparison = compareResults(inputs)
  const page = { width: widthOf(stdout), paint: paintFor(stdout, environment), asMatrix }
  stdout.write(withoutCommands(comparisonOnTerminal(comparison, page), environment))
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
  if (gate === undefined) return comparison.lost.length > 0 ? exitCodes.nonConformant : exitCodes.conformant
  const fresh = newFailures(comparison)
  const told =
    fresh.length === 0 ? 'Nothing fails that did not fail before.' : `New failures: ${names(fresh)}`
  stderr.write(`${safeText(told)}\n`)
  return fresh.length > 0 ? exitCodes.nonConformant : exitCodes.conformant
}

function* comparisonJson(comparison: Comparison): Iterable<string> {
  yield `${JSON.stringify(comparison, null, 2)}\n`
}
