/** Makes items of users, and runs of scheduled tasks. */
import type { FixtureAnswers, NotOffered } from '../fixtures/fixture-kinds.ts'
import { patiently } from '../patiently.ts'
import { type Administrator, below } from './administrator.ts'
import { mostTasks } from './announcement.ts'
import { type Maker, Stock } from './maker.ts'
import { AdministrationError, ifHidden, ifRefused } from './refusals.ts'

/**
 * The content of each type of item. Checks reassign links: refusals name the `url` of an item, and a link is the only type
 * with a `url` that deployments do not open. Syncs copy web maps, which collaborations of every release take.
 */
const contentOf = {
  'Document Link': (title: string, domain = 'example.com') => ({
    url: `https://items.${domain}/${title.replaceAll(' ', '-')}`,
  }),
  'Web Map': () => ({ text: '{}' }),
  Notebook: () => ({ text: JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 2 }) }),
}

/** Makes an item as its owner. Resolves with its id. */
function makeItem(maker: Maker, owner: Administrator, type: keyof typeof contentOf): Promise<string> {
  const { domain } = maker.configuration.contract
  return maker.create('item', owner, (title) => ({
    title,
    type,
    tags: maker.stamp,
    ...contentOf[type](title, domain),
  }))
}

/** How many items are made and shared at once. */
const sharedAtOnce = 8
/** Time to share items, in ms: the request for the workspace waits half a minute at most. */
const sharingMs = 8000

/** Items of the host's administrator for syncs to copy. */
export const itemsToSync = (maker: Maker): Stock<string> =>
  new Stock(maker, () => makeItem(maker, maker.host, 'Web Map'))

/** Shares that many of the items with a group, or fewer if time runs out. */
export async function shareItems(
  maker: Maker,
  items: Stock<string>,
  groupId: string,
  count: number,
): Promise<void> {
  const { host } = maker
  const own = below('/content/users', host.actor.username ?? '')
  const share = async () => {
    const id = await items.take()
    // The deployment may know the item a moment later.
    const { notSharedWith } = await maker.insist(() =>
      host.perform(below(own, 'items', id, 'share'), { everyone: 'false', org: 'false', groups: groupId }),
    )
    if (Array.isArray(notSharedWith) && notSharedWith.length > 0)
      throw new AdministrationError('share: the item was not shared')
  }
  const end = performance.now() + sharingMs
  for (let left = count; left > 0 && performance.now() < end; left -= sharedAtOnce)
    await Promise.all(Array.from({ length: Math.min(left, sharedAtOnce) }, share))
}

/** Items of one owner. */
export const itemStock = (maker: Maker, owner: Administrator): Stock<string> =>
  new Stock(maker, () => makeItem(maker, owner, 'Document Link'))

type MadeRun = FixtureAnswers['taskRun']

const ended = ['succeeded', 'failed', 'skipped', 'submitfailed']
/** Pause between reads of the runs, which is longer if no run came for a while, in ms. */
const pollMs = 250
const [quietAfterMs, quietPollMs] = [5000, 1000]

/** Runs of scheduled tasks: no public operation makes one. */
export class TaskRuns {
  readonly #maker: Maker
  readonly #owner: Administrator
  readonly #tasks: string
  readonly #ready: MadeRun[] = []
  #item: Promise<string> | undefined
  #making: Promise<void> | undefined

  constructor(maker: Maker, owner: Administrator) {
    this.#maker = maker
    this.#owner = owner
    this.#tasks = below('/community/users', owner.actor.username, 'tasks')
  }

  /** Schedules tasks for this many runs and waits until they have ended. */
  async ahead(count: number, made: () => void): Promise<void> {
    if (count === 0) return
    const tasks = Math.min(count, mostTasks)
    const each = Math.ceil(count / tasks)
    const schedule = () => this.#schedule(each)
    const all = Promise.all(Array.from({ length: tasks }, schedule))
    await ifRefused(
      all.then((ids) => this.#collect(ids, each, made)),
      ({ message }) => {
        this.#maker.lacking.taskRun ??= message
      },
    )
  }

  /** A run that has ended, each only once. */
  async take(): Promise<MadeRun | NotOffered> {
    for (;;) {
      const run = this.#ready.shift()
      if (run !== undefined) return run
      const { taskRun: notOffered } = this.#maker.lacking
      if (notOffered !== undefined) return { notOffered }
      this.#making ??= this.ahead(mostTasks, () => undefined).finally(() => {
        this.#making = undefined
      })
      await this.#making
    }
  }

  async #schedule(maxOccurrences: number): Promise<string> {
    this.#item ??= makeItem(this.#maker, this.#owner, 'Notebook')
    const itemId = await this.#item
    const everyMinute = { minute: '*/1', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '?' }
    const taskId = await this.#maker.create('task', this.#owner, (title) => ({
      title,
      type: 'ExecuteNotebook',
      itemId,
      parameters: '{}',
      ...everyMinute,
      maxOccurrences: String(maxOccurrences),
    }))
    // Whether a new task is active at once is not documented.
    await this.#owner.does(`${below(this.#tasks, taskId)}/enable`)
    return taskId
  }

  /** Reads until every task had its runs, or no further run came for as long as one may take. */
  async #collect(tasks: readonly string[], each: number, made: () => void): Promise<void> {
    const { runsWithinMs } = this.#maker.administration
    const userName = this.#owner.actor.username ?? ''
    const had = new Set<string>()
    let last = performance.now()
    const quietMs = () => performance.now() - last
    const readRuns = async (taskId: string) => {
      const runs = await ifHidden(this.#owner.readAll(below(this.#tasks, taskId, 'runs'), 'runs'), () => [])
      for (const { runId, status } of runs) {
        if (typeof runId !== 'string' || had.has(runId) || !ended.includes(String(status))) continue
        had.add(runId)
        last = performance.now()
        this.#ready.push({ userName, taskId, runId })
        made()
      }
    }
    await patiently(() => Promise.all(tasks.map(readRuns)), {
      isDone: () => had.size >= tasks.length * each || quietMs() >= runsWithinMs,
      pauseMs: () => (quietMs() < quietAfterMs ? pollMs : quietPollMs),
      signal: this.#maker.signal,
    })
    if (had.size > 0) return
    this.#maker.lacking.taskRun = `no scheduled task ran within ${Math.round(runsWithinMs / 1000)} s (administration.runsWithin): nothing seems to execute notebooks here`
  }
}
