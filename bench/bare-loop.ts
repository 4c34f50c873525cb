/**
 * Sends recorded requests and does nothing else, which is the most that this machine, undici and the portal
 * allow. Arguments: the file of requests, the origin, the concurrency. Writes the measurement to its fourth pipe.
 */
import { writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Pool } from 'undici'

export interface RecordedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly answerBytes: number
}

export interface BareLoop {
  readonly durationMs: number
  readonly answerBytes: number
}

const [file, origin, concurrency] = process.argv.slice(2) as [string, string, string]
const requests = JSON.parse(await readFile(file, 'utf8')) as RecordedRequest[]
const pool = new Pool(origin, { connections: Number(concurrency), pipelining: 1 })
let next = 0
let answerBytes = 0

async function worker(): Promise<void> {
  while (next < requests.length) {
    const { path, headers, body } = requests[next++] as RecordedRequest
    const answer = await pool.request({ path, method: 'POST', headers, body })
    answerBytes += (await answer.body.arrayBuffer()).byteLength
  }
}

const began = performance.now()
await Promise.all(Array.from({ length: Number(concurrency) }, worker))
const measured: BareLoop = { durationMs: performance.now() - began, answerBytes }
await pool.close()
writeSync(3, JSON.stringify(measured))
