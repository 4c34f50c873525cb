/** Whether a tool tells a faulty portal from a healthy one. Pure. */

/** What a tool complains about on the healthy portal, where every complaint is its own affair. */
export interface Baseline {
  /** Said every time. */
  readonly always: ReadonlySet<string>
  /** Said at least once. */
  readonly ever: ReadonlySet<string>
}

/** From several runs on the healthy portal. */
export function baselineOf(runs: readonly (readonly string[])[]): Baseline {
  const ever = new Set(runs.flat())
  return { ever, always: new Set([...ever].filter((each) => runs.every((run) => run.includes(each)))) }
}

/** What is new, and what is missed: complaints that come and go on the healthy portal are neither. */
export function differencesFrom({ always, ever }: Baseline, complaints: readonly string[]): string[] {
  const said = new Set(complaints)
  const added = [...said].filter((each) => !ever.has(each)).map((each) => `+ ${each}`)
  const gone = [...always].filter((each) => !said.has(each)).map((each) => `- ${each}`)
  return [...added, ...gone]
}
