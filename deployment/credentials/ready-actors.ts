/** Makes actors ready before a run: gets their credentials, tries each once, and leaves out those that do not work. */

import { exec } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ActorName, ofActors, type PortalName } from '../configuration/actors.ts'
import {
  type Actor,
  baseUrlOf,
  type Configuration,
  type CredentialSource,
  type Login,
  loginOf,
} from '../configuration/configuration.ts'
import { credentialIn, credentialProblem } from '../configuration/configuration-rules.ts'
import { parseDuration } from '../configuration/duration.ts'
import { Client } from '../http/client.ts'
import { type Answer, bodyFields, errorCode, errorCodeOf, TransportError } from '../http/exchange.ts'
import type { FormField } from '../http/outgoing-request.ts'

const commandMs = 30_000
const largestCredential = 64 * 1024

/** What logins came to, until it ends: some portals end the older tokens of a user with each new one. */
const held = new WeakMap<CredentialSource, Promise<Obtained>>()

/**
 * Throws a CredentialError where there is none to be had, or where it cannot be sent. All who log in alike share a
 * token; `instead` is one that the portal does not know any more.
 */
export async function obtainCredential(
  source: CredentialSource,
  portal: PortalName,
  configuration: Configuration,
  instead?: string,
): Promise<Obtained> {
  const obtained =
    'command' in source
      ? { credential: await printedBy(source.command, source.folder) }
      : await loggedIn(source, portal, configuration, instead)
  const problem = credentialProblem(obtained.credential, configuration.authentication.in)
  if (problem !== undefined) throw new CredentialError(`the credential that came ${problem}`)
  return obtained
}

/** The token that is held, or another one: whoever asks waits for who asked before, who may have logged in meanwhile. */
function loggedIn(
  source: Extract<CredentialSource, { login: Login }>,
  portal: PortalName,
  configuration: Configuration,
  instead: string | undefined,
): Promise<Obtained> {
  const before = held.get(source)
  const asked = (async () => {
    const there = await before?.catch(() => undefined)
    const holds = there !== undefined && there.credential !== instead && Date.now() < renewalTime(there)
    return holds ? there : logIn(source.login, portal, configuration)
  })()
  held.set(source, asked)
  return asked
}

function printedBy(command: string, folder: string): Promise<string> {
  return new Promise((done, failed) => {
    const options = { cwd: folder, timeout: commandMs, maxBuffer: largestCredential }
    const child = exec(command, options, (error, stdout) => {
      if (error === null) return done(stdout.replace(/\r?\n$/, ''))
      const why =
        typeof error.code === 'number'
          ? `ended with code ${error.code}`
          : `did not end within ${commandMs / 1000} s, or printed more than ${largestCredential} bytes`
      // What it printed may be a credential, and the command line may hold one.
      failed(new CredentialError(`the command that prints its credential ${why}`))
    })
    child.stdin?.end()
  })
}

/** A credential; when it came and when it ends in milliseconds since 1970, where that is known. */
export interface Obtained {
  readonly credential: string
  readonly obtainedAt?: number
  readonly expiresAt?: number
}

/** A credential is renewed when less than this is left of it, in milliseconds, or a tenth of its time if that is less. */
const marginMs = 60_000

/** When to renew it, in milliseconds since 1970. */
export function renewalTime({ obtainedAt = Date.now(), expiresAt }: Omit<Obtained, 'credential'>): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  return expiresAt - Math.min(marginMs, (expiresAt - obtainedAt) / 10)
}

/** No credential could be had. One line that holds no secret. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError'
}

const minute = 60_000
/** Between looks at a new token, in ms. */
const pausesMs = [100, 200, 400, 800, 1500]

