/** Reads documented pages to see whether an operation took effect, or whether a refused one had none. */
import { describe, isAccepted } from '../../clauses/acceptance.ts'
import { type Answer, bodyFields, errorCodeOf } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, type Needs, suite } from '../../runner/check.ts'
import type { At } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isThorough, looks } from '../../runner/effort.ts'
import { NotApplicable, Unproven } from '../../runner/findings.ts'
import { targetNeeds } from '../../runner/operation-targets.ts'
import { isObject } from '../../schemas/values.ts'
import { show } from '../../schemas/wording.ts'
import type { ReadName } from '../../specs/profile.ts'
import { operationJudgedBy, type RequirementId } from '../../specs/requirements.ts'

/** The pages that a check reads, and what it needs beside them and its operation. */
export interface ReadBack extends Pick<Needs, 'actors' | 'fixtures' | 'also' | 'title'> {
  readonly reads: readonly ReadName[]
}

/** Declares a check of what those pages show after a request. The host's administrator reads them. */
export function readBack(
  checks: CheckDefinition[],
  id: RequirementId,
  { reads, actors = [], ...others }: ReadBack,
  body: (context: CheckContext) => Promise<void>,
): void {
  const needs = { ...others, actors: ['hostAdministrator' as const, ...actors], whereThere: { reads } }
  suite(checks, targetNeeds(operationJudgedBy(id)))(`${id}:read-back`, needs, body)
}

type Viewer = Pick<CheckContext<never, never>, 'read' | 'wait' | 'parts' | 'configuration'>

export type Reader = Viewer & Pick<CheckContext<never, never>, 'expect'>

export type Page = Readonly<Record<string, unknown>>

/** A page and the part of it that is compared. */
export interface Look {
  /** In words, such as `the folders of eva`. */
  readonly what: string
  readonly page: ReadName
  readonly at: Readonly<Record<string, string>>
  /** The name of a list in the page, read over all of its pages. */
  readonly list?: string
  /** Picks the compared part from the page. */
  readonly of: (page: Page) => unknown
  /** The parameters of the request that the page shows. */
  readonly sentAs?: readonly string[]
}

const mostPages = 50
/** How many settle times to wait for an accepted change, because a slow page breaks nothing. */
export const patience = looks.some

/** Whether the answer is a refusal instead of a page. */
export function isRefusal(answer: Answer): boolean {
  const { error, ...page } = bodyFields(answer)
  const refused = error !== undefined && error !== null
  return answer.status < 200 || answer.status > 299 || refused || Object.keys(page).length === 0
}

/**
 * Reads a page, retrying over the settle time. Throws NotApplicable if the target shows no such page to the reader, and
 * Unproven if it showed others. So checks read their page before they change anything.
 */
async function viewed(
  { read, wait, parts }: Viewer,
  page: ReadName,
  at: Readonly<Record<string, string>>,
): Promise<Answer> {
  const answer = await wait.retryUntil(
    () => read(page, at),
    (each) => !isRefusal(each),
  )
  if (!isRefusal(answer)) {
    parts.pagesShown.add(page)
    return answer
  }
  if (parts.pagesShown.has(page))
    throw new Unproven(`the page by which the effect is read back was ${describe(answer)}`, [answer])
  throw new NotApplicable(`the page by which the effect is read back is not shown (${describe(answer)})`)
}

/** All entries of a list over all of its pages, with the last answer. */
export async function listed(
  context: Viewer,
  page: ReadName,
  at: Readonly<Record<string, string>>,
  name: string,
): Promise<{ readonly entries: Page[]; readonly answer: Answer }> {
  const entries: Page[] = []
  for (let start = 1, count = 0; ; count++) {
    const answer = await viewed(context, page, { ...at, start: String(start) })
    const body = bodyFields(answer)
    if (Array.isArray(body[name])) entries.push(...(body[name] as Page[]))
    const next = Number(body.nextStart ?? -1)
    if (!(next > start) || count >= mostPages) return { entries, answer }
    start = next
  }
}

