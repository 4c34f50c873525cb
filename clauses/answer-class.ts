/**
 * Classifies exchanges for reports: accepted, refused or no verdict. Reports show this class and never read an answer
 * themselves. Pure.
 */
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

/** The class of an answer to a check, or of the transport error that came instead. */
export function classified(exchange: Answer | TransportError): Classified {
  const { about } = exchange.request
  const read = classOf(exchange)
  return {
    class: read,
    ...(about === undefined ? {} : { operation: about }),
    ...(read === 'refused' && !(exchange instanceof TransportError) ? refusalOf(exchange) : {}),
  }
}

/** Nothing if the answer is larger than we read. */
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

/** The class of an exchange that was prepared for judging. */
export function classifiedExchange(exchange: Exchange): Classified {
  const { accepted, answer, operation } = exchange
  if (accepted !== undefined) return { class: 'accepted', operation }
  if (answer === undefined || !isRefused(exchange)) return { class: 'no-verdict', operation }
  return { class: 'refused', operation, ...refusalOf(answer) }
}
