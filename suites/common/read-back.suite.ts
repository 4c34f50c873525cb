/** Accepted requests show on the pages that the profile names. */
import { describe, isAccepted } from '../../clauses/acceptance.ts'
import { ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { inDomain } from '../../runner/cases/realistic.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { At, How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isThorough, looks } from '../../runner/effort.ts'
import { Unproven } from '../../runner/findings.ts'
import { at, isObject } from '../../schemas/values.ts'
import { plainCertificate, usualCertificates } from '../../specs/certificates.ts'
import { ownParticipant } from './collaborations.ts'
import {
  contactAt,
  contactOf,
  expectNextToShow,
  expectOwnToShow,
  expectToShow,
  federationPage,
  fieldsOf,
  inLetters,
  inWords,
  isAbsent,
  isGone,
  isRefusal,
  isSame,
  type Look,
  later,
  listed,
  newSyncOf,
  type Page,
  patience,
  readBack,
  seen,
  shownFederation,
} from './read-back.ts'
import { certificateIn, groupsIn } from './shown-settings.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

readBack(
  checks,
  'add-workspace/creates',
  {
    reads: ['workspaces'],
    title: 'A workspace that was added is listed once, under its name and with its description and group.',
  },
  async (context) => {
    const { given, control, configuration } = context
    const { collaborationId } = await given.collaboration()
    const { request, answer: added } = await lastAdded(context, { collaborationId })
    const { workspace } = control(added) as { workspace?: { id?: unknown } }
    const {
      collaborationWorkspaceName: name,
      collaborationWorkspaceDescription: description,
      portalGroupId: group,
    } = request
    const look: Look = {
      what: `the workspace ${String(workspace?.id)}`,
      page: 'workspaces',
      at: { collaborationId },
      list: 'workspaces',
      of: ({ workspaces }) => {
        const all = workspaces as readonly Page[]
        const found = all.find(({ id }) => id !== undefined && String(id) === String(workspace?.id))
        const groups = groupsOf(found, configuration.portals.host?.id)
        return (
          found && {
            ...fieldsOf('name', 'description')(found),
            group: groups.includes(group) ? group : groups[0],
            [namesakes]: idsOfName(all, name).size,
          }
        )
      },
      sentAs: ['collaborationWorkspaceName', 'collaborationWorkspaceDescription', 'portalGroupId'],
    }
    await expectToShow(context, look, { name, description, group, [namesakes]: 1 }, added)
  },
)

const namesakes = 'workspaces of that name'

/** The ids of the workspaces of that name. A list may show an entry on two of its pages. */
const idsOfName = (workspaces: readonly Page[], name: unknown): ReadonlySet<unknown> =>
  new Set(workspaces.filter((each) => isSame(each.name, name)).map(({ id }) => id))

/**
 * Adds workspaces that are linked with different groups, if there are two, and returns the last one that was accepted.
 * A deployment may link each with the group of the first, or cut long texts.
 */
async function lastAdded(
  { as, given }: CheckContext<'hostAdministrator', 'group'>,
  at: At<'add-workspace'>,
): Promise<Performed> {
  const add = async (portalGroupId: string | undefined, texts: RequestFields = {}): Promise<Performed> => {
    const linked = portalGroupId === undefined ? {} : { portalGroupId }
    const request = await given.request('add-workspace', { ...linked, ...texts })
    return { request, answer: await as.hostAdministrator('add-workspace', at, request) }
  }
  const [one, other = one] = await differentGroups(given)
  const first = await add(one)
  const second = await add(other, {
    collaborationWorkspaceName: 'Read back '.padEnd(100, 'x'),
    collaborationWorkspaceDescription: `Read back in ${given.runId} `.padEnd(250, 'x'),
  })
  // How many workspaces a collaboration has room for, and a group, is open.
  return isAccepted(second.answer) ? second : first
}

/** Up to two groups. */
async function differentGroups(given: CheckContext<never, 'group'>['given']): Promise<string[]> {
  const groups = await ifOffered(given.different('group', 2, { least: 1 }))
  return (groups ?? []).map(({ groupId }) => groupId)
}

/** A request and its answer. */
interface Performed {
  readonly request: RequestFields
  readonly answer: Answer
}

/** The groups of that portal that are linked with a workspace, or all that its page shows if none names the portal. */
function groupsOf({ participantGroupLinks: links }: Page = {}, portalId?: string): unknown[] {
  const shown = (Array.isArray(links) ? (links as Page[]) : []).filter(
    ({ portalGroupId }) => portalGroupId !== undefined,
  )
  const own = shown.filter((link) => link.portalId === portalId)
  return (own.length > 0 ? own : shown).map(({ portalGroupId }) => portalGroupId)
}

readBack(
  checks,
  'update-participant/updates',
  {
    fixtures: ['collaboration'],
    reads: ['participant'],
    title: 'The last update of a contact shows, and no other participant has that contact.',
  },
  async (context) => {
    const { as, given } = context
    const [one, other] = [await ownParticipant(context), await ownParticipant(context)]
    const contact = await acceptedContact(context, one)
    const request = await given.request('update-participant', contact)
    const marked = { sent: contactOf(request), mark: 'contactLastname' }
    const update = (values: Page = {}, how: How = {}) =>
      as.hostAdministrator('update-participant', one, { ...request, ...values }, how)
    // All collaborations of a portal may share its contact.
    const updated = await expectOwnToShow(context, contactAt(one), marked, update)
    for (const portal of await portalsIn(context, one)) {
      const atPortal = contactAt({ ...one, participantPortalId: portal })
      // Among participants a portal may have another id, so the page may be that of the one that was updated.
      const of = (page: Page) => (isPageOf(page, portal) ? atPortal.of(page) : undefined)
      await expectNotAt(context, { ...atPortal, of }, marked, updated)
    }
    // A portal may have one contact for all of its collaborations. If contacts are mixed up, another check's contact may
    // show instead of this one, so the check reads several times.
    for (let time = 0; one.participantPortalId !== other.participantPortalId && time < looks.some; time += 1)
      await expectNotAt(context, contactAt(other), marked, time === 0 ? updated : await update())
    const next = async (time: number) => anotherContact(marked.sent, inLetters(`${time}`))
    await expectNextToShow(context, contactAt(one), marked, next, (values) =>
      update(values, { style: { space: '%20' } }),
    )
  },
)

/** A contact like that one, with a space in the first name. */
const anotherContact = ({ contactFirstname, contactLastname, ...others }: Page, mark: string): Page => ({
  ...others,
  contactFirstname: `${contactFirstname} ${mark}`,
  contactLastname: `${contactLastname}${mark}`,
})

/** The ids of the other portals that may take part. The page of the collaboration may show another one of the host. */
async function portalsIn(
  { read, configuration: { profile, portals } }: CheckContext,
  { collaborationId, participantPortalId }: At<'update-participant'>,
): Promise<Set<string>> {
  const ids = new Set(Object.values(portals).map(({ id }) => id))
  if (profile?.reads?.collaboration !== undefined) {
    const { collaborationHostPortalId: host } = bodyFields(await read('collaboration', { collaborationId }))
    if (typeof host === 'string') ids.add(host)
  }
  ids.delete(participantPortalId)
  return ids
}

const isPageOf = (page: Page, portalId: string): boolean =>
  [at(page, 'portalInfo', 'id'), page.portalId].includes(portalId)

/** Expects the page of something else not to show the value that only this request sent. `mark`: its name. */
async function expectNotAt(
  { read, expect }: CheckContext,
  look: Look,
  { sent, mark }: { readonly sent: Page; readonly mark: string },
  accepted: Answer,
): Promise<void> {
  const answer = await read(look.page, look.at)
  const now = look.of(bodyFields(answer))
  const isCopied = isObject(now) && isSame(now[mark], sent[mark])
  expect(answer, accepted).toShow(!isCopied, `${look.what} shows what was sent for another one`, {
    expected: `${look.what} as it was`,
    actual: `${later(accepted, answer)} ${inWords(now)}`,
    ...(look.sentAs && { request: look.sentAs }),
  })
}

/**
 * Updates the participant with the first of several contacts that is accepted, and returns another contact like it. Not
 * every deployment accepts every name and address, and another requirement judges that.
 */
async function acceptedContact(
  { as, given, configuration }: CheckContext<'hostAdministrator', never>,
  at: At<'update-participant'>,
): Promise<RequestFields> {
  const mark = inLetters(given.runId)
  const contact = (contactFirstname: string, lastname: string, address: string): RequestFields => ({
    contactFirstname,
    contactLastname: `${lastname}${mark}`,
    contactEmailAddress: inDomain(`${address}@example.com`, configuration.contract.domain),
  })
  const delicate = "Dvořák-O'Brien"
  const pairs = [
    [contact('Łucja', `${delicate}a`, 'lucja+maps'), contact('Юрий', delicate, 'yuri+maps')],
    [contact('Łucja', `${delicate}a`, 'lucja'), contact('Юрий', delicate, 'yuri')],
    [contact('Anna', 'Berga', 'anna+maps'), contact('Eva', 'Berg', 'eva+maps')],
    [contact('Anna', 'Berga', 'anna'), contact('Eva', 'Berg', 'eva')],
  ] as const
  for (const [first, second] of pairs) {
    const request = await given.request('update-participant', first)
    if (isAccepted(await as.hostAdministrator('update-participant', at, request))) return second
  }
  return pairs[3][1]
}

readBack(
  checks,
  'update-task-run/updates',
  {
    reads: ['run'],
    title: 'A run that was updated shows its status and its result, and no other run has that result.',
  },
  async (context) => {
    const { as, given, control } = context
    const run = await given.taskRun()
    const other = await ifOffered(given.taskRun())
    const lookAt = (at: typeof run, ...fields: readonly string[]): Look => ({
      what: `the run ${at.runId}`,
      page: 'run',
      at: { ...at },
      of: fieldsOf(...fields),
      sentAs: fields,
    })
    const { status: before } = (await seen(context, lookAt(run, 'status'))) as Page
    const updatedRun: Look = {
      ...lookAt(run, 'status', 'result'),
      of: (page) => unlessItWentOn(page, before),
    }
    // Which texts a deployment accepts is judged by another requirement.
    for (const text of ['Räume + Łódź é: 100 % seen by', 'seen by']) {
      const result = `${text} ${given.runId}`
      const updated = await as.taskOwner('update-task-run', run, { status: 'executing', result })
      if (!isAccepted(updated) && text !== 'seen by') continue
      control(updated)
      await expectToShow(context, updatedRun, { status: 'executing', result }, updated)
      if (other !== undefined && other.runId !== run.runId)
        await expectNotAt(context, lookAt(other, 'result'), { sent: { result }, mark: 'result' }, updated)
      const next = async (time: number) => ({ status: 'executing', result: `${result} ${time}` })
      await expectNextToShow(context, updatedRun, { sent: { result }, mark: 'result' }, next, (sent) =>
        as.taskOwner('update-task-run', run, sent),
      )
      return
    }
  },
)

/** A run may go on by itself. In a status that is neither the one before nor the one sent, its page shows nothing. */
function unlessItWentOn(page: Page, before: unknown): Page {
  const { status, ...others } = fieldsOf('status', 'result')(page)
  return [before, 'executing', undefined].some((each) => isSame(status, each)) ? { status, ...others } : {}
}

readBack(
  checks,
  'reassign-items/reassigns',
  {
    reads: ['item'],
    title: 'Every item that was given away belongs to the new owner, and no other one of its owner does.',
  },
  async (context) => {
    const { as, given, control } = context
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 4 })
    const username = await given.receiver()
    const [kept, ...items] = itemIds as [string, ...string[]]
    // A deployment may change the letter case of names.
    const named = (name: unknown) => ({ owner: typeof name === 'string' ? name.toLowerCase() : undefined })
    const itemAt = (itemId: string): Look => ({
      what: `the item ${itemId}`,
      page: 'item',
      at: { itemId },
      of: (page) => named(page.owner),
      sentAs: ['items', 'targetUsername'],
    })
    await seen(context, itemAt(kept))
    const request = { items, targetUsername: username }
    const moved = await as.contentAdministrator('reassign-items', { userName: owner }, request)
    control(moved)
    for (const itemId of items) await expectToShow(context, itemAt(itemId), named(username), moved)
    await expectToShow(context, itemAt(kept), named(owner), moved)
  },
)