interface View {
  readonly now: unknown
  /** The last answer if there are several pages. */
  readonly answer: Answer
}

async function view(context: Viewer, { page, at, list, of }: Look): Promise<View> {
  if (list !== undefined) {
    const { entries, answer } = await listed(context, page, at, list)
    return { now: of({ [list]: entries }), answer }
  }
  const answer = await viewed(context, page, at)
  return { now: of(bodyFields(answer)), answer }
}

/** What the page shows now. Something made just before may appear a moment later. */
export async function seen(context: Viewer, look: Look): Promise<unknown> {
  return (await view(context, look)).now
}

/** What the page shows once it is stable for the settle time. Throws NotApplicable if it goes on changing. */
export async function seenForLong(context: Viewer, look: Look): Promise<unknown> {
  let before = await seen(context, look)
  for (let time = 1; time < looks.many; time += 1) {
    await context.wait.settle()
    const now = await seen(context, look)
    if (same(now, before)) return now
    before = now
  }
  throw new NotApplicable(
    `the page of the ${look.page} goes on changing: so it cannot show the effect of one request`,
  )
}

/** What the page shows once it is as wanted, or after `times` settle times. */
async function shownInTime(
  context: Viewer,
  look: Look,
  holds: (now: unknown) => boolean,
  times: number = patience,
): Promise<View> {
  let last: View | undefined
  const ask = async (): Promise<Answer> => {
    last = await view(context, look)
    return last.answer
  }
  await context.wait.retryUntil(ask, () => holds(last?.now), times)
  return last as unknown as View
}

/** Waits until the page shows an accepted change, as a baseline. Throws NotApplicable if it never does. */
export async function untilShown(
  context: Viewer,
  look: Look,
  holds: (now: unknown) => boolean,
): Promise<void> {
  if (holds((await shownInTime(context, look, holds)).now)) return
  throw new NotApplicable(`the page of the ${look.page} does not show what was accepted`)
}

/** Expects the page to show an accepted request in time. */
export async function expectToShow(
  context: Reader,
  look: Look,
  wanted: unknown,
  accepted: Answer,
): Promise<void> {
  const shown = await shownInTime(context, look, (now) => agrees(now, wanted))
  // What is missing from a list is not there.
  if (look.list === undefined) showsAny(look, shown.now, wanted)
  expectShown(context, look, wanted, shown, accepted)
}

/** Throws NotApplicable if the page has none of the wanted fields. */
function showsAny({ page }: Look, now: unknown, wanted: unknown): void {
  const fields = isObject(now) && isObject(wanted) ? Object.keys(wanted).map((name) => now[name]) : [now]
  if (fields.every((field) => field === undefined))
    throw new NotApplicable(`the page of the ${page} does not show it here`)
}

/** Expects what was seen to be what the page should show after an accepted request. */
function expectShown(
  { expect }: Reader,
  { what, sentAs }: Look,
  wanted: unknown,
  { now, answer }: View,
  accepted: Answer,
): void {
  const among = Array.isArray(now) && !Array.isArray(wanted) ? 'among them ' : ''
  const least = typeof wanted === 'number' ? 'at least ' : ''
  expect(answer, accepted).toShow(
    agrees(now, wanted),
    'the request was accepted, but its effect does not show',
    {
      expected: `${what}: ${among}${least}${inWords(wanted)}`,
      actual: `${later(accepted, answer)} ${what}: ${inWords(now)}`,
      ...(sentAs === undefined ? {} : { request: sentAs }),
    },
  )
}

/** How long after one answer another request was sent, in words. */
export const later = (answer: Answer, { sentAt }: Answer): string =>
  `${((sentAt - answer.answeredAt) / 1000).toFixed(1)} s later`

