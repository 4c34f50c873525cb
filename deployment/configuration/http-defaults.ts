/** Fills the defaults of how requests are sent. */
import { resolve } from 'node:path'
import type { HttpSettings, ProxySettings } from './configuration.ts'
import { parseDuration } from './duration.ts'
import { proxyOfEnvironment } from './proxy-environment.ts'

/** The section http as its schema describes it. */
export interface WrittenHttp
  extends Partial<
    Pick<HttpSettings, 'concurrency' | 'requestsPerSecond' | 'maxAnswerBytes' | 'insecure' | 'headers'>
  > {
  readonly timeout?: string
  readonly connectTimeout?: string
  readonly headersTimeout?: string
  readonly bodyTimeout?: string
  readonly throttleWait?: string
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly proxy?: string
  readonly noProxy?: readonly string[]
  readonly version?: '1.1' | '2'
}

interface Circumstances {
  /** Relative paths start here. */
  readonly folder: string
  readonly onLoopback: boolean
  readonly environment: NodeJS.ProcessEnv
  /** What requests may go to. */
  readonly addresses: readonly string[]
}

export function completeHttp(written: WrittenHttp, known: Circumstances): HttpSettings {
  const {
    timeout = '10s',
    connectTimeout = '5s',
    headersTimeout,
    bodyTimeout,
    throttleWait = '30s',
    ...http
  } = written
  const { ca, cert, key, proxy, noProxy, version, ...others } = http
  const timeoutMs = milliseconds(timeout)
  // What is no shorter than the time-out of the whole can never end anything.
  const phase = (name: 'connect' | 'headers' | 'body', duration = timeout) => {
    const ms = milliseconds(duration)
    return ms < timeoutMs ? { [`${name}TimeoutMs`]: ms } : {}
  }
  const file = (name: 'ca' | 'cert' | 'key', path: string | undefined) =>
    path === undefined ? {} : { [name]: resolve(known.folder, path) }
  const effectiveProxy = proxy === undefined ? ofEnvironment(noProxy, known) : configured(proxy, noProxy)
  return {
    concurrency: known.onLoopback ? 8 : 4,
    maxAnswerBytes: 2 * 1024 * 1024,
    insecure: false,
    headers: {},
    ...others,
    ...file('ca', ca),
    ...file('cert', cert),
    ...file('key', key),
    ...(effectiveProxy === undefined ? {} : { proxy: effectiveProxy }),
    ...(version === '2' ? { version } : {}),
    timeoutMs,
    ...phase('connect', connectTimeout),
    ...phase('headers', headersTimeout),
    ...phase('body', bodyTimeout),
    throttleWaitMs: milliseconds(throttleWait),
  }
}

const milliseconds = (duration: string) => parseDuration(duration)!

/** One for all, which the environment does not touch. */
function configured(url: string, except: readonly string[] = []): ProxySettings {
  const proxy = { url, from: 'http.proxy' }
  return { http: proxy, https: proxy, except, loopback: true }
}

const ofEnvironment = (noProxy: readonly string[] | undefined, { environment, addresses }: Circumstances) =>
  proxyOfEnvironment(environment, addresses, noProxy).proxy
