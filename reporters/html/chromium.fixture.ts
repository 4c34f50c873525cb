/** The Chromium of the machine, for tests that look at a page as a reader does. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

// Nothing that a browser does for itself may look like something that the page does.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where the browser is: what CHROMIUM_PATH names, or the first on PATH; undefined where there is none. */
function chromiumPath(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CHROMIUM_PATH: named, PATH: path = '' } = environment
  if (named !== undefined && named !== '') return named
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Why tests of the browser are skipped; undefined where there is one. */
export function withoutChromium(): string | undefined {
  return chromiumPath() === undefined
    ? `no Chromium on PATH (${names.join(', ')}); CHROMIUM_PATH can name one`
    : undefined
}

/** Starts the browser. To be closed by who starts it. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(withoutChromium())
  return chromium.launch({ executablePath, args: flags })
}