/** Performs an update of something that other checks update as well, again and again until it shows. */
export async function expectOwnToShow(
  context: Reader & Pick<CheckContext, 'control'>,
  look: Look,
  { sent, mark }: Own,
  update: () => Promise<Answer>,
): Promise<Answer> {
  for (let unseen = 0, left = looks.many - 1; ; left--) {
    const before = await seen(context, look)
    const accepted = await update()
    context.control(accepted)
    const shown = await shownInTime(context, look, (now) => !same(now, before), 1)
    const { now, answer } = shown
    const marked = (now as Page)[mark]
    showsAny(look, marked, sent[mark])
    const isOfOthers = !same(now, before) && !isSame(marked, sent[mark])
    // Others may have changed it, or a part of it, or put back what was there before.
    if (!agrees(now, sent) && left > 0 && (isOfOthers || ++unseen < looks.some)) continue
    if (isOfOthers) throw new Unproven('something else changes it all the time', [answer])
    expectShown(context, look, sent, shown, accepted)
    return accepted
  }
}

/** An update that only this check sends. `mark`: the field whose value no other update sets. */
interface Own {
  readonly sent: Page
  readonly mark: string
}

/**
 * Repeats an update that shows, with other values each time, because one node of several may lose what it accepts. While
 * the page shows the values before, nothing else can have undone the next update.
 */
export async function expectNextToShow(
  context: Reader,
  look: Look,
  { sent: shown, mark }: Own,
  next: (time: number) => Promise<Page>,
  update: (sent: Page) => Promise<Answer>,
): Promise<void> {
  const times = isThorough(context.configuration.run) ? looks.some : 1
  const markIn = (page: unknown) => (page as Page)[mark]
  let own = shown[mark]
  for (let time = 1; time <= times; time += 1) {
    // Nodes may take turns, so the number of requests between two updates varies.
    if (time % 2 === 0) await seen(context, look)
    const before = await seen(context, look)
    const sent = await next(time)
    const accepted = await update(sent)
    if (!isAccepted(accepted)) continue
    const wasOwn = isSame(markIn(before), own)
    own = sent[mark]
    if (!wasOwn) continue
    const view = await shownInTime(context, look, (now) => !same(now, before))
    const isOfOthers = !same(view.now, before) && !isSame(markIn(view.now), own)
    if (!isOfOthers) expectShown(context, look, sent, view, accepted)
  }
}

/** Expects the page to be unchanged after a refusal. */
export async function expectUnchanged(
  context: Reader,
  look: Look,
  before: unknown,
  refused: Answer,
): Promise<void> {
  const { now, answer } = await view(context, look)
  // What only the refused request names cannot have been changed by another one.
  if (!same(now, before) && now !== true) await seenForLong(context, look)
  context.expect(answer, refused).toShow(same(now, before), 'the request was refused, but its effect shows', {
    expected: `${look.what} as before: ${inWords(before)}`,
    actual: `${later(refused, answer)} ${look.what}: ${inWords(now)}`,
  })
}

/** How many entries of a list are reported. */
const mostEntries = 10

