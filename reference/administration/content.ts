/** Items and folders of users. */
import { createHash } from 'node:crypto'
import { done, shown } from '../answers.ts'
import type { Item, User } from '../store.ts'
import { isAdministrator } from '../users.ts'
import {
  type Access,
  type AdministrativeCall,
  isProtected,
  owner,
  page,
  paged,
  type Route,
  unprotect,
  within,
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

const viewFolder = ({ username }: User, title: string) => ({
  username,
  id: folderId(username, title),
  title,
})

/** A folder of a user. An empty title: no folder. */
interface Folder {
  readonly user: User
  readonly title: string
}

/** The folder in the path. */
const folder: Access<Folder> = within(owner, ({ params }, user) => {
  if (params.folder === undefined) return { user, title: '' }
  const title = [...user.folders].find((each) => folderId(user.username, each) === params.folder)
  return title === undefined ? 'unknown-folder' : { user, title }
})

const itemsIn = ({ store }: AdministrativeCall, { user, title }: Folder): Item[] =>
  [...store.items.values()].filter((item) => item.owner === user.username && item.folder === title)

/** The item in the path, which must belong to the user in the path. */
const itemOfOwner: Access<Item> = within(owner, ({ params, store }, { username }) => {
  const item = store.items.get(params.item as string)
  return item?.owner === username ? item : 'unknown-item'
})

/** The item in the path, for its owner and the administrators of the owner's organization. */
const anyItem: Access<Item> = ({ params, store, user }) => {
  if (user === undefined) return 'caller'
  const item = store.items.get(params.item as string)
  const itsOwner = store.users.get(item?.owner ?? '')
  const isOfAnother = itsOwner !== undefined && itsOwner.organization !== user.organization
  const seen = user === itsOwner || (isAdministrator(user) && !isOfAnother)
  return item === undefined || !seen ? 'unknown-item' : item
}

function remove({ field, parts, store }: AdministrativeCall, item: Item): void {
  store.items.delete(item.id)
  if (parts.administration.hasRecycleBin && field('permanentDelete') !== 'true')
    store.recycleBin.set(item.id, item)
}

const list = (path: string): Route =>
  page(path, folder, (call, { user, title }) =>
    shown({
      username: user.username,
      ...paged(call, 'items', itemsIn(call, { user, title }).map(viewItem), 10),
      folders: title === '' ? [...user.folders].map((each) => viewFolder(user, each)) : [],
    }),
  )

const own = '/content/users/:user'

export const contentRoutes: readonly Route[] = [
  page('/content/items/:item', anyItem, (_, item) => shown(viewItem(item))),

  page(
    `${own}/addItem`,
    owner,
    (call, user) => {
      const { field, parts, store } = call
      if (call.user !== user) return 'forbidden'
      if (user.role !== 'administrator' && !user.privileges.has('portal:user:createItem')) return 'forbidden'
      const url = field('url') ?? null
      const inFolder = itemsIn(call, { user, title: '' })
      if (url !== null && inFolder.some((each) => each.url === url)) return 'url-taken'
      const [id, type] = [parts.newId('item'), field('type') as string]
      store.items.set(id, {
        id,
        type,
        title: field('title') as string,
        typeKeywords: [type, ...wordsOf(field('typeKeywords'))],
        tags: wordsOf(field('tags')),
        url,
        owner: user.username,
        folder: '',
        created: parts.now(),
        groups: new Set(),
      })
      return done({ id, folder: '' })
    },
    ['title', 'type'],
  ),

  page(`${own}/canReassignItems`, owner, ({ field, parts, store }, { username, organization }) => {
    const target = store.users.get(field('targetUsername') ?? '')
    if (target === undefined || target.organization !== organization) return 'unknown-target'
    if (parts.eligible(target)) return done()
    const items = wordsOf(field('items')).flatMap((id) => store.items.get(id) ?? [])
    const theirs = items.filter((item) => item.owner === username)
    return parts.refuse('ineligible-target', parts.errorDetails(theirs, target))
  }),

  page(`${own}/deleteItems`, owner, (call, { username }) => {
    const { field, parts, store } = call
    const ids = wordsOf(field('items'))
    if (ids.length > parts.limits.items) return 'too-many-items'
    const results = ids.map((itemId) => {
      const item = store.items.get(itemId)
      const success = item?.owner === username && !isProtected(call, itemId)
      if (success) remove(call, item)
      return success ? { itemId, success } : { itemId, success, error: parts.refusals['unknown-item'] }
    })
    return shown({ results })
  }),

  // An item is shared only with groups of its owner.
  page(`${own}/items/:item/share`, itemOfOwner, ({ field, store }, item) => {
    const asked = wordsOf(field('groups'))
    const notSharedWith = asked.filter((id) => store.groups.get(id)?.owner !== item.owner)
    for (const id of asked) if (!notSharedWith.includes(id)) item.groups?.add(id)
    return shown({ notSharedWith, itemId: item.id })
  }),

  page(`${own}/items/:item/delete`, itemOfOwner, (call, item) => {
    if (isProtected(call, item.id)) return 'forbidden'
    remove(call, item)
    return done({ itemId: item.id })
  }),
  page(`${own}/items/:item/unprotect`, itemOfOwner, unprotect),
  list(own),
  list(`${own}/:folder`),
]
