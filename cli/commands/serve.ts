/** `serve`: the embedded portal, for trying things. */
import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { usageError } from '../command-error.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { listenForInterrupt } from '../process/interrupt.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { type PortalChoice, startEmbeddedPortal } from '../run/embedded-portal.ts'

export interface ServeOptions extends PortalChoice {
  readonly port?: number
  readonly write?: string
  readonly list?: boolean
}

/** Serves until interrupted, which is how it is meant to end. */
export async function serve(options: ServeOptions, surroundings: Surroundings): Promise<ExitCode> {
  if (options.list === true) {
    surroundings.stdout.write(await listOfChoices())
    return exitCodes.conformant
  }
  const portal = await startEmbeddedPortal(options, options.port)
  let onInterrupt = () => {}
  const interrupted = new Promise<void>((resolve) => {
    onInterrupt = resolve
  })
  const interrupt = listenForInterrupt(surroundings, onInterrupt)
  try {
    const announcement = `The embedded portal answers at ${portal.baseUrl} until interrupted (Ctrl-C).`
    if (options.write === undefined) {
      // YAML as a whole, so that it can be sent into a file as it is.
      const hint = 'Save this as portal.yaml, then: portal-conformance run --config portal.yaml'
      surroundings.stdout.write(`# ${announcement}\n# ${hint}\n${stringify(portal.configuration)}`)
    } else {
      await write(options.write, stringify(portal.configuration))
      surroundings.stdout.write(`${announcement}\nTry it: portal-conformance run --config ${options.write}\n`)
    }
    await interrupted
    return exitCodes.conformant
  } finally {
    interrupt.dispose()
    await portal.close()
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    throw usageError(`--write ${file}: cannot be written: ${(error as Error).message}`)
  }
}

async function listOfChoices(): Promise<string> {
  const { faults } = await import('../../reference/faults/index.ts')
  const { variants } = await import('../../reference/variants/index.ts')
  const lines = (entries: readonly { id: string; sentence: string }[]): string =>
    entries.map(({ id, sentence }) => `  ${id}: ${sentence}\n`).join('')
  return `Faults, each of which breaks the contract (--fault ID):\n${lines(faults)}
Variants, each of which keeps it in another way (--variant ID):\n${lines(variants)}`
}
