/** Items and folders of users. */
import { createHash } from 'node:crypto'
import { done, shown } from '../answers.ts'
import type { Answer } from '../parts.ts'
import type { Item, Store, User } from '../store.ts'
import { isAdministrator, refuseCaller } from '../users.ts'
import {
  type AdministrativeCall,
  forOwner,
  isProtected,
  paged,
  type Route,
  unprotect,
  wordsOf,
} from './call.ts'

/** The store knows folders by title. Their ids are derived from the owner and the title. */
function folderId(username: string, title: string): string {
  return createHash('sha256').update(`${username}\n${title}`).digest('hex').slice(0, 32)
}

function viewItem(item: Item) {
  const { id, type, title, owner, folder, tags = [], typeKeywords, url, created = 0, groups } = item
  return {
    id,
    owner,
    ownerFolder: folder === '' ? null : folderId(owner, folder),
    title: title ?? id,
    type,
    typeKeywords,
    tags,
    url,
    access: groups === undefined || groups.size === 0 ? 'private' : 'shared',
    protected: false,
    created,
    modified: created,
  }
}

/** The title of the folder in the path. Empty: the path names none. Undefined: the user has no such folder. */
const folderIn = ({ params }: AdministrativeCall, { username, folders }: User): string | undefined =>
  params.folder === undefined ? '' : [...folders].find((title) => folderId(username, title) === params.folder)

/** Handles a request for the folder in the path. */
const withFolder = (handle: (call: AdministrativeCall, owner: User, folder: string) => Answer) =>
  forOwner((call, owner) => {
    const folder = folderIn(call, owner)
    return folder === undefined ? call.parts.refuse('unknown-folder') : handle(call, owner, folder)
  })

/** Handles a request for the item in the path, which must belong to the user in the path. */
const withItem = (handle: (call: AdministrativeCall, item: Item) => Answer) =>
  forOwner((call, { username }) => {
    const item = call.store.items.get(call.params.item as string)
    return item?.owner === username ? handle(call, item) : call.parts.refuse('unknown-item')
  })

const isInFolder = ({ items }: Store, { owner, folder, url }: Pick<Item, 'owner' | 'folder' | 'url'>) =>
  [...items.values()].some((each) => each.url === url && each.owner === owner && each.folder === folder)

const addItem = forOwner((call, owner) => {
  const { field, params, parts, store, user } = call
  if (user !== owner) return parts.refuse('forbidden')
  const folder = folderIn(call, owner)
  if (folder === undefined) return parts.refuse('unknown-folder')
  const [title, type] = [field('title'), field('type')]
  if (title === undefined || type === undefined)
    return parts.refuse('missing-parameter', ["'type' and 'title' property required."])
  if (owner.role !== 'administrator' && !owner.privileges.has('portal:user:createItem'))
    return parts.refuse('forbidden')
  const url = field('url') ?? null
  if (url !== null && isInFolder(store, { owner: owner.username, folder, url }))
    return parts.refuse('url-taken')
  const id = parts.newId('item')
  const item: Item = {
    id,
    type,
    title,
    typeKeywords: [type, ...wordsOf(field('typeKeywords'))],
    tags: wordsOf(field('tags')),
    url,
    owner: owner.username,
    folder,
    created: parts.now(),
    groups: new Set(),
  }
  store.items.set(id, item)
  return done({ id, folder: params.folder ?? '' })
})

const createFolder = forOwner(({ field, parts }, owner) => {
  const title = field('title')
  if (title === undefined) return parts.refuse('missing-parameter')
  if (owner.folders.has(title)) return parts.refuse('name-taken')
  owner.folders.add(title)
  return done({ folder: viewFolder(owner, title) })
})

const viewFolder = ({ username }: User, title: string) => ({
  username,
  id: folderId(username, title),
  title,
})

