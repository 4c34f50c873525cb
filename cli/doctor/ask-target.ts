/** What `doctor` asks the target: its page at the base URL, and the page about each caller. Changes nothing. */
import { internalNumberIn, releaseIn } from '../../deployment/administration/find-deployment.ts'
import { give, giveOfOthers } from '../../deployment/administration/people.ts'
import { type ActorName, ofActors } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { bearerOf } from '../../deployment/credentials/ready-actors.ts'
import { whoIs } from '../../deployment/credentials/sign-ins.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, bodyFields, TransportError } from '../../deployment/http/exchange.ts'
import type { Fields } from '../../schemas/values.ts'

/** What the page at the base URL says, and how fast. */
export interface BaseAnswers {
  /** Absent: no complete answer came. */
  readonly latency?:
    | { readonly answers: number; readonly medianMs: number; readonly largestMs: number }
    | undefined
  /** Why no more answers came, in one line. */
  readonly trouble?: string | undefined
  /** The release that the base URL names; may be wrong. */
  readonly release?: string | undefined
  /** `currentVersion`: an internal number, easily mistaken for the release. */
  readonly internalNumber?: string | undefined
}

/** Few, because a slow target must not delay `doctor`. */
const tries = 7

/** Sends GET requests that change nothing, until the signal is aborted. */
export async function askBase(configuration: Configuration, signal: AbortSignal): Promise<BaseAnswers> {
  const client = new Client(configuration, { signal })
  const answers: Answer[] = []
  let trouble: string | undefined
  try {
    while (answers.length < tries && !signal.aborted)
      answers.push(await client.send({ portal: 'host', path: '', fields: [['f', 'json']], method: 'GET' }))
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    trouble = error.message
  } finally {
    await client.close()
  }
  const times = answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  const rounded = (ms: number): number => Math.round(ms * 10) / 10
  const roots = answers.map(bodyFields)
  const latency = median !== undefined && {
    answers: times.length,
    medianMs: rounded(median),
    largestMs: rounded(times.at(-1) ?? median),
  }
  return {
    latency: latency || undefined,
    trouble,
    release: roots.map(releaseIn).find((each) => each !== undefined),
    internalNumber: roots.map(internalNumberIn).find((each) => each !== undefined),
  }
}

/** Whether callers have the rights of their roles. Undefined: the page does not show it. */
export type Rights = Readonly<Partial<Record<ActorName, boolean | undefined>>>

interface Shown {
  readonly administrator: 'full' | 'custom' | 'no'
  readonly privileges: readonly unknown[]
}

type Judge = (shown: Shown) => boolean | undefined

const may = ({ administrator, privileges }: Shown, privilege: string): boolean =>
  administrator === 'full' || privileges.includes(privilege)
const collaborates: Judge = (shown) => may(shown, 'portal:admin:manageCollaborations')
const transfers: Judge = (shown) => may(shown, give)
const isMember: Judge = ({ administrator, privileges }) =>
  administrator === 'no' && !privileges.some((each) => String(each).startsWith('portal:admin:'))

/** The other roles depend on fixtures, which no page about a user shows. */
const judges: Readonly<Partial<Record<ActorName, Judge>>> = {
  hostAdministrator: collaborates,
  guestAdministrator: collaborates,
  organizationAdministrator: ({ administrator }) =>
    administrator === 'custom' ? undefined : administrator === 'full',
  contentAdministrator: (shown) => may(shown, giveOfOthers),
  customAdministrator: ({ administrator }) => administrator === 'custom',
  hostMember: isMember,
  itemOwner: (shown) => isMember(shown) && transfers(shown),
  itemOwnerUnprivileged: (shown) => isMember(shown) && !transfers(shown),
  outsider: isMember,
}

/** A custom role with administrative privileges also shows org_admin; its id distinguishes it from the full administrator. */
function shownIn({ role, roleId, privileges }: Fields): Shown | undefined {
  if (typeof role !== 'string' || !Array.isArray(privileges)) return undefined
  const ofAdministrator = roleId === undefined ? 'full' : 'custom'
  return { administrator: role === 'org_admin' ? ofAdministrator : 'no', privileges }
}

/** Reads the page as each caller whose right it may show. Changes nothing. */
export async function rightsShown(configuration: Configuration): Promise<Rights> {
  const client = new Client(configuration)
  const judged = ofActors(configuration.actors).map(async ([name, actor]) => {
    const judge = judges[name]
    if (judge === undefined || actor.made) return []
    const answer = await whoIs(client, bearerOf(actor), configuration)
    const shown = shownIn(bodyFields(answer))
    return [[name, shown && judge(shown)] as const]
  })
  try {
    return Object.fromEntries((await Promise.all(judged)).flat())
  } catch (error) {
    if (error instanceof TransportError) return {}
    throw error
  } finally {
    await client.close()
  }
}