readBack(
  checks,
  'reassign-items/folder-created',
  {
    reads: ['item', 'content'],
    title: 'The folder that was named is there, and the items are in it.',
  },
  async (context) => {
    const { as, given, control } = context
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 1 })
    const userName = await given.receiver()
    const [itemId] = itemIds as [string]
    const sentAs = ['targetFoldername', 'targetUsername']
    const inFolder: Look = {
      what: `the item ${itemId}`,
      page: 'item',
      at: { itemId },
      of: fieldsOf('ownerFolder'),
      sentAs,
    }
    const titles: Look = {
      what: `the folders of ${userName}`,
      page: 'content',
      at: { userName },
      of: folderTitles,
      sentAs,
    }
    for (const look of [inFolder, titles]) await seen(context, look)
    const targetFoldername = `Read back ${context.given.runId}`
    const request = { items: itemIds, targetUsername: userName, targetFoldername }
    const moved = await as.contentAdministrator('reassign-items', { userName: owner }, request)
    control(moved)
    await expectToShow(context, titles, targetFoldername, moved)
    const { entries } = await listed(context, 'content', { userName }, 'folders')
    const folder = entries.find(({ title }) => title === targetFoldername)
    // If items show no folder at all, the existing folder must suffice.
    const { ownerFolder } = (await seen(context, inFolder)) as Page
    if (ownerFolder !== undefined) await expectToShow(context, inFolder, { ownerFolder: folder?.id }, moved)
  },
)

