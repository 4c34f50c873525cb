/** Accepted requests show on the pages that the profile names. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { inDomain } from '../../runner/cases/realistic.ts'
import type { CheckDefinition } from '../../runner/check.ts'
import type { At, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick, looks } from '../../runner/effort.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { isObject } from '../../schemas/values.ts'
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
  mustShow,
  type Page,
  pageIn,
  patience,
  readBack,
  seen,
  shownInTime,
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
    const message = 'the list of workspaces does not show the added workspace, or shows it twice'
    await expectToShow(context, look, { name, description, group, [namesakes]: 1 }, added, message)
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
  { as, given, configuration }: CheckContext<'hostAdministrator', 'group'>,
  at: At<'add-workspace'>,
): Promise<Performed> {
  const add = async (fixed: RequestFields): Promise<Performed> => {
    const request = await given.request('add-workspace', fixed)
    return { request, answer: await as.hostAdministrator('add-workspace', at, request) }
  }
  const groups = isQuick(configuration.run) ? [] : await differentGroups(given)
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
    const { as, given, expect, read, configuration } = context
    const [one, other] = [await ownParticipant(context), await ownParticipant(context)]
    const contact = await acceptedContact(context, one)
    const request = await given.request('update-participant', contact)
    let updated = await expectOwnToShow(context, {
      look: contactAt(one),
      sent: contactOf(request),
      mark: 'contactLastname',
      perform: () => as.hostAdministrator('update-participant', one, request),
    })
    const own = JSON.stringify(contactOf(request))
    const expectNotAt = (elsewhere: Answer, { participantPortalId }: At<'update-participant'>) => {
      const shown = contactAt(one).of(bodyFields(elsewhere))
      const copied = JSON.stringify(shown) === own
      expect(elsewhere, updated).toShow(!copied, 'another participant has the contact as well', {
        expected: `the contact of portal ${participantPortalId} as it was`,
        actual: `${later(updated, elsewhere)} ${inWords(shown)}`,
        request: contactAt(one).sentAs,
      })
    }
    const host = configuration.portals.host?.id
    if (host !== undefined && host !== one.participantPortalId) {
      const beside = { ...one, participantPortalId: host }
      const page = await read('participant', contactAt(beside).at)
      // The host may have another id among participants, and that one may belong to the guest.
      const { portalInfo } = bodyFields(page)
      if (isObject(portalInfo) && portalInfo.id === host) expectNotAt(page, beside)
    }
    if (one.collaborationId === other.collaborationId) return
    // If contacts are mixed up, another check's contact may show instead of this one, so the check reads several times.
    for (let time = 0; time < looks.some; time += 1) {
      if (time > 0) updated = await as.hostAdministrator('update-participant', one, request)
      expectNotAt(await read('participant', contactAt(other).at), other)
    }
  },
)

/**
 * Updates the participant with the first of several contacts that is accepted, and returns another contact like it. Not
 * every deployment accepts every name and address, and another requirement judges that.
 */
async function acceptedContact(
  { as, given, configuration }: CheckContext<'hostAdministrator', never>,
  at: At<'update-participant'>,
): Promise<RequestFields> {
  const { run, contract } = configuration
  const mark = inLetters(given.runId)
  const contact = (contactFirstname: string, contactLastname: string, address: string): RequestFields => ({
    contactFirstname,
    contactLastname,
    contactEmailAddress: inDomain(`${address}@example.com`, contract.domain),
  })
  const [delicate, plain] = [`Dvořák-O'Brien${mark}`, `Berg${mark}`]
  const next = contact('Eva', plain, 'eva')
  if (isQuick(run)) return next
  for (const [first, second] of [
    [contact('Łucja', `${delicate}a`, 'lucja+maps'), contact('Юрий', delicate, 'yuri+maps')],
    [contact('Łucja', `${delicate}a`, 'lucja'), contact('Юрий', delicate, 'yuri')],
    [contact('Anna', `${plain}a`, 'anna+maps'), contact('Eva', plain, 'eva+maps')],
  ] as const) {
    const request = await given.request('update-participant', first)
    if (isAccepted(await as.hostAdministrator('update-participant', at, request))) return second
  }
  await as.hostAdministrator('update-participant', at, contact('Anna', `${plain}a`, 'anna'))
  return next
}

