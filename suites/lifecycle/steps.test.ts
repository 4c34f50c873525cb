import { expect, it } from 'vitest'
import type { Answer } from '../../deployment/http/exchange.ts'
import { answerOf } from '../../runner/answers.fixture.ts'
import { Expectation } from '../../runner/context/expectations.ts'
import { Finding } from '../../runner/findings.ts'
import { reassignItems, type Step } from './steps.ts'
import { type LifecycleContext, type Model, World } from './world.ts'

type Take = (from: string, to: string, items: readonly string[]) => boolean

const users = ['first', 'one', 'two'].map((name) => ({ name, username: name, eligible: true }))
const items = ['i1', 'i2', 'i3']

/** A world whose portal answers a reassignment as `take` says. */
function worldWith(take: Take, settleMs = 0): World {
  const [first] = users as [(typeof users)[number]]
  const owners: Model['owners'] = new Map(items.map((id) => [id, first]))
  const model: Model = { collaborations: [], users, owners, hasGroup: false }
  const call = async (_: string, { userName }: { userName: string }, request: Record<string, unknown>) =>
    take(userName, request.targetUsername as string, request.items as string[])
      ? answerOf({ success: true, itemId: 'i1' })
      : answerOf({ error: { code: 400 } })
  const context = {
    as: { contentAdministrator: call, outsider: call },
    expect: (answer: Answer, ...before: readonly Answer[]) =>
      new Expectation(answer, before, {
        judged: () => undefined,
        read: () => undefined,
        held: () => undefined,
        look: () => undefined,
      }),
    parts: { offers: () => true },
    configuration: { run: { settleMs } },
  } as unknown as LifecycleContext
  return new World(context, model)
}

/** Owners by what each portal does with requests in which only some items are the giver's. */
function portal(allOrNone: boolean): Take {
  const owners = new Map(items.map((id) => [id, 'first']))
  return (from, to, asked) => {
    const theirs = asked.filter((id) => owners.get(id) === from)
    if (theirs.length === 0 || (allOrNone && theirs.length < asked.length)) return false
    for (const id of theirs) owners.set(id, to)
    return true
  }
}

const give = (from: number, to: number, ...which: number[]) =>
  reassignItems('contentAdministrator', from, to, which)

async function outcomeOf(world: World, ...steps: Step[]): Promise<unknown> {
  try {
    for (const step of steps) await step(world)
    return undefined
  } catch (error) {
    return error
  }
}

/** Shows each move only to the third request after it. */
function late(): Take {
  const owners = new Map(items.map((id) => [id, 'first']))
  let pending: { left: number; apply: () => void } | undefined
  return (from, to, asked) => {
    if (pending !== undefined) {
      pending.left -= 1
      if (pending.left === 0) pending.apply()
      if (pending.left <= 0) pending = undefined
    }
    if (!asked.every((id) => owners.get(id) === from)) return false
    pending = {
      left: 3,
      apply: () => {
        for (const id of asked) owners.set(id, to)
      },
    }
    return true
  }
}

/** The second step names one item of the giver and one that is with another by now. */
const astray = [
  give(0, 1, 0),
  give(0, 2, 0, 1),
  give(1, 2, 0),
  give(0, 1, 1),
  give(2, 0, 0, 1),
  give(1, 0, 1, 2),
]

it.each<[string, World, Step[]]>([
  ['whose place an answer left open, all or none', worldWith(portal(true)), astray],
  ['whose place an answer left open, each by itself', worldWith(portal(false)), astray],
  ['that move later', worldWith(late(), 60_000), [give(0, 1, 0), give(1, 2, 0)]],
  ['that still seem to be with the former owner', worldWith(late(), 60_000), [give(0, 1, 0), give(0, 2, 0)]],
])('nothing is found of items %s', async (_, world, steps) => {
  expect(await outcomeOf(world, ...steps)).toBeUndefined()
})

/** Where the first item is, no answer said. */
function withOneAstray(): World {
  const world = worldWith(() => true)
  world.model.owners.set('i1', 'unknown')
  return world
}

it.each<[string, World, Step[]]>([
  ['a wrong caller is accepted', withOneAstray(), [reassignItems('outsider', 0, 1, [0])]],
  ['one who does not own them gives them away', worldWith(() => true), [give(0, 1, 0), give(0, 2, 0)]],
  ['their owner may not', worldWith(() => false), [give(0, 1, 0)]],
])('a finding is that %s', async (_, world, steps) => {
  expect(await outcomeOf(world, ...steps)).toBeInstanceOf(Finding)
})
