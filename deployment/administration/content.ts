/** Items of users, and runs of the tasks that a scheduler fires. */
import type { FixtureAnswers } from '../fixtures/fixture-kinds.ts'
import { patiently } from '../patiently.ts'
import {
  AdministrationError,
  type Administrator,
  type Body,
  below,
  ifRefused,
  refusalOf,
} from './administrator.ts'
import { mostTasks } from './announcement.ts'
import { Stock } from './stock.ts'
import { textIn, type Workshop } from './workshop.ts'

/**
 * What each type of item holds. Checks give links away: refusals name the `url` of an item, web maps have none, and a
 * link is the one type with a `url` that a deployment neither opens nor offers as a service or an app. Syncs copy web
 * maps: collaborations of every release take them.
 */
const contentOf = {
  'Document Link': (title: string, domain = 'example.com') => ({
    url: `https://items.${domain}/${title.replaceAll(' ', '-')}`,
  }),
  'Web Map': () => ({ text: '{}' }),
  Notebook: () => ({ text: JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 2 }) }),
}

/** An item of that user, made by himself. Its id. */
function makeItem(workshop: Workshop, owner: Administrator, type: keyof typeof contentOf): Promise<string> {
  const username = owner.actor.username ?? ''
  const { domain } = workshop.configuration.contract
  return workshop.make(
    'item',
    async (title) => {
      const fields = { title, type, tags: workshop.stamp, ...contentOf[type](title, domain) }
      const answer = await owner.perform(below('/content/users', username, 'addItem'), fields)
      return textIn(answer, 'addItem', 'id')
    },
    { portal: owner.portal, owner: username },
  )
}

/** So many are made and shared side by side. */
const sharedAtOnce = 8
/** Then whatever is there must do: who asks for it waits for half a minute. */
const sharingMs = 8000

/** Items of the host's administrator in a group of his, what a sync has to copy: so many, or as many as it has time for. */
export async function shareItems(workshop: Workshop, groupId: string, count: number): Promise<void> {
  const { host } = workshop
  const own = below('/content/users', host.actor.username ?? '')
  const share = async () => {
    const id = await makeItem(workshop, host, 'Web Map')
    // It may show a moment later.
    const { notSharedWith } = await workshop.untilDone(() =>
      host.perform(below(own, 'items', id, 'share'), { everyone: 'false', org: 'false', groups: groupId }),
    )
    if (Array.isArray(notSharedWith) && notSharedWith.length > 0)
      throw new AdministrationError('share: the item was not shared')
  }
  const end = performance.now() + sharingMs
  for (let left = count; left > 0 && performance.now() < end; left -= sharedAtOnce)
    await Promise.all(Array.from({ length: Math.min(left, sharedAtOnce) }, share))
}

export class Items {
  readonly stock: Stock<string>
  readonly owner: string
  readonly #workshop: Workshop
  readonly #by: Administrator
  #first: Promise<{ readonly id: string; readonly showsLate: boolean }> | undefined

