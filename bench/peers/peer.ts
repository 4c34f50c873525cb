/** What the benchmark must know of a tool to drive it. */
import type { EmbeddedPortal } from '../../reference/portal.ts'
import type { ToolEnd } from './tool-process.ts'

/** One run of a tool on one portal. */
export interface Round {
  /** Its own, empty at first; the tool runs in it. */
  readonly folder: string
  readonly portal: EmbeddedPortal
  /** About how many requests it should send. */
  readonly requests: number
  /** How to start the tool. */
  readonly program: readonly string[]
}

export interface Prepared {
  /** Given to the tool after its program. */
  readonly words: readonly string[]
  /** What it reported as wrong: one text for each operation and kind of problem, without ids. */
  complaints(end: ToolEnd): Promise<string[]>
}

export interface Peer {
  readonly name: string
  /** The examples of a document, each once; requests that it makes of the document; or those of our suite. */
  readonly sends: 'examples' | 'generated' | 'suite'
  /** What is looked for on the PATH. */
  readonly command: string
  /** The environment variable that names the program where it is elsewhere. */
  readonly variable: string
  /** Writes what the tool needs into the folder. */
  prepare(round: Round): Promise<Prepared>
}
