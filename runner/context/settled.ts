/** Waiting for a consequence: the one loop that asks until an answer is as wanted. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'

const pollMs = 50

/** Asks until the answer is as wanted, or the time is over. */
export async function settled(
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
  forMs: number,
): Promise<Answer> {
  const until = performance.now() + forMs
  for (;;) {
    const answer = await ask()
    // What was done before its answer got lost is refused the second time, and from then on.
    const { repeatedAfter, request } = answer
    const mayBeDone = repeatedAfter !== undefined && request.method === 'POST' && !isAccepted(answer)
    if (wanted(answer) || mayBeDone || performance.now() >= until) return answer
    await sleep(Math.min(pollMs, forMs))
  }
}
