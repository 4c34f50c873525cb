/** The evidence as an HTTP archive (HAR 1.2): a page for each check, an entry for each exchange. */
import type { Evidence } from '../deployment/http/exchange.ts'
import { safeText } from '../schemas/wording.ts'
import { checksOf } from './finding-text.ts'
import type { ReportedCheck, RequirementResult, Results } from './results.ts'
import { verdictSentence } from './verdict.ts'

/** The document in pieces. Fields that begin with an underscore are our own, as the format allows. */
export function* harReport(results: Results): Generator<string> {
  const { suite, target, run, verdict, totals } = results
  const head = {
    version: '1.2',
    creator: { name: 'portal-conformance', version: suite.version },
    comment: safeText(
      `${target.baseUrl}: ${verdictSentence(results)} The exchanges are redacted, long bodies are cut.`,
    ),
    _run: run.id,
    _verdict: verdict,
    _totals: totals,
    _complete: results.complete === true,
  }
  yield `{"log":${JSON.stringify(head).slice(0, -1)},\n"pages":[`
  yield* jsonList(pagesOf(results))
  yield '\n],\n"entries":['
  yield* jsonList(entriesOf(results))
  yield '\n]}}\n'
}

function* pagesOf(results: Results): Generator<object> {
  for (const requirement of results.requirements) {
    for (const check of checksOf(requirement)) yield pageOf(results, requirement, check)
  }
}

function pageOf({ run }: Results, requirement: RequirementResult, check: ReportedCheck): object {
  const { id, title, outcome, evidence = [], failure, reason } = check
  const why = failure?.message ?? reason
  return {
    startedDateTime: momentOf(run, evidence[0]?.atMs),
    id,
    title: safeText(`${id}: ${title}`),
    pageTimings: {},
    comment: why === undefined ? outcome : safeText(`${outcome}: ${why}`),
    _outcome: outcome,
    _requirement: requirement.id,
    _level: requirement.level,
    _section: requirement.section,
  }
}

/** The moment this many milliseconds after the beginning of the run, as ISO 8601; the beginning where it is not known. */
const momentOf = ({ startedAt }: Results['run'], atMs = 0): string =>
  new Date(Date.parse(startedAt) + atMs).toISOString()

function* entriesOf({ requirements, run }: Results): Generator<object> {
  for (const { checks } of requirements) {
    for (const { id, evidence = [] } of checks) {
      for (const exchange of evidence) {
        // What is undefined is not written.
        yield {
          pageref: id,
          startedDateTime: momentOf(run, exchange.atMs),
          ...entryOf(exchange),
          comment: id,
          _actor: exchange.actor,
          _class: exchange.class,
          _operation: exchange.operation,
          _curl: exchange.curl,
        }
      }
    }
  }
}

/** What browsers write for unknown values. */
const unknownType = 'x-unknown'
const unknownSize = -1

/** Request, answer and times. An exchange without a complete answer has status 0 and says why, as in browsers. */
function entryOf({ request, response, error = 'no complete answer came' }: Evidence): object {
  const { status = 0, headers = {}, body = '', durationMs = 0 } = response ?? {}
  return {
    time: durationMs,
    request: {
      method: request.method,
      url: writtenUrl(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(request.headers)),
      queryString: pairs(new URLSearchParams(request.url.split('#')[0]?.split('?').slice(1).join('?'))),
      ...postDataOf(request),
      headersSize: unknownSize,
      // The body on the wire was longer if secrets are hidden or the text is cut.
      bodySize: request.body === '' ? 0 : unknownSize,
    },
    response: {
      status,
      // The evidence keeps no reason phrase, so it stays empty.
      statusText: '',
      httpVersion: response === undefined ? '' : 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(headers)),
      content: { size: Buffer.byteLength(body), mimeType: typeOf(headers), text: body },
      redirectURL: headerOf(headers, 'location') ?? '',
      headersSize: unknownSize,
      bodySize: unknownSize,
      ...(response === undefined ? { _error: error } : {}),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

/** Text and parameters, as in browsers: the text is the evidence, and tools show the parameters. */
function postDataOf({ headers, body }: Evidence['request']): object {
  if (body === '') return {}
  const mimeType = typeOf(headers)
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(mimeType)
  return {
    postData: { mimeType, text: body, ...(isForm ? { params: pairs(new URLSearchParams(body)) } : {}) },
  }
}

const typeOf = (headers: Readonly<Record<string, string>>): string =>
  headerOf(headers, 'content-type') ?? unknownType

/** The items separated by commas, one per line, without brackets. */
function* jsonList(items: Iterable<unknown>): Generator<string> {
  let first = true
  for (const item of items) {
    yield `${first ? '' : ','}\n${JSON.stringify(item)}`
    first = false
  }
}

const pairs = (entries: Iterable<[string, string]>) => [...entries].map(([name, value]) => ({ name, value }))

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** A URL may not hold other characters, so they are shown encoded. Brackets may stand in an address, and one # is allowed. */
function writtenUrl(url: string): string {
  const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(.*)$/isu.exec(url) ?? []
  const [before = '', ...after] = encoded(rest).split('#')
  const address = encoded(origin).replaceAll('%5B', '[').replaceAll('%5D', ']')
  return address + before + (after.length === 0 ? '' : `#${after.join('%23')}`)
}

// Through bytes, because halves of characters cannot be encoded.
const encoded = (text: string): string =>
  encodeURI(Buffer.from(text).toString()).replace(/%25(?=[0-9a-f]{2})/gi, '%')