/** Undefined if no folder shows its title. */
function folderTitles({ folders }: Page): unknown[] | undefined {
  const titles = (Array.isArray(folders) ? (folders as Page[]) : []).map(({ title }) => title)
  return titles.length > 0 && titles.every((title) => title === undefined) ? undefined : titles
}

readBack(
  checks,
  'sync-workspace/starts',
  {
    reads: ['syncs'],
    title: 'A sync that was accepted is listed.',
  },
  async (context) => {
    const { given, as, control, syncs } = context
    const { collaborationId, workspaceId } = await given.workspace()
    const at = { collaborationId, workspaceId }
    // Another sync may not start before the first is over.
    const isRepeated = isThorough(context.configuration.run) && syncs.knowsLongestOf(workspaceId)
    for (let left = isRepeated ? looks.some : 1; left > 0; left -= 1) {
      const look = await newSyncOf(context, at)
      const started = await as.syncInitiator('sync-workspace', at)
      control(started)
      await expectToShow(context, look, true, started)
      if (left > 1) await syncs.untilOver(workspaceId, started.answeredAt)
      // Nodes may take turns, so the number of requests between two syncs varies.
      if (left % 2 === 0) await seen(context, look)
    }
  },
)

readBack(
  checks,
  'delete-collaboration/deletes',
  {
    reads: ['collaboration'],
    title: 'A collaboration that was deleted cannot be read any more, and another one can.',
  },
  async (context) => {
    const { as, given, control, read, wait, expect } = context
    const [doomed, other] = [await given.collaboration(), await given.collaboration()]
    const { collaborationId } = doomed
    const page = { what: 'the collaboration', page: 'collaboration' as const, of: fieldsOf('id') }
    await seen(context, { ...page, at: other })
    const { id } = (await seen(context, { ...page, at: doomed })) as Page
    const unknown = { collaborationId: given.ids.unknownLike(collaborationId) }
    const absent = await read('collaboration', unknown)
    const hasGone = (answer: Answer) => isGone(answer) || hasSameForm(answer, absent)
    const deleted = await as.hostAdministrator('delete-collaboration', { collaborationId })
    control(deleted)
    const last = await wait.retryUntil(() => read('collaboration', { collaborationId }), hasGone, patience)
    const shown = bodyFields(last).id
    if (!hasGone(last) && (isRefusal(last) || id === undefined || !isSame(shown, id)))
      throw new Unproven(`the page of the deleted collaboration was ${describe(last)}`, [last, deleted])
    expect(last, deleted).toShow(hasGone(last), 'the collaboration was deleted, but can still be read', {
      expected: 'a page that says that there is no such collaboration',
      actual: `${later(deleted, last)} the page of the collaboration`,
    })
    // A late page may show the other one only at times.
    const there = await wait.retryUntil(
      () => read('collaboration', other),
      (each) => !isAbsent(each),
    )
    expect(there, deleted).toShow(!isAbsent(there), 'another collaboration has gone as well', {
      expected: 'the page of the other collaboration',
      actual: `${later(deleted, there)} a page that says that there is no such collaboration`,
    })
  },
)