const list = withFolder((call, owner, folder) => {
  const items = [...call.store.items.values()].filter(
    (item) => item.owner === owner.username && item.folder === folder,
  )
  return shown({
    username: owner.username,
    ...paged(call, 'items', items.map(viewItem), 10),
    currentFolder: folder === '' ? null : viewFolder(owner, folder),
    folders: folder === '' ? [...owner.folders].map((title) => viewFolder(owner, title)) : [],
  })
})

const readItem = (call: AdministrativeCall): Answer => {
  const { params, parts, store, user } = call
  if (user === undefined) return refuseCaller(call)
  const item = store.items.get(params.item as string)
  const owner = store.users.get(item?.owner ?? '')
  const isOfAnother = owner !== undefined && owner.organization !== user.organization
  const seen = user === owner || (isAdministrator(user) && !isOfAnother)
  return item === undefined || !seen ? parts.refuse('unknown-item') : shown(viewItem(item))
}

/** Shares an item, but only with groups of its owner. */
const shareItem = withItem(({ field, store }, item) => {
  const asked = wordsOf(field('groups'))
  const notSharedWith = asked.filter((id) => store.groups.get(id)?.owner !== item.owner)
  for (const id of asked) if (!notSharedWith.includes(id)) item.groups?.add(id)
  return shown({ notSharedWith, itemId: item.id })
})

function remove({ field, parts, store }: AdministrativeCall, item: Item): void {
  store.items.delete(item.id)
  if (parts.administration.hasRecycleBin && field('permanentDelete') !== 'true')
    store.recycleBin.set(item.id, item)
}

const deleteItem = withItem((call, item) => {
  if (isProtected(call, item.id)) return call.parts.refuse('forbidden')
  remove(call, item)
  return done({ itemId: item.id })
})

/** The portal creates items at once, even if the client asks for an asynchronous operation. */
const itemStatus = withItem((_, { id }) =>
  shown({ status: 'completed', statusMessage: 'completed', itemId: id }),
)

const deleteItems = forOwner((call, owner) => {
  const { field, parts, store } = call
  const ids = wordsOf(field('items'))
  if (ids.length > parts.limits.items) return parts.refuse('too-many-items')
  const results = ids.map((itemId) => {
    const item = store.items.get(itemId)
    const success = item?.owner === owner.username && !isProtected(call, itemId)
    if (success) remove(call, item)
    return success ? { itemId, success } : { itemId, success, error: parts.refusals['unknown-item'] }
  })
  return shown({ results })
})

const deleteFolder = withFolder((call, owner, title) => {
  owner.folders.delete(title)
  for (const item of call.store.items.values())
    if (item.owner === owner.username && item.folder === title) remove(call, item)
  return done({ folder: viewFolder(owner, title) })
})

const canReassign = forOwner(({ field, parts, store }, owner) => {
  const target = store.users.get(field('targetUsername') ?? '')
  const items = (field('items') ?? '')
    .split(',')
    .map((id) => store.items.get(id))
    .filter((item): item is Item => item?.owner === owner.username)
  if (target === undefined || target.organization !== owner.organization)
    return parts.refuse('unknown-target')
  return parts.eligible(target)
    ? done()
    : parts.refuse('ineligible-target', parts.errorDetails(items, target))
})

const own = '/content/users/:user'

export const contentRoutes: readonly Route[] = [
  { path: '/content/items/:item', handle: readItem },
  { path: `${own}/addItem`, handle: addItem },
  { path: `${own}/createFolder`, handle: createFolder },
  { path: `${own}/canReassignItems`, handle: canReassign },
  { path: `${own}/deleteItems`, handle: deleteItems },
  { path: `${own}/items/:item/share`, handle: shareItem },
  { path: `${own}/items/:item/status`, handle: itemStatus },
  { path: `${own}/items/:item/delete`, handle: deleteItem },
  { path: `${own}/items/:item/unprotect`, handle: forOwner(unprotect('item')) },
  { path: `${own}/:folder/addItem`, handle: addItem },
  { path: `${own}/:folder/delete`, handle: deleteFolder },
  { path: `${own}/:folder/items/:item/delete`, handle: deleteItem },
  { path: own, handle: list },
  { path: `${own}/:folder`, handle: list },
]
