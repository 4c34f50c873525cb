/** Each clause has one judge: checks, the watch of a run and recorded traffic judge equal answers equally. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { judges } from '../clauses/catalogue.ts'
import {
  added,
  type Case,
  configured,
  deleted,
  entryOf,
  exchangeOfEntry,
  executing,
  judge,
  run,
  type Said,
} from '../clauses/exchange.fixture.ts'
import type { Exchange, Part } from '../clauses/exchange.ts'
import { recordedCases } from '../clauses/recorded-cases.fixture.ts'
import { informedCases, runCases } from '../clauses/run-cases.fixture.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { configurationFor } from '../deployment/http/server.fixture.ts'
import { createRedactor } from '../deployment/redaction/redaction.ts'
import { operations } from '../specs/operations.ts'
import { type Requirement, type RequirementId, requirementIdOf, requirements } from '../specs/requirements.ts'
import { Expectation } from './context/expectations.ts'
import { Finding, Unproven } from './findings.ts'
import { RunLog } from './log/run-log.ts'
import { RunWatch } from './run-watch.ts'

type Result = 'kept' | 'broken' | 'undecided'

interface Row extends Pick<Case, 'id' | 'known' | 'fromCheck'> {
  readonly wanted: Result
  /** The last one is judged. The others came before. */
  readonly entries: readonly Said[]
}

const configuration = {
  ...configurationFor('https://portal.example/org/sharing/rest'),
  portals: { host: { id: 'host' }, guest: { id: 'guest' } },
  ...configured,
} as unknown as Configuration
const redactor = createRedactor(configuration)
const aWatch = () =>
  new RunWatch({ configuration, repeatCommand: 'again', redactor: () => redactor, began: 0 })

/** Sends these answers in a run: what its watch counts, and how a check of the last answer ends. */
async function inRun({ id, entries, known, fromCheck }: Row): Promise<{ watch: Result; check: Result }> {
  const watch = aWatch()
  known?.(watch.knowledge)
  const exchanges = await Promise.all(entries.map((each) => exchangeOfEntry(entryOf(each))))
  const answers: Answer[] = []
  let before = looksOf(watch, id)
  for (const [at, exchange] of exchanges.entries()) {
    before = looksOf(watch, id)
    answers.push(await sent(watch, exchange, entries[at]?.caller))
  }
  const after = looksOf(watch, id)
  const seen = after.kept > before.kept ? 'kept' : after.broken > before.broken ? 'broken' : 'undecided'
  const last = answers.at(-1) as Answer
  const earlier = answers.slice(0, -1)
  const expected = new Expectation(last, earlier, {
    judged: () => undefined,
    held: () => undefined,
    read: () => undefined,
    look: (requirement, fromCheck) => watch.judgementOf(last, requirement, earlier, fromCheck),
  })
  return {
    watch: seen,
    check: ofCheck(() => expected.toKeep(id, fromCheck)),
  }
}

function looksOf({ looks }: RunWatch, id: RequirementId): { kept: number; broken: number } {
  const found = [...looks].filter(([check]) => requirementIdOf(check) === id).map(([, each]) => each)
  const sum = (of: 'kept' | 'broken'): number => found.reduce((total, each) => total + each[of], 0)
  return { kept: sum('kept'), broken: sum('broken') }
}

function sent(watch: RunWatch, { operation, path, recorded }: Exchange, caller?: Part): Promise<Answer> {
  const answer = recorded.answer as Answer
  const { timeOrigin } = performance
  const sentAt = (recorded.startedAt as number) - timeOrigin
  const clock = vi.spyOn(performance, 'now').mockReturnValue(sentAt)
  const at = Object.fromEntries(
    Object.entries(path).map(([name, value]) => [name.replace(/ID$/, 'Id'), value]),
  )
  const sent = {
    portal: path.portalID === 'guest' ? 'guest' : 'host',
    path: '',
    fields: recorded.form.fields,
    method: recorded.request.method as 'POST' | 'GET',
  } as const
  const sending = new RunLog(configuration, [watch]).exchange(
    { operation, actor: caller, at, request: {} },
    { sent, by: 'a check' },
    async () =>
      answer.with({ request: recorded.request, sentAt, answeredAt: answer.answeredAt - timeOrigin }),
  )
  clock.mockRestore()
  return sending
}

function ofCheck(look: () => void): Result {
  try {
    look()
    return 'kept'
  } catch (error) {
    if (error instanceof Finding) return 'broken'
    if (error instanceof Unproven) return 'undecided'
    throw error
  }
}

/** What recorded traffic shows by the last answer. */
async function inTraffic({ id, entries }: Row): Promise<Result> {
  const shown = async (these: readonly Said[]) => {
    const { shown } = await judge(...these)
    const found = shown.find(({ requirement }) => requirement === id)
    return { kept: found?.kept ?? 0, broken: found?.breach?.places.length ?? 0 }
  }
  const [before, after] = [await shown(entries.slice(0, -1)), await shown(entries)]
  return after.kept > before.kept ? 'kept' : after.broken > before.broken ? 'broken' : 'undecided'
}

const [recorded, known, informed] = [recordedCases, runCases, informedCases].map((cases) =>
  cases.flatMap(rowsOf),
) as [Row[], Row[], Row[]]

function rowsOf({ kept, broken, nothing = [], ...of }: Case): Row[] {
  return [
    ...(kept === undefined ? [] : [{ ...of, entries: kept, wanted: 'kept' } as const]),
    ...(broken === undefined ? [] : [{ ...of, entries: broken, wanted: 'broken' } as const]),
    ...nothing.map((entries) => ({ ...of, entries, wanted: 'undecided' }) as const),
  ]
}