/** The token, with the time at which it ends. Throws a CredentialError that says why there is none. */
async function logIn(login: Login, portal: PortalName, configuration: Configuration): Promise<Obtained> {
  const url = new URL(login.url ?? `${baseUrlOf(configuration, portal)}/generateToken`)
  const client = new Client({
    ...configuration,
    target: { ...configuration.target, baseUrl: url.origin },
    portals: { host: { id: '' } },
  })
  try {
    const { referer } = login
    const path = url.pathname + url.search
    const obtained = tokenIn(
      await client.send({ portal: 'host', path, fields: fieldsOf(login), referer }),
      url,
    )
    await untilKnown(obtained.credential, { portal, referer }, configuration)
    return obtained
  } catch (error) {
    if (error instanceof TransportError) throw new CredentialError(`no token could be had: ${error.message}`)
    throw error
  } finally {
    await client.close()
  }
}

/** Some portals know a new token a moment later. Throws a CredentialError where it never works. */
async function untilKnown(credential: string, bearer: Bearer, configuration: Configuration): Promise<void> {
  const { check } = configuration.authentication
  if (check === undefined) return
  const client = new Client(configuration)
  try {
    for (const pauseMs of [...pausesMs, undefined]) {
      const answer = await whoIs(client, credential, bearer, configuration)
      const code = errorCodeOf(answer)
      if (![498, 499].includes(code)) return
      if (pauseMs === undefined)
        throw new CredentialError(
          `its credential does not work: ${check} answered HTTP ${answer.status} with error code ${code}`,
        )
      await sleep(pauseMs)
    }
  } catch (error) {
    // Whether the target answers at all is found out elsewhere.
    if (!(error instanceof TransportError)) throw error
  } finally {
    await client.close()
  }
}

interface Bearer {
  readonly portal: PortalName
  readonly referer: string | undefined
}

/** Asks `authentication.check` with that credential. Rejects with a TransportError. */
function whoIs(
  client: Client,
  credential: string,
  bearer: Bearer,
  { authentication }: Configuration,
): Promise<Answer> {
  return client.read({
    ...bearer,
    path: authentication.check as string,
    fields: [['f', 'json']],
    credential,
  })
}

function fieldsOf({ username, password, referer, expirationMs }: Login): FormField[] {
  return [
    ['username', username],
    ['password', password],
    ['client', referer === undefined ? 'requestip' : 'referer'],
    ...(referer === undefined ? [] : [['referer', referer] as FormField]),
    ['expiration', String(Math.max(1, Math.round(expirationMs / minute)))],
    ['f', 'json'],
  ]
}

function tokenIn(answer: Answer, url: URL): Obtained {
  const body = bodyFields(answer)
  const { token, expires } = body
  const tokenUrl = url.origin + url.pathname
  if (answer.status < 200 || answer.status > 299 || typeof token !== 'string' || token === '') {
    // The message of a refusal may repeat what was sent: only its code is told.
    const code = errorCode(answer)
    const why = code !== undefined ? ` with error code ${code}` : ' without a token'
    throw new CredentialError(`the login was not accepted: ${tokenUrl} answered HTTP ${answer.status}${why}`)
  }
  return typeof expires === 'number' && expires > 0
    ? { credential: token, obtainedAt: Date.now(), expiresAt: expires }
    : { credential: token }
}

interface WrittenLogin extends Omit<Login, 'expirationMs'> {
  readonly expiration?: string
}

export type WrittenCredential =
  | string
  | { readonly file: string }
  | { readonly command: string }
  | { readonly login: WrittenLogin }

/** The credential, or its source where it has to be obtained. Relative paths start at the folder. */
export function readCredential(
  written: WrittenCredential,
  folder: string,
): Pick<Actor, 'credential' | 'source'> {
  if (typeof written === 'string') return { credential: written }
  if ('file' in written) return { credential: credentialIn(resolve(folder, written.file)) }
  if ('command' in written) return { credential: '', source: { command: written.command, folder } }
  const { expiration = '60m', ...login } = written.login
  return {
    credential: '',
    source: { login: { ...login, expirationMs: parseDuration(expiration) as number } },
  }
}

