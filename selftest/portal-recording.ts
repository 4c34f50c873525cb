/** Keeps what an embedded portal was asked and answered, as a HAR file would, and judges it as `validate` does. */

import type { Exchange } from '../clauses/exchange.ts'
import type { Served } from '../reference/application.ts'
import { judgeTraffic } from '../runner/traffic/judge-traffic.ts'
import { exchangeIn } from '../runner/traffic/recordings.ts'
import { isGating } from '../specs/outcomes.ts'
import { requirementOf } from '../specs/requirements.ts'

/** What recorded traffic was blamed for. */
export interface RecordedBreach {
  readonly requirement: string
  readonly why: string
}

export class PortalRecording {
  readonly #entries: object[] = []

  readonly watch = (served: Served): void => {
    this.#entries.push(entryOf(served))
  }

  /** The must and implied requirements that the recording is said to break. What clients do wrong is the suite's own doing. */
  async breaches(): Promise<RecordedBreach[]> {
    const exchanges: Exchange[] = []
    for (const [at, entry] of this.#entries.entries()) {
      const exchange = await exchangeIn(entry, `entry ${at + 1}`)
      if (typeof exchange !== 'string') exchanges.push(exchange)
    }
    return judgeTraffic(exchanges).shown.flatMap(({ requirement, breach }) =>
      breach === undefined || !isGating(requirementOf(requirement).level)
        ? []
        : [{ requirement, why: `${breach.breach.message} (${breach.breach.actual})` }],
    )
  }
}

function entryOf({ arrival, arrivedAt, rendered }: Served): object {
  const { method, headers, body, response, socket } = arrival
  const pairs = (all: Readonly<Record<string, string | string[] | undefined>>) =>
    Object.entries(all).flatMap(([name, value = []]) => [value].flat().map((each) => ({ name, value: each })))
  const type = headers['content-type'] ?? ''
  return {
    startedDateTime: new Date(arrivedAt).toISOString(),
    time: Date.now() - arrivedAt,
    request: {
      method,
      url: `http://${headers.host}${response.req.url}`,
      headers: pairs(headers),
      ...(body.length === 0 ? {} : { postData: { mimeType: type, text: body.toString('utf8') } }),
    },
    response: {
      // 0, as browsers write it: no answer came.
      status: socket.destroyed ? 0 : rendered.status,
      headers: pairs(rendered.headers),
      content: {
        size: rendered.body.length,
        mimeType: rendered.headers['content-type'] ?? '',
        text: rendered.body.toString('base64'),
        encoding: 'base64',
      },
    },
  }
}
