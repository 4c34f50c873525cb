/** A folder with the programs of a test, which run in this very Node. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A command line for that program, and the folder that it is in. */
export function written(program: string): { readonly command: string; readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fixture-program-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'provider.mjs'), program)
  return { command: `"${process.execPath}" provider.mjs`, folder }
}

/** A program that hears each request as `asked` and writes by `say`. */
export function answering(body: string): string {
  return `import { createInterface } from 'node:readline'
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\\n')
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line)
  ${body}
}
`
}

/** Whether a process of that id is there. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
