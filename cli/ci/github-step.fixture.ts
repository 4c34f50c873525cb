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

/** Values of GitHub's contexts, by dotted name such as `inputs.out`. */
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
  /** The temporary folder of the runner. */
  readonly temporary: string
  readonly environment?: Readonly<Record<string, string>>
  /** Folders that come first on PATH. */
  readonly first?: readonly string[]
}

/** Runs the step in the shell that GitHub documents, with `values` in place of expressions. */
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

/** Replaces expressions by values. An unknown name is empty, as on GitHub; throws for anything but a name. */
function filled(text: string, values: Values): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const name = expression.trim()
    if (!/^[\w.-]+$/.test(name)) throw new Error(`${name}: only GitHub evaluates this`)
    return values[name] ?? ''
  })
}
