/** What a run says while it goes on: one line rewritten in place on a terminal, one line per operation elsewhere. */
import type { Subject } from '../../specs/requirement.ts'
import { requirementOf } from '../../specs/requirements.ts'
import type { CheckResult } from '../../suites/check-result.ts'
import type { PlannedCheck } from '../../suites/plan.ts'
import { titleOf } from '../subject-titles.ts'
import { safeText } from './safe-text.ts'
import type { Stream } from './style.ts'

export interface ProgressStream extends Stream {
  write(text: string): unknown
}

interface Group {
  readonly total: number
  done: number
  failed: number
}

/** Of a terminal that does not tell. */
const usualColumns = 80

const eraseLine = '\r\u001b[2K'

export class Progress {
  readonly #stream: ProgressStream
  readonly #pending: Map<string, Subject>
  readonly #groups = new Map<Subject, Group>()
  readonly #total: number
  #failed = 0
  #requests = 0
  #line = ''

  /** `planned`: every check of the suite; those that will not be judged do not count. */
  constructor(stream: ProgressStream, planned: readonly PlannedCheck[]) {
    this.#stream = stream
    const judged = planned.filter(({ without }) => without === undefined)
    this.#total = judged.length
    this.#pending = new Map(
      judged.map(({ id, requirement }) => [id as string, requirementOf(requirement).operation]),
    )
    for (const subject of this.#pending.values()) {
      const total = (this.#groups.get(subject)?.total ?? 0) + 1
      this.#groups.set(subject, { total, done: 0, failed: 0 })
    }
    if (stream.isTTY === true) this.#show(`0/${this.#total} checks`)
  }

  /** To be called once for each check when it is over. */
  checkDone({ id, outcome, requests }: CheckResult): void {
    const subject = this.#pending.get(id)
    const group = subject === undefined ? undefined : this.#groups.get(subject)
    if (subject === undefined || group === undefined) return
    this.#pending.delete(id)
    this.#requests += requests
    group.done += 1
    if (outcome === 'failed') {
      group.failed += 1
      this.#failed += 1
    }
    if (this.#stream.isTTY === true) this.#show(this.#statusLine(subject))
    else if (group.done === group.total) this.#stream.write(`${groupLine(subject, group)}\n`)
  }

  /** Says something else in between, on lines of its own. */
  note(text: string): void {
    const line = this.#line
    this.close()
    this.#stream.write(`${text.split('\n').map(safeText).join('\n')}\n`)
    if (line !== '') this.#show(line)
  }

  /** Takes the status line away. */
  close(): void {
    if (this.#line !== '') this.#stream.write(eraseLine)
    this.#line = ''
  }

  #statusLine(subject: Subject): string {
    const done = this.#total - this.#pending.size
    const line = `${done}/${this.#total} checks · ${subject} · ${this.#failed} failed · ${this.#requests} requests`
    // A line that reaches the last column would be broken by the terminal and could not be erased.
    return line.slice(0, (this.#stream.columns || usualColumns) - 1)
  }

  #show(line: string): void {
    this.#line = line
    this.#stream.write(`${eraseLine}${line}`)
  }
}

function groupLine(subject: Subject, { total, failed }: Group): string {
  const checks = total === 1 ? '1 check' : `${total} checks`
  return `${titleOf(subject)}: ${checks} done, ${failed === 0 ? 'none' : failed} failed`
}