/** What a page shows, in words. Some looks only say whether the sent value is there. */
export function inWords(seen: unknown): string {
  if (typeof seen === 'boolean') return seen ? 'what was sent' : 'not what was sent'
  if (Array.isArray(seen)) {
    const left = seen.length - mostEntries
    const entries = seen.slice(0, mostEntries).map(show).join(', ')
    return seen.length === 0 ? '(none)' : `${entries}${left > 0 ? ` and ${left} more` : ''}`
  }
  if (!isObject(seen)) return seen === undefined ? '(not shown)' : show(seen)
  return Object.entries(seen)
    .map(([name, value]) => `${name}: ${inWords(value)}`)
    .join(', ')
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Whether a list holds what is wanted, a count reaches it, or all fields of the page agree. A field that the page lacks
 * proves nothing.
 */
function agrees(now: unknown, wanted: unknown): boolean {
  if (Array.isArray(now) && !Array.isArray(wanted)) return now.some((each) => isSame(each, wanted))
  if (typeof wanted === 'number') return Number(now) >= wanted
  return isObject(now) && isObject(wanted)
    ? Object.keys(wanted).every((name) => now[name] === undefined || isSame(now[name], wanted[name]))
    : isSame(now, wanted)
}

/** Pages may write a text differently: in another letter case, with escaped signs, an address with a slash at its end. */
export const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' ? plain(one) === plain(other) : same(one, other)

const plain = (text: string): string =>
  text
    .replace(/&#?\w+;|["'&<>]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/:(?:80|443)(?=\/|$)|\/$/g, '')

/** The fields with those names, in order. Public pages differ in the letter case of some names. */
export const fieldsOf =
  (...names: readonly string[]) =>
  (page: Page): Page => {
    const byLowerCase = new Map(Object.keys(page).map((name) => [name.toLowerCase(), name]))
    return Object.fromEntries(
      names.map((name) => [name, page[name] ?? page[byLowerCase.get(name.toLowerCase()) ?? name]]),
    )
  }

const contact = ['contactFirstname', 'contactLastname', 'contactEmailAddress'] as const

/** The contact of a participant, as a request names it or as a page does. */
export const contactOf = fieldsOf(...contact)

/** The page that shows the contact. */
export const contactAt = ({ collaborationId, participantPortalId }: At<'update-participant'>): Look => ({
  what: `the contact of portal ${participantPortalId}`,
  sentAs: contact,
  page: 'participant',
  at: { collaborationId, participantPortalId },
  of: ({ config }: Page) => contactOf((config ?? {}) as Page),
})

/** The number of recorded syncs of a workspace. */
export const syncsOf = ({ collaborationId, workspaceId }: At<'sync-workspace'>): Look => ({
  what: 'the number of syncs',
  page: 'syncs',
  at: { collaborationId, workspaceId },
  list: 'status',
  of: ({ status }) => (status as readonly Page[]).length,
})

/** The page of the federation. */
export const federationPage = { what: 'the federation', page: 'federation', at: {} } as const

/** The federation that the page shows, and the page: it has one federation of the organization. */
export async function shownFederation(
  context: Viewer & Pick<CheckContext<never, 'federation'>, 'given'>,
): Promise<At<'update-federation'> & { readonly page: Page }> {
  const first = await context.given.federation()
  const page = (await seen(context, { ...federationPage, of: (whole) => whole })) as Page
  const isShown = ({ federationId }: At<'update-federation'>) => federationId === page.id
  if (isShown(first)) return { ...first, page }
  const shown = (await context.given.different('federation', 2, { least: 1 })).find(isShown)
  if (shown === undefined) throw new NotApplicable('the page shows another federation of the organization')
  return { ...shown, page }
}

/** Whether the page lists a sync that it does not list now. Its list may keep only the last syncs. */
export async function newSyncOf(context: Viewer, at: At<'sync-workspace'>): Promise<Look> {
  const look = { ...syncsOf(at), of: ({ status }: Page) => status }
  const before = (await seen(context, look)) as Page[]
  const known = new Set(before.map(identityOf))
  const isNew = (status: Page[]) =>
    status.length > before.length || status.some((each) => !known.has(identityOf(each)))
  return { ...look, what: 'a new sync in the list', of: ({ status }) => isNew(status as Page[]) }
}

/** The id of a recorded sync. Some pages show none. */
export const identityOf = ({ syncId, startTime }: Page): unknown => syncId ?? startTime

/** Whether a recorded sync is still running. */
export const isRunning = ({ status }: Page): boolean =>
  ['submitted', 'started', 'in_progress'].includes(String(status).toLowerCase())

/** Whether the answer says that the thing does not exist, and not that the reader may not see it. */
export const isAbsent = (answer: Answer): boolean => [400, 404, 410].includes(errorCodeOf(answer))

/** Also true for 403, which some deployments answer to readers who saw the thing before. */
export const isGone = (answer: Answer): boolean => isAbsent(answer) || errorCodeOf(answer) === 403

/** An id that a name may contain: digits become letters. */
export const inLetters = (id: string): string =>
  id.replace(/\d/g, (digit) => String.fromCharCode(103 + Number(digit))).replace(/[^a-z]/g, '')
