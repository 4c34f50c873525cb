/** Whether a run against a hostile target came to what it should. Pure. */

import { exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import { isGating } from '../../specs/outcomes.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import type { CommandRun } from './command-run.ts'
import type { Expectation } from './hostile-target.ts'

/** What a run may take beyond its time-outs, in milliseconds, and of memory, in bytes. */
const graceMs = 5000
const mostBytes = 300 * 1024 * 1024

const shown = 5

/** What is wrong, one line each; empty where the target was handled as it should be. */
export function problemsOf(expect: Expectation, run: CommandRun): string[] {
  return [
    ...(run.exitCode === expect.exitCode
      ? []
      : [`exit code ${run.exitCode ?? 'none (it was ended)'} where ${expect.exitCode} was expected`]),
    ...(expect.exitCode === exitCodes.broken ? unbegun(expect, run) : begun(expect, run)),
    ...bounds(expect, run),
    ...outputs(run),
    ...run.wrongs,
  ]
}

/** The run could not begin: one line says why, and nothing is left that could pass for results. */
function unbegun({ says }: Expectation, { stderr, files }: CommandRun): string[] {
  const lines = stderr.toString().trimEnd().split('\n')
  return [
    ...(lines.some((line) => says.test(line)) ? [] : [`stderr does not say ${says}: ${lines.at(-1)}`]),
    ...files.map(({ name }) => `${name} was left behind by a run that did not begin`),
  ]
}

function begun(expect: Expectation, { results, resultsProblem }: CommandRun): string[] {
  if (results === undefined) return [`results.json: ${resultsProblem}`]
  return [
    ...(results.complete === true ? [] : ['results.json is not complete']),
    ...(results.errors ?? []).map((error) => `the suite broke: ${error}`),
    ...wrongOutcomes(expect, results),
    ...wrongReasons(expect, results),
  ]
}

function wrongOutcomes({ fails = [], mayFail = [], mayPass = [] }: Expectation, results: Results): string[] {
  const failed = gating(results, 'failed')
  const passed = gating(results, 'passed')
  const unexpected = mayFail === 'any' ? [] : failed.filter((id) => ![...fails, ...mayFail].includes(id))
  return [
    ...some('failed though nothing broke them', unexpected),
    ...some(
      'did not fail',
      fails.filter((id) => !failed.includes(id)),
    ),
    ...some('passed', mayPass === 'any' ? [] : passed.filter((id) => !mayPass.includes(id))),
  ]
}

/** At least one inconclusive outcome says what happened, and every one says something, on one line. */
function wrongReasons({ says }: Expectation, { requirements }: Results): string[] {
  const open = requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'not-tested')
  const reasons = open.map(({ reason = '' }) => reason)
  const silent = open.filter(({ reason = '' }) => reason === '' || reason.includes('\n')).map(({ id }) => id)
  const told = open.length === 0 || reasons.some((reason) => says.test(reason))
  return [
    ...some('do not say in one line why they are open', silent),
    ...(told ? [] : [`no reason says ${says}: ${reasons[0]}`]),
  ]
}

function gating({ requirements }: Results, outcome: string): RequirementId[] {
  return requirements
    .filter((requirement) => isGating(requirement.level) && requirement.outcome === outcome)
    .map(({ id }) => id)
}

function some(what: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return []
  const more = ids.length > shown ? ` and ${ids.length - shown} more` : ''
  return [`${ids.length} ${what}: ${ids.slice(0, shown).join(', ')}${more}`]
}

function bounds({ timeoutsMs }: Expectation, { durationMs, peakBytes }: CommandRun): string[] {
  return [
    ...(durationMs <= timeoutsMs + graceMs
      ? []
      : [`took ${durationMs} ms where ${timeoutsMs + graceMs} are allowed`]),
    ...(peakBytes === undefined ? ['memory could not be measured'] : []),
    ...(peakBytes !== undefined && peakBytes > mostBytes
      ? [`took ${Math.round(peakBytes / 1024 / 1024)} MiB of memory`]
      : []),
  ]
}

/** No secret anywhere, nothing that a terminal obeys on a terminal, no script in a page. */
function outputs({ stdout, stderr, files, secrets }: CommandRun): string[] {
  const all = [{ name: 'stdout', bytes: stdout }, { name: 'stderr', bytes: stderr }, ...files]
  return all.flatMap(({ name, bytes }) => {
    const text = bytes.toString('utf8')
    const terminal = name === 'stdout' || name === 'stderr'
    return [
      ...(secrets.some((secret) => text.includes(secret)) ? [`${name} holds a planted secret`] : []),
      ...(terminal && /[^\P{C}\n]|\p{Zl}|\p{Zp}/u.test(text) ? [`${name} holds control characters`] : []),
      ...(!terminal && text.includes('\u001b') ? [`${name} holds terminal escapes`] : []),
      ...(name.endsWith('.html') && text.includes('<script>alert(')
        ? [`${name} holds a foreign script`]
        : []),
    ]
  })
}