/** Whether two pages have the same status and the same fields, and name no thing. */
function hasSameForm(one: Answer, other: Answer): boolean {
  const [fields, others] = [bodyFields(one), bodyFields(other)]
  const names = (page: Page) => Object.keys(page).sort().join()
  return one.status === other.status && names(fields) === names(others) && fields.id === undefined
}

readBack(
  checks,
  'update-federation/updates',
  {
    reads: ['federation'],
    title: 'The settings of a federation that was updated show.',
  },
  async (context) => {
    const { as, given } = context
    const { federationId, page } = await shownFederation(context)
    const request = await acceptedSettings(context, federationId, page)
    const groups = areGroupsUsed(context, request) ? (request.groups as string[]) : []
    const shownIn = (settings: Page): Page => ({
      ...fieldsOf(...settingsShown)(settings),
      certificate: certificateIn(settings.certificate),
      groups: groupsIn(settings.groups, groups)?.join(', '),
    })
    const sentIn = (settings: RequestFields): Page =>
      Object.fromEntries(Object.entries(shownIn(settings)).filter(([, value]) => value !== undefined))
    const look = { ...federationPage, of: shownIn, sentAs: [...settingsShown, 'certificate', 'groups'] }
    const update = (settings: RequestFields) =>
      as.organizationAdministrator('update-federation', { federationId }, settings)
    const own = { sent: sentIn(request), mark: 'name' }
    await expectOwnToShow(context, look, own, () => update(request))
    const next = async () =>
      sentIn(await given.settingsFor({ federationId }, { ...request, name: `Federation ${given.runId}` }))
    await expectNextToShow(context, look, own, next, ({ name }) => update({ ...request, name }))
  },
)