const named = (rows: readonly Row[], wanted: readonly Result[] = ['kept', 'broken']) =>
  rows.filter((row) => wanted.includes(row.wanted)).map((row) => [`${row.id} ${row.wanted}`, row] as const)

/** The watch of a run knows no controls, and a refusal without a control proves nothing. */
const orNothing = (wanted: Result): unknown => expect.toBeOneOf([wanted, 'undecided'])

test.each(named(recorded))('%s, by the answers alone', async (_, row) => {
  const { watch, check } = await inRun(row)
  expect({ watch, check, traffic: await inTraffic(row) }).toEqual({
    watch: orNothing(row.wanted),
    check: row.wanted,
    traffic: row.wanted,
  })
})

test.each(named(known))('%s, with what a run knows', async (_, row) => {
  const { watch, check } = await inRun(row)
  // Recorded traffic does not show what fixtures handed out, so less is checked.
  const less =
    row.known === undefined ? orNothing(row.wanted) : expect.toBeOneOf([row.wanted, 'undecided', 'kept'])
  const traffic = judges[row.id]?.runsOnly ? 'undecided' : less
  expect({ watch, check, traffic: await inTraffic(row) }).toEqual({
    watch: row.wanted,
    check: row.wanted,
    traffic,
  })
})

test.each(named(informed))('%s, with what the check knows', async (_, row) => {
  const { watch, check } = await inRun(row)
  expect({ watch, check }).toEqual({ watch: 'undecided', check: row.wanted })
})

/** Whether a recording shows everything that the row rests on: no fixtures and no callers. */
const isRecordable = ({ known, entries }: Row): boolean =>
  known === undefined && entries.every(({ caller }) => caller === undefined)

/** Undecided answers may count as kept. */
test.each(named([...recorded, ...known], ['undecided']))('%s, never broken', async (_, row) => {
  const { watch, check } = await inRun(row)
  const traffic = isRecordable(row) ? [await inTraffic(row)] : []
  expect([watch, check, ...traffic]).not.toContain('broken')
})

test.each(named(recorded, ['undecided']))('%s in recorded traffic', async (_, row) => {
  expect(await inTraffic(row)).toBe('undecided')
})

const inPart = recordedCases.flatMap(({ id, inPart }) =>
  inPart === undefined ? [] : [[id, [inPart].flat()] as const],
)

test.each(inPart)('%s kept in part: counted by the watch, undecided elsewhere', async (id, entries) => {
  const row: Row = { id, entries, wanted: 'undecided' }
  const { watch, check } = await inRun(row)
  expect({ watch, check, traffic: await inTraffic(row) }).toEqual({
    watch: 'kept',
    check: 'undecided',
    traffic: 'undecided',
  })
})

test('the watch reports a race when it shows again after the first has settled', async () => {
  const watch = aWatch()
  const race = async (at: number) => {
    for (const after of [0, 0.01]) {
      const path = { collaborationID: `c${at}` }
      await sent(watch, await exchangeOfEntry(entryOf({ ...deleted(at + after), path })))
    }
    return watch.results().map(({ id, outcome }) => [id, outcome])
  }
  const found = [['delete-collaboration/concurrent-once:every-answer', 'warned']]
  expect([await race(0), await race(1), await race(10)]).toEqual([[], [], found])
})

test('the watch reports at once what one exchange proves', async () => {
  const watch = aWatch()
  await sent(watch, await exchangeOfEntry(entryOf(added({}, { collaborationId: 'c2' }))))
  expect(watch.results()).toMatchObject([
    { id: 'add-workspace/collaboration-id:every-answer', outcome: 'failed', evidence: [{}] },
  ])
})

const momentary = [429, 502, 503, 504]
const page = '<html>Not now.</html>'

test.each([
  ...momentary.map((status) => [`with status ${status}`, { ...run(executing, page), status }] as const),
  ...momentary.map(
    (code) => [`under HTTP 200 with error code ${code}`, run(executing, { error: { code } })] as const,
  ),
])('an answer %s is none of the service', async (_, said) => {
  const { shown, unjudged } = await judge(run({}, page), said)
  expect(unjudged.size).toBe(1)
  expect(shown.filter(({ breach }) => breach?.exchange.recorded.place.endsWith('2'))).toEqual([])
})

test('every judge has a case', () => {
  const having = new Set([...recordedCases, ...runCases, ...informedCases].map(({ id }) => id))
  expect([...having].sort()).toEqual(Object.keys(judges).sort())
})

const sources = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => readFileSync(new URL(`../${folder}/${name}`, import.meta.url), 'utf8'))

test('every requirement id is written literally beside its judge or facts, or in its checks', () => {
  const [clauses, checks] = [sources('clauses').join('\n'), sources('suites').join('\n')]
  const astray = requirements.filter(({ id, ...facts }: Requirement & { readonly id: RequirementId }) => {
    const beside = clauses.match(new RegExp(`^ *'${id}':`, 'gm'))?.length ?? 0
    if (judges[id] === undefined) return beside > 0 || !checks.includes(`'${id}'`)
    const { echoes, mustExist, belongs, requires, doesWithout, refuses, allows } = facts
    const hasFacts = [echoes, mustExist, belongs, requires, doesWithout, refuses, allows].some(
      (fact) => fact !== undefined,
    )
    // The first requirement of an operation is about the shape of its answers.
    const isFirst = operations.some(({ requirements: [first] }) => first.id === id)
    return hasFacts || isFirst ? beside > 1 : beside !== 1
  })
  expect(astray.map(({ id }) => id)).toEqual([])
})
