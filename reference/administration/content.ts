/** Items and folders of users. */

import { createHash } from 'node:crypto'
import { done, shown } from '../answers.ts'
import type { Answer } from '../parts.ts'
import { isAdministrator, refuseCaller } from '../permissions.ts'
import type { Item, User } from '../store.ts'
import {
  type AdministrativeCall,
  forOwner,
  isProtected,
  later,
  paged,
  type Route,
  unprotect,
} from './call.ts'

/** Folders are known by their titles: the id follows from title and owner. */
function folderId(username: string, title: string): string {
  return createHash('sha256').update(`${username}\n${title}`).digest('hex').slice(0, 32)
}

/** The title of a folder; undefined: he has no such folder. */
const folderOf = (user: User, id: string): string | undefined =>
  [...user.folders].find((title) => folderId(user.username, title) === id)

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

const addItem = forOwner((call, owner) => {
  const { field, params, parts, store, user } = call
  if (user !== owner) return parts.refuse('forbidden')
  const folder = params.folder === undefined ? '' : folderOf(owner, params.folder)
  if (folder === undefined) return parts.refuse('unknown-folder')
  const [title, type] = [field('title'), field('type')]
  if (title === undefined || type === undefined)
    return { ...parts.refuse('missing-parameter', ["'type' and 'title' property required."]) }
  if (owner.role !== 'administrator' && !owner.privileges.has('portal:user:createItem'))
    return parts.refuse('forbidden')
  const id = parts.newId('item')
  const item: Item = {
    id,
    type,
    title,
    typeKeywords: [type, ...(field('typeKeywords') ?? '').split(',').filter((word) => word !== '')],
    tags: (field('tags') ?? '').split(',').filter((tag) => tag !== ''),
    url: field('url') ?? `https://portal.invalid/items/${id}`,
    owner: owner.username,
    folder,
    created: parts.now(),
    groups: new Set(),
  }
  later(parts.administration.newItemShowsMs, () => store.items.set(id, item))
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

const list = forOwner((call, owner) => {
  const folder = call.params.folder === undefined ? '' : folderOf(owner, call.params.folder)
  if (folder === undefined) return call.parts.refuse('unknown-folder')
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
  const seen =
    owner === undefined
      ? isAdministrator(user)
      : user === owner || (isAdministrator(user) && user.organization === owner.organization)
  return item === undefined || !seen ? parts.refuse('unknown-item') : shown(viewItem(item))
}

/** Only with groups that its owner is in. */
const shareItem = forOwner(({ field, params, parts, store }, owner) => {
  const item = store.items.get(params.item as string)
  if (item === undefined || item.owner !== owner.username) return parts.refuse('unknown-item')
  const asked = (field('groups') ?? '').split(',').filter((id) => id !== '')
  const notSharedWith = asked.filter((id) => store.groups.get(id)?.owner !== owner.username)
  for (const id of asked) if (!notSharedWith.includes(id)) item.groups?.add(id)
  return shown({ notSharedWith, itemId: item.id })
})

const deleteItem = forOwner((call, owner) => {
  const { params, parts, store } = call
  const item = store.items.get(params.item as string)
  if (item === undefined || item.owner !== owner.username) return parts.refuse('unknown-item')
  if (isProtected(call, item.id)) return parts.refuse('forbidden')
  store.items.delete(item.id)
  return done({ itemId: item.id })
})

/** Items are made at once, also where a client asks for that in the background. */
const itemStatus = forOwner(({ params, parts, store }, owner) => {
  const item = store.items.get(params.item as string)
  if (item === undefined || item.owner !== owner.username) return parts.refuse('unknown-item')
  return shown({ status: 'completed', statusMessage: 'completed', itemId: item.id })
})

const deleteItems = forOwner((call, owner) => {
  const { field, parts, store } = call
  const ids = (field('items') ?? '').split(',').filter((id) => id !== '')
  if (ids.length > parts.limits.items) return parts.refuse('too-many-items')
  const results = ids.map((itemId) => {
    const success = store.items.get(itemId)?.owner === owner.username && !isProtected(call, itemId)
    if (success) store.items.delete(itemId)
    return success ? { itemId, success } : { itemId, success, error: parts.refusals['unknown-item'] }
  })
  return shown({ results })
})

const deleteFolder = forOwner(({ params, parts, store }, owner) => {
  const title = folderOf(owner, params.folder as string)
  if (title === undefined) return parts.refuse('unknown-folder')
  owner.folders.delete(title)
  for (const [id, item] of store.items)
    if (item.owner === owner.username && item.folder === title) store.items.delete(id)
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
