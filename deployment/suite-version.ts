/** The version of this package, as its package.json says. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const suiteVersion: string = findVersion(dirname(fileURLToPath(import.meta.url)))

// The built file is one level deeper, so the search goes upwards.
function findVersion(folder: string): string {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (manifest.name === 'portal-conformance') return manifest.version
  } catch {
    // No readable manifest here; try the parent folder.
  }
  const parent = dirname(folder)
  return parent === folder ? '0.0.0' : findVersion(parent)
}
