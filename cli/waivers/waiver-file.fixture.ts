/** Files of waivers for the tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { WaiverEntry, WaiverInUse } from './waiver.ts'

/** A folder that the test leaves behind empty. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pc-waivers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

export function waiverFile(content: string): string {
  const file = join(emptyFolder(), 'waivers.yaml')
  writeFileSync(file, content)
  return file
}

/** A waiver as it is written into a file. */
export function written(others: Partial<WaiverEntry>): WaiverEntry {
  return { target: '**', reason: 'known', owner: 'portal team', expires: '2999-12-31', ...others }
}

export function inUse(others: Partial<WaiverEntry>): WaiverInUse {
  return { ...written(others), place: 'waivers.yaml:1:1' }
}