/** What became of an actor: ready to act, or absent for that reason. */
type Ready = { readonly actor: Actor } | { readonly reason: string }

/**
 * The configuration with every credential in it. An actor without a working one is absent, with the reason;
 * `madeUp` is a credential that nobody was given. Whether one works is told by `authentication.check`, where it is
 * set and turns the made-up one away.
 */
export async function readyActors(configuration: Configuration, madeUp: string): Promise<Configuration> {
  const entries = ofActors(configuration.actors)
  const complete = entries.every(([, { source }]) => source === undefined)
  if (complete && configuration.authentication.check === undefined) return configuration
  const client = new Client(configuration)
  try {
    const tellsApart = await checkTellsApart(client, configuration, madeUp)
    const all = await Promise.all(
      entries.map(async ([name, actor]): Promise<[ActorName, Ready]> => {
        if (actor.made) return [name, { actor }]
        const ready = await obtained(actor, configuration)
        if ('reason' in ready || !tellsApart) return [name, ready]
        return [name, await tried(client, configuration, ready.actor)]
      }),
    )
    const actors: Partial<Record<ActorName, Actor>> = {}
    const absent: Partial<Record<ActorName, string>> = { ...configuration.absent }
    for (const [name, ready] of all) {
      if ('actor' in ready) actors[name] = ready.actor
      else absent[name] = ready.reason
    }
    return { ...configuration, actors, ...(Object.keys(absent).length === 0 ? {} : { absent }) }
  } finally {
    await client.close()
  }
}

async function obtained(actor: Actor, configuration: Configuration): Promise<Ready> {
  if (actor.source === undefined) return { actor }
  try {
    return { actor: { ...actor, ...(await obtainCredential(actor.source, actor.portal, configuration)) } }
  } catch (error) {
    if (error instanceof CredentialError) return { reason: error.message }
    throw error
  }
}

async function tried(client: Client, configuration: Configuration, actor: Actor): Promise<Ready> {
  try {
    const answer = await ask(client, configuration, actor, actor.credential)
    if (letIn(answer) || isElsewhere(answer)) return { actor }
    return {
      reason: `its credential does not work: ${configuration.authentication.check} ${refusal(answer)}`,
    }
  } catch (error) {
    // Whether the target answers at all is found out elsewhere.
    if (error instanceof TransportError) return { actor }
    throw error
  }
}

/** Whether `authentication.check` is set and turns a credential away that nobody was given. Sends a request. */
export async function tellsCredentialsApart(configuration: Configuration, madeUp: string): Promise<boolean> {
  const client = new Client(configuration)
  try {
    return await checkTellsApart(client, configuration, madeUp)
  } finally {
    await client.close()
  }
}

/** A check that lets a made-up credential in tells nothing of the others. */
async function checkTellsApart(
  client: Client,
  configuration: Configuration,
  madeUp: string,
): Promise<boolean> {
  const [first] = Object.values(configuration.actors)
  if (configuration.authentication.check === undefined || first === undefined) return false
  try {
    return !letIn(await ask(client, configuration, first, madeUp))
  } catch (error) {
    if (error instanceof TransportError) return false
    throw error
  }
}

const ask = (
  client: Client,
  configuration: Configuration,
  actor: Actor,
  credential: string,
): Promise<Answer> =>
  whoIs(client, credential, { portal: actor.portal, referer: refererOf(actor) }, configuration)

/** The referer that the credential of an actor is bound to. */
export const refererOf = (actor: Actor): string | undefined => loginOf(actor)?.referer

function letIn(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299 && (bodyFields(answer).error ?? null) === null
}

/** Whether there is no such page: that says nothing of who asks for it. */
const isElsewhere = (answer: Answer): boolean =>
  [404, 405, 410, 501].some((status) => status === answer.status || status === errorCode(answer))

function refusal(answer: Answer): string {
  const code = errorCode(answer)
  return `answered HTTP ${answer.status}${code !== undefined ? ` with error code ${code}` : ''}`
}
