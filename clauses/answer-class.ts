/** The class of an exchange for reports: accepted, refused, or no verdict. Reports show it and never read an answer again. Pure. */
import {
  type Answer,
  type AnswerClass,
  BodyLimitError,
  type Classified,
  TransportError,
} from '../deployment/http/exchange.ts'
import { busyIn } from '../deployment/http/pace.ts'
import { isAccepted, refusalLine } from './acceptance.ts'
import { type Exchange, isRefused } from './exchange.ts'

/** An answer that a check asked for, or what it got in place of one. */
export function classified(exchange: Answer | TransportError): Classified {
  const { about } = exchange.request
  const read = classOf(exchange)
  return {
    class: read,
    ...(about === undefined ? {} : { operation: about }),
    ...(read === 'refused' && !(exchange instanceof TransportError) ? refusalOf(exchange) : {}),
  }
}

/** Nothing where the answer is more than is read. */
function refusalOf(answer: Answer): Pick<Classified, 'refusal'> {
  const refusal = refusalLine(answer)
  return refusal === undefined ? {} : { refusal }
}

function classOf(exchange: Answer | TransportError): AnswerClass {
  if (exchange instanceof TransportError || busyIn(exchange) !== undefined) return 'no-verdict'
  try {
    return isAccepted(exchange) ? 'accepted' : 'refused'
  } catch (error) {
    if (error instanceof BodyLimitError) return 'no-verdict'
    throw error
  }
}

/** An exchange that was read for judging. */
export function classifiedExchange(exchange: Exchange): Classified {
  const { accepted, answer, operation } = exchange
  if (accepted !== undefined) return { class: 'accepted', operation }
  if (answer === undefined || !isRefused(exchange)) return { class: 'no-verdict', operation }
  return { class: 'refused', operation, ...refusalOf(answer) }
}