  constructor(workshop: Workshop, owner: Administrator) {
    this.#workshop = workshop
    this.#by = owner
    this.owner = owner.actor.username ?? ''
    this.stock = new Stock(() => this.#make())
  }

  /** One that shows. Whether new ones show late, the first one tells. */
  async #make(): Promise<string> {
    const isFirst = this.#first === undefined
    this.#first ??= this.#tryFirst()
    const { id: first, showsLate } = await this.#first.catch((error) => {
      this.#first = undefined
      throw error
    })
    if (isFirst) return first
    const id = await makeItem(this.#workshop, this.#by, 'Document Link')
    if (showsLate) await this.#shown(id)
    return id
  }

  async #tryFirst(): Promise<{ id: string; showsLate: boolean }> {
    const id = await makeItem(this.#workshop, this.#by, 'Document Link')
    if (await this.#shows(id)) return { id, showsLate: false }
    return { id, showsLate: await this.#shown(id) }
  }

  async #shows(id: string): Promise<boolean> {
    return (await refusalOf(this.#by.read(below('/content/items', id)))) === undefined
  }

  /** Resolves with whether it shows after a while. */
  async #shown(id: string): Promise<boolean> {
    const { settleMs } = this.#workshop
    return (await this.#workshop.until(async () => (await this.#shows(id)) || undefined, settleMs)) === true
  }

  async take(count: number): Promise<{ owner: string; itemIds: string[] }> {
    const itemIds = await Promise.all(Array.from({ length: count }, () => this.stock.take()))
    return { owner: this.owner, itemIds }
  }
}

/** Whether a user may receive those items, as the deployment says before; undefined: it does not say. */
export async function mayReceive(
  by: Administrator,
  { owner, itemIds }: FixtureAnswers['items'],
  targetUsername: string,
): Promise<boolean | undefined> {
  const path = below('/content/users', owner, 'canReassignItems')
  const said = await ifRefused(
    by.performAgain(path, { items: itemIds.join(','), targetUsername }),
    ({ code }) => code,
  )
  if (typeof said !== 'object') return said === 403 ? false : undefined
  const { success, results } = said
  if (!Array.isArray(results)) return success === true ? true : undefined
  return results.every((each) => (each as { success?: unknown } | null)?.success === true)
}

type MadeRun = FixtureAnswers['taskRun']

const ended = ['succeeded', 'failed', 'skipped', 'submitfailed']
/** Some show only when it ended. */
const hasEnded = ({ status, endTime }: Body): boolean =>
  status === undefined ? typeof endTime === 'number' : ended.includes(String(status))
/** Runs are asked for so often, and less often where nothing came for a while, in ms. */
const pollMs = 250
const [quietAfterMs, quietPollMs] = [5000, 1000]

export class TaskRuns {
  readonly #workshop: Workshop
  readonly #owner: Administrator
  readonly #withinMs: number
  readonly #ready: MadeRun[] = []
  #item: Promise<string> | undefined
  /** Whether new tasks are active by themselves. */
  #begin: Promise<boolean> | undefined
  #making: Promise<void> | undefined
  /** Why there are none. */
  lacking: string | undefined

  constructor(workshop: Workshop, owner: Administrator) {
    this.#workshop = workshop
    this.#owner = owner
    this.#withinMs = workshop.administration.runsWithinMs
  }

  /** Schedules tasks for so many runs and waits until they have ended. */
  async ahead(count: number, made: () => void): Promise<void> {
    if (count === 0) return
    const tasks = Math.min(count, mostTasks)
    const each = Math.ceil(count / tasks)
    try {
      const ids = await Promise.all(Array.from({ length: tasks }, () => this.#schedule(each)))
      await this.#collect(ids, each, made)
    } catch (error) {
      if (!(error instanceof AdministrationError)) throw error
      this.lacking ??= error.message
    }
  }

  /** A run that has ended and was not handed out; undefined where there is none and none comes. */
  async take(): Promise<MadeRun | undefined> {
    for (;;) {
      const run = this.#ready.shift()
      if (run !== undefined || this.lacking !== undefined) return run
      this.#making ??= this.ahead(mostTasks, () => undefined).finally(() => {
        this.#making = undefined
      })
      await this.#making
    }
  }

  async #schedule(maxOccurrences: number): Promise<string> {
    const { actor, portal } = this.#owner
    const username = actor.username ?? ''
    this.#item ??= makeItem(this.#workshop, this.#owner, 'Notebook')
    const itemId = await this.#item
    const taskId = await this.#workshop.make(
      'task',
      async (title) => {
        const answer = await this.#owner.perform(`${tasksOf(username)}/createTask`, {
          title,
          type: 'ExecuteNotebook',
          itemId,
          parameters: '{}',
          minute: '*/1',
          hour: '*',
          dayOfMonth: '*',
          month: '*',
          dayOfWeek: '?',
          maxOccurrences: String(maxOccurrences),
        })
        return textIn(answer, 'createTask', 'taskId')
      },
      { portal, owner: username },
    )
    const task = below(tasksOf(username), taskId)
    this.#begin ??= ifRefused(this.#owner.read(task), () => ({})).then(({ active }: Body) => active !== false)
    if (!(await this.#begin)) await this.#owner.performAgain(`${task}/enable`)
    return taskId
  }

  /** Reads until every task has had its runs, or no other one came for as long as one may take. */
  async #collect(tasks: readonly string[], each: number, made: () => void): Promise<void> {
    const username = this.#owner.actor.username ?? ''
    const had = new Set<string>()
    const open = new Map(tasks.map((id) => [id, 0]))
    let last = performance.now()
    const read = async (): Promise<void> => {
      const reads = [...open.keys()].map(async (taskId) => {
        const runs = await this.#owner.readAny(below(tasksOf(username), taskId, 'runs'), 'runs')
        for (const run of runs) {
          const { runId } = run
          if (typeof runId !== 'string' || had.has(runId) || !hasEnded(run)) continue
          had.add(runId)
          last = performance.now()
          this.#ready.push({ userName: username, taskId, runId })
          made()
          open.set(taskId, (open.get(taskId) ?? 0) + 1)
        }
        if ((open.get(taskId) ?? 0) >= each) open.delete(taskId)
      })
      await Promise.all(reads)
    }
    await patiently(read, {
      isDone: () => open.size === 0 || performance.now() - last >= this.#withinMs,
      pauseMs: () => (performance.now() - last < quietAfterMs ? pollMs : quietPollMs),
      signal: this.#workshop.signal,
    })
    if (had.size === 0) {
      const seconds = Math.round(this.#withinMs / 1000)
      this.lacking = `no scheduled task ran within ${seconds} s (administration.runsWithin): nothing seems to execute notebooks here`
    }
  }
}

const tasksOf = (username: string): string => below('/community/users', username, 'tasks')
