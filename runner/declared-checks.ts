/** Every check of the suite, read from the suite files. */
import { type CheckDefinition, onCheck } from './check.ts'
import { loadSuiteFile, suiteFiles } from './suite-files.ts'

/** A check and the file that declares it. */
export interface Declared {
  readonly file: string
  readonly definition: CheckDefinition
}

let declared: Promise<readonly Declared[]> | undefined

/** Every check of the suite, in the order of the files; loaded once. */
export function declaredChecks(): Promise<readonly Declared[]> {
  declared ??= load()
  return declared
}

async function load(): Promise<Declared[]> {
  const all: Declared[] = []
  for (const file of suiteFiles) {
    onCheck((definition) => all.push({ file, definition }))
    await loadSuiteFile(file)
  }
  return all
}
