/** Accepted requests show on the pages that the profile names. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { inDomain } from '../../runner/cases/realistic.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { At, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { looks } from '../../runner/effort.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { at, isObject } from '../../schemas/values.ts'
import { plainCertificate, usualCertificates } from '../../specs/certificates.ts'
import { ownParticipant } from './collaborations.ts'
import {
  contactAt,
  contactOf,
  expectOwnToShow,
  expectToShow,
  fieldsOf,
  inLetters,
  inWords,
  isAbsent,
  isGone,
  isSame,
  type Look,
  later,
  listed,
  type Page,
  patience,
  readBack,
  seen,
  syncsOf,
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
 * A deployment may link each with the group of the first.
 */
async function lastAdded(
  { as, given }: CheckContext<'hostAdministrator', 'group'>,
  at: At<'add-workspace'>,
): Promise<Performed> {
  const add = async (fixed: RequestFields): Promise<Performed> => {
    const request = await given.request('add-workspace', fixed)
    return { request, answer: await as.hostAdministrator('add-workspace', at, request) }
  }
  const groups = await differentGroups(given)
  if (groups.length < 2) return add({})
  const first = await add({ portalGroupId: groups[0] })
  const second = await add({ portalGroupId: groups[1] })
  // How many workspaces a collaboration has room for is open.
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
    const { as, given, control } = context
    const [one, other] = [await ownParticipant(context), await ownParticipant(context)]
    const contact = await acceptedContact(context, one)
    const request = await given.request('update-participant', contact)
    const sent = contactOf(request)
    const marked = { sent, mark: 'contactLastname' }
    const update = () => as.hostAdministrator('update-participant', one, request)
    const updated = await update()
    control(updated)
    await expectToShow(context, contactAt(one), sent, updated)
    const host = (await hostOf(context, one)) ?? one.participantPortalId
    const atHost = contactAt({ ...one, participantPortalId: host })
    // The page of the collaboration may not say which id the host has among participants, and its own may be the guest's.
    const of = (page: Page) => (at(page, 'portalInfo', 'id') === host ? atHost.of(page) : undefined)
    if (host !== one.participantPortalId) await expectNotAt(context, { ...atHost, of }, marked, updated)
    if (one.collaborationId === other.collaborationId) return
    // If contacts are mixed up, another check's contact may show instead of this one, so the check reads several times.
    for (let time = 0; time < looks.some; time += 1)
      await expectNotAt(context, contactAt(other), marked, time === 0 ? updated : await update())
  },
)

/** The id of the host among participants, or its own one. */
async function hostOf(
  { read, configuration: { profile, portals } }: CheckContext,
  { collaborationId }: At<'update-participant'>,
): Promise<string | undefined> {
  if (profile?.reads?.collaboration === undefined) return portals.host?.id
  const { collaborationHostPortalId: shown } = bodyFields(await read('collaboration', { collaborationId }))
  return typeof shown === 'string' ? shown : portals.host?.id
}

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
    await seen(context, lookAt(run, 'status'))
    // Which texts a deployment accepts is judged by another requirement.
    for (const text of ['Räume + Łódź é: 100 % seen by', 'seen by']) {
      const result = `${text} ${given.runId}`
      const updated = await as.taskOwner('update-task-run', run, { status: 'executing', result })
      if (!isAccepted(updated) && text !== 'seen by') continue
      control(updated)
      await expectToShow(context, lookAt(run, 'status', 'result'), { status: 'executing', result }, updated)
      if (other !== undefined && other.runId !== run.runId)
        await expectNotAt(context, lookAt(other, 'result'), { sent: { result }, mark: 'result' }, updated)
      return
    }
  },
)

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
    const { collaborationId, workspaceId } = await context.given.workspace()
    const look = syncsOf({ collaborationId, workspaceId })
    const before = Number(await seen(context, look))
    const started = await context.as.syncInitiator('sync-workspace', { collaborationId, workspaceId })
    context.control(started)
    await expectToShow(context, look, before + 1, started)
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
    for (const { collaborationId } of [doomed, other])
      await seen(context, { ...page, at: { collaborationId } })
    const deleted = await as.hostAdministrator('delete-collaboration', { collaborationId })
    control(deleted)
    const last = await wait.retryUntil(() => read('collaboration', { collaborationId }), isGone, patience)
    expect(last, deleted).toShow(isGone(last), 'the collaboration was deleted, but can still be read', {
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

readBack(
  checks,
  'update-federation/updates',
  {
    reads: ['federation'],
    title: 'The settings of a federation that was updated show.',
  },
  async (context) => {
    const { as, given } = context
    const { federationId } = await given.federation()
    const federation = { what: 'the federation', page: 'federation' as const, at: {} }
    const page = (await seen(context, { ...federation, of: (whole) => whole })) as Page
    if (page.id !== federationId)
      throw new NotApplicable('the page shows one federation of the organization, and this is another')
    const request = await acceptedSettings(context, federationId, page)
    const groups = (Array.isArray(request.groups) ? request.groups : []) as string[]
    const shownIn = (settings: Page): Page => ({
      ...fieldsOf(...settingsShown)(settings),
      certificate: certificateIn(settings.certificate),
      groups: groupsIn(settings.groups, groups)?.join(', '),
    })
    const sent = Object.entries(shownIn(request)).filter(([, value]) => value !== undefined)
    await expectOwnToShow(
      context,
      { ...federation, of: shownIn, sentAs: [...settingsShown, 'certificate', 'groups'] },
      {
        sent: Object.fromEntries(sent),
        mark: 'name',
        update: () => as.organizationAdministrator('update-federation', { federationId }, request),
      },
    )
  },
)

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
