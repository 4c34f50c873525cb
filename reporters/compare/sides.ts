/** The sides of a comparison: what each is called, and what makes them less comparable. */
import { byKey } from '../alike.ts'
import type { Results } from '../results.ts'
import { names } from '../wording.ts'
import { mostColumns } from './change-words.ts'
import type { ComparedResults, Side } from './comparison.ts'

export function sidesOf(inputs: readonly ComparedResults[]): Side[] {
  return inputs.map(({ file, results, judged }, at) => {
    const { id, startedAt, seed, runs } = results.run
    return {
      key: keyOf(at),
      label: labelOf(at, inputs),
      file,
      target: results.target,
      suiteVersion: results.suite.version,
      run: { id, startedAt, seed, runs },
      verdict: results.verdict,
      totals: results.totals,
      complete: results.complete === true,
      ...(judged === undefined ? {} : { judged }),
    }
  })
}

/** A to Z, then AA and on. */
function keyOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26))
  return at < 26 ? letter : keyOf(Math.floor(at / 26) - 1) + letter
}

/** The name, the base URL, or as much of the path of the file as tells it from others of that base URL. */
function labelOf(at: number, inputs: readonly ComparedResults[]): string {
  const { file, name, results } = inputs[at] as ComparedResults
  if (name !== undefined) return name
  const others = inputs.filter(
    (other, index) => index !== at && other.results.target.baseUrl === results.target.baseUrl,
  )
  if (others.length === 0) return results.target.baseUrl
  const parts = file.split(/[\\/]/)
  for (let length = 1; length < parts.length; length += 1) {
    const end = (path: string): string => path.split(/[\\/]/).slice(-length).join('/')
    if (others.every((other) => end(other.file) !== end(file))) return end(file)
  }
  return file
}

/** What is to be known before differences are put down to the targets, in sentences. */
export function notesOf(inputs: readonly ComparedResults[], sides: readonly Side[]): string[] {
  const nameOf = (side: Side | undefined): string =>
    (sides.length > mostColumns ? side?.label : side?.key) ?? ''
  const differing = (what: string, readOf: (results: Results) => string, meaning: string): string[] => {
    const values = inputs.flatMap(({ results, judged }, at) =>
      judged === false ? [] : [{ value: readOf(results), key: nameOf(sides[at]) }],
    )
    const alike = [...byKey(values, ({ value }) => value)]
    if (alike.length <= 1) return []
    const each = alike
      .map(([value, several]) => `${names(several.map(({ key }) => key))}: ${value}`)
      .join('; ')
    return [`${what} differ (${each}): ${meaning}.`]
  }
  const having = (has: (results: Results) => boolean): string =>
    names(
      sides
        .filter(({ judged }, at) => judged !== false && has((inputs[at] as ComparedResults).results))
        .map(nameOf),
    )
  const told = (keys: string, what: string): string[] => (keys === '' ? [] : [`${keys}: ${what}.`])
  return [
    ...differing(
      'Suite releases',
      ({ suite }) => suite.version,
      'compared by id; what only one release knows is new or gone',
    ),
    ...differing('Seeds', ({ run }) => String(run.seed), 'the generated requests were others'),
    ...differing('Numbers of cases', ({ run }) => String(run.runs), 'more cases find what fewer cases miss'),
    ...differing('Selections', selectionOf, 'what was not selected was not tested'),
    ...differing('Releases', ({ target }) => target.version ?? 'unknown', 'operations may be not applicable'),
    ...differing('Editions', ({ target }) => target.edition ?? 'unknown', 'operations may be not applicable'),
    ...differing('Profiles', ({ target }) => target.profile, 'open points were settled in other ways'),
    ...told(
      having(({ complete }) => complete !== true),
      'the run was cut short, its results are not complete',
    ),
    ...told(
      having(({ run }) => run.shard !== undefined),
      'one shard only; "portal-conformance merge" puts shards together',
    ),
    ...told(
      having(({ run }) => run.traffic !== undefined),
      'recorded traffic was judged, nothing was sent',
    ),
    ...told(
      having(({ errors }) => errors !== undefined && errors.length > 0),
      'the run itself had errors',
    ),
  ]
}

function selectionOf({ run: { selection } }: Results): string {
  const parts = selection === undefined ? [] : [...selection.operations, ...selection.requirements]
  return parts.length === 0 ? 'everything' : parts.join(' ')
}