/** Groups are used only under a condition (§4.7). */
const areGroupsUsed = ({ configuration: { profile } }: CheckContext, { groups, signUpMode }: RequestFields) =>
  Array.isArray(groups) &&
  signUpMode === 'Automatic' &&
  profile?.points?.some(({ point, effect }) => point === 'conditional-parameters' && effect !== 'informs')

/** Settings that pages show as they were sent. */
const settingsShown = ['name', 'discoveryServiceUrl', 'metadataServiceUrl', 'entityId', 'signUpMode']

/**
 * Settings with two groups and another certificate than the one before, or ordinary ones if those are refused: whether
 * a deployment accepts them is judged by other requirements.
 */
async function acceptedSettings(
  { as, given }: CheckContext<'organizationAdministrator', 'group'>,
  federationId: string,
  shown: Page,
): Promise<RequestFields> {
  const named = { name: `Federation ${given.runId}` }
  const settings = async (fixed: RequestFields) =>
    given.settingsFor({ federationId }, await given.request('update-federation', { ...named, ...fixed }))
  const update = (request: RequestFields) =>
    as.organizationAdministrator('update-federation', { federationId }, request)
  const [usual] = usualCertificates
  const isUsual = certificateIn(shown.certificate) === usual
  const [former, next] = isUsual ? [usual, plainCertificate] : [plainCertificate, usual]
  await update(await settings({ certificate: former }))
  const groups = await differentGroups(given)
  const request = await settings({ certificate: next, ...(groups.length > 1 ? { groups } : {}) })
  return isAccepted(await update(request)) ? request : settings({})
}
