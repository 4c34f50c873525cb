/** Runs the script of one step of GitHub Actions. Conditions, matrices and artefacts belong to GitHub and are linted. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Checkout } from './pipeline.fixture.ts'

export interface Step {
  readonly id?: string
  readonly name?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

/** What GitHub knows, by dotted names such as `inputs.out`. */
export type Values = Record<string, string>

export interface StepEnd {
  readonly code: number
  readonly log: string
  readonly outputs: Values
  readonly summary: string
}

interface Place {
  readonly checkout: Checkout
  /** The checkout of the user's repository. */
  readonly folder: string
  /** Beside it: files of the runner. */
  readonly temporary: string
  readonly environment?: Readonly<Record<string, string>>
  /** Folders of programs that precede those of the system. */
  readonly first?: readonly string[]
}

/** Runs the step as the documented shell does; its environment has the values in place of their names. */
export async function runStep(step: Step, values: Values, place: Place): Promise<StepEnd> {
  const { checkout, folder, temporary, environment = {}, first = [] } = place
  const [output, summary] = [join(temporary, 'outputs'), join(temporary, 'summary.md')]
  writeFileSync(output, '')
  const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, values)])
  const { code, stdout, stderr } = await checkout.shell(step.run as string, {
    shell: step.shell === 'bash' ? ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] : ['bash', '-e'],
    environment: {
      ...environment,
      ...Object.fromEntries(own),
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temporary,
    },
    first,
    folder: join(folder, filled(step['working-directory'] ?? '.', values)),
  })
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
  return {
    code: code ?? 1,
    log: stdout + stderr,
    outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string])),
    summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '',
  }
}

/** A name without a value is empty, as on GitHub. Throws for an expression that is more than a name. */
function filled(text: string, values: Values): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const name = expression.trim()
    if (!/^[\w.-]+$/.test(name)) throw new Error(`${name}: only GitHub evaluates this`)
    return values[name] ?? ''
  })
}