readBack(
  checks,
  'update-task-run/updates',
  {
    reads: ['run'],
    title: 'A run that was updated shows its status and its result, and no other run has that result.',
  },
  async (context) => {
    const { as, given, control, expect, read } = context
    const run = await given.taskRun()
    const other = await ifOffered(given.taskRun())
    await mustShow(context, 'run', { ...run })
    // Which texts a deployment accepts is judged by another requirement.
    const results = ['Räume + Łódź é: 100 % seen by', 'seen by'].map((text) => `${text} ${given.runId}`)
    const update = async (result: string): Promise<Performed> => {
      const request = { status: 'executing', result }
      return { request, answer: await as.taskOwner('update-task-run', run, request) }
    }
    const delicate = await update(results[0] as string)
    const { request, answer: updated } = isAccepted(delicate.answer)
      ? delicate
      : await update(results[1] as string)
    control(updated)
    const of = fieldsOf('status', 'result')
    const look = { what: 'the run', page: 'run' as const, at: { ...run }, of, sentAs: ['status', 'result'] }
    await expectToShow(context, look, request, updated)
    if (other === undefined || other.runId === run.runId) return
    const elsewhere = await read('run', { ...other })
    const { result } = fieldsOf('result')(bodyFields(elsewhere))
    expect(elsewhere, updated).toShow(result !== request.result, 'another run has the result as well', {
      expected: `the run ${other.runId} without the result of another`,
      actual: `${later(updated, elsewhere)} ${inWords({ result })}`,
      request: ['result'],
    })
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
    await mustShow(context, 'item', { itemId: kept })
    const request = { items, targetUsername: username }
    const moved = await as.contentAdministrator('reassign-items', { userName: owner }, request)
    control(moved)
    // A deployment may change the letter case of names.
    const named = (name: unknown) => ({ owner: typeof name === 'string' ? name.toLowerCase() : undefined })
    const itemAt = (itemId: string): Look => ({
      what: `the item ${itemId}`,
      page: 'item',
      at: { itemId },
      of: (page) => named(page.owner),
      sentAs: ['items', 'targetUsername'],
    })
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
    await mustShow(context, 'item', { itemId: itemIds[0] as string })
    await mustShow(context, 'content', { userName })
    const targetFoldername = `Read back ${context.given.runId}`
    const request = { items: itemIds, targetUsername: userName, targetFoldername }
    const moved = await as.contentAdministrator('reassign-items', { userName: owner }, request)
    control(moved)
    const titles: Look = {
      what: `the folders of ${userName}`,
      page: 'content',
      at: { userName },
      of: folderTitles,
      sentAs: ['targetFoldername', 'targetUsername'],
    }
    await expectToShow(context, titles, targetFoldername, moved)
    const { entries } = await listed(context, 'content', { userName }, 'folders')
    const folder = entries.find(({ title }) => title === targetFoldername)
    const itemId = itemIds[0] as string
    // If items show no folder at all, the existing folder must suffice.
    if (pageIn(await context.read('item', { itemId })).ownerFolder === undefined) return
    const of = fieldsOf('ownerFolder')
    const look: Look = { ...titles, what: `the item ${itemId}`, page: 'item', at: { itemId }, of }
    await expectToShow(context, look, { ownerFolder: folder?.id }, moved)
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
    const { as, given, control, expect } = context
    const { collaborationId, workspaceId } = await given.workspace()
    const workspace = { collaborationId, workspaceId }
    const look = syncsOf(workspace)
    const before = Number(await seen(context, look))
    const started = await as.syncInitiator('sync-workspace', workspace)
    control(started)
    const isMore = (now: unknown): boolean => Number(now) > before
    const { now, answer } = await shownInTime(context, look, isMore)
    expect(answer, started).toShow(isMore(now), 'a sync was accepted, but the list shows no new one', {
      expected: `more than ${before} syncs of the workspace`,
      actual: `${later(started, answer)} ${now} syncs`,
    })
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
    const [{ collaborationId }, other] = [await given.collaboration(), await given.collaboration()]
    const page = { what: 'the collaboration', page: 'collaboration' as const, of: fieldsOf('id') }
    await seen(context, { ...page, at: { collaborationId } })
    const deleted = await as.hostAdministrator('delete-collaboration', { collaborationId })
    control(deleted)
    const last = await wait.retryUntil(() => read('collaboration', { collaborationId }), isGone, patience)
    expect(last, deleted).toShow(isGone(last), 'the collaboration was deleted, but can still be read', {
      expected: 'a page that says that there is no such collaboration',
      actual: `${later(deleted, last)} the page of the collaboration`,
    })
    const there = await read('collaboration', other)
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
    await expectOwnToShow(context, {
      look: {
        ...federation,
        of: shownIn,
        sentAs: [...settingsShown, 'certificate', 'groups'],
      },
      sent: Object.fromEntries(sent),
      mark: 'name',
      perform: () => as.organizationAdministrator('update-federation', { federationId }, request),
    })
  },
)

/** Settings that pages show as they were sent. */
const settingsShown = ['name', 'discoveryServiceUrl', 'metadataServiceUrl', 'entityId', 'signUpMode']

/**
 * Settings with two groups and another certificate than the one before, or ordinary ones if those are refused: whether
 * a deployment accepts them is judged by other requirements.
 */
async function acceptedSettings(
  { as, given, configuration }: CheckContext<'organizationAdministrator', 'group'>,
  federationId: string,
  shown: Page,
): Promise<RequestFields> {
  const named = { name: `Federation ${given.runId}` }
  const settings = async (fixed: RequestFields) =>
    given.settingsFor({ federationId }, await given.request('update-federation', { ...named, ...fixed }))
  const update = (request: RequestFields) =>
    as.organizationAdministrator('update-federation', { federationId }, request)
  if (isQuick(configuration.run)) return settings({})
  const [usual] = usualCertificates
  const isUsual = certificateIn(shown.certificate) === usual
  const [former, next] = isUsual ? [usual, plainCertificate] : [plainCertificate, usual]
  await update(await settings({ certificate: former }))
  const groups = await differentGroups(given)
  const request = await settings({ certificate: next, ...(groups.length > 1 ? { groups } : {}) })
  return isAccepted(await update(request)) ? request : settings({})
}
