/** Waiver files for tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WaiverEntry } from '../../schemas/types/waivers.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import type { WaiverInUse } from './waiver.ts'

export function waiverFile(content: string): string {
  const file = join(testFolder(), 'waivers.yaml')
  writeFileSync(file, content)
  return file
}

/** A waiver as in a waiver file. */
export function written(others: Partial<WaiverEntry>): WaiverEntry {
  return { target: '**', reason: 'known', owner: 'portal team', expires: '2999-12-31', ...others }
}

export function inUse(others: Partial<WaiverEntry>): WaiverInUse {
  return { ...written(others), place: 'waivers.yaml:1:1' }
}
