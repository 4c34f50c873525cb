/** What a run tells GitHub Actions by itself: a summary of the step, and annotations. */
import { randomBytes } from 'node:crypto'
import { appendFile, open } from 'node:fs/promises'
import type { Results } from '../../reporters/results.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { annotations } from './workflow-commands.ts'

type Environment = Surroundings['environment']

const inActions = ({ GITHUB_ACTIONS }: Environment): boolean => GITHUB_ACTIONS === 'true'

/**
 * Appends the summary where `GITHUB_STEP_SUMMARY` names a file, and annotates where `GITHUB_ACTIONS` is true. A summary
 * that cannot be written is complained of and changes nothing else.
 */
export async function tellGitHub(
  results: Results,
  environment: Environment,
  { annotate, complain }: { annotate: (lines: string) => void; complain: (message: string) => void },
): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = environment
  if (file !== undefined && file !== '') {
    try {
      await appendSummary(results, file)
    } catch (error) {
      complain(`GITHUB_STEP_SUMMARY: the summary was not written: ${(error as Error).message}`)
    }
  }
  const lines = inActions(environment) ? annotations(results) : []
  if (lines.length > 0) annotate(lines.map((line) => `${line}\n`).join(''))
}

/** The text such that nothing in it is a command to GitHub Actions, which reads commands from whatever is printed. */
export function withoutCommands(text: string, environment: Environment): string {
  if (!inActions(environment) || text === '') return text
  const token = randomBytes(16).toString('hex')
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`
}

/** Adds to what other tools of the step have written; all of it together has one limit. */
async function appendSummary(results: Results, file: string): Promise<void> {
  const { leastBytes, markdownReport, stepSummaryLimit } = await import('../../reporters/markdown/report.ts')
  const before = await endOf(file)
  const gap = before.size === 0 ? '' : before.endsLine ? '\n' : '\n\n'
  const room = stepSummaryLimit - before.size - gap.length
  if (room < leastBytes) {
    throw new Error(`${file} holds ${before.size} bytes already, and GitHub takes ${stepSummaryLimit}`)
  }
  await appendFile(file, gap + [...markdownReport(results, room)].join(''))
}

async function endOf(file: string): Promise<{ size: number; endsLine: boolean }> {
  const handle = await open(file, 'a+')
  try {
    const { size } = await handle.stat()
    if (size === 0) return { size, endsLine: true }
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
    return { size, endsLine: buffer.toString('latin1') === '\n' }
  } finally {
    await handle.close()
  }
}
