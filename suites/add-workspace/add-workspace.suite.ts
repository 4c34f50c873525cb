/** §4.1 Add workspace, with the fields of §2. Limits and roles are judged together with those of other operations. */
import { acceptance, isAccepted, looksFailed } from '../../clauses/acceptance.ts'
import { longEnoughMs } from '../../clauses/add-workspace.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { busyOf } from '../../deployment/http/pace.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { Caller, RequestFields } from '../../runner/context/calls.ts'
import { attemptsWithoutSuccess, isQuick } from '../../runner/effort.ts'
import { NotApplicable, Unproven } from '../../runner/findings.ts'
import { racersFor } from '../../runner/lanes.ts'
import { inMode } from '../../runner/patience/sync-times.ts'
import { valueAt } from '../../schemas/values.ts'
import { addingTo, idIn, idOfAdded, type Place } from '../common/collaborations.ts'
import { actorsOf, refusedOnEachPath } from '../common/wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['hostAdministrator'], fixtures: ['collaboration', 'group'] })

const ordinary = { text: 'ordinary' } as const
/** Few, because every check that adds a workspace judges its answer. */
const some = { cases: 'some' } as const

check('add-workspace/id-is-new', {}, async (context) => {
  const { as, given, forAll, control, expect, openPoints } = context
  const [here, there] = (await given.different('collaboration', 2, { least: 1 })) as [Place, Place?]
  const { groupId } = await given.group()
  // One workspace exists before all others.
  await context.target('add-workspace').controlled()
  await forAll(
    given.requests('add-workspace', ordinary),
    async (request, at) => {
      const named = given.named(request)
      const name = named.collaborationWorkspaceName
      const add = async (at: Place, asked = named) =>
        as.hostAdministrator('add-workspace', at, await given.linked('add-workspace', asked))
      for (const asked of [named, given.named(request)]) {
        const answer = await add(here, asked)
        control(answer)
        expect(answer).toKeep('add-workspace/id-is-new')
      }
      for (const [place, where] of [
        [there, 'in another collaboration'],
        [here, 'in the same collaboration'],
      ] as const) {
        if (place === undefined) continue
        // An identical request may be taken for a duplicate.
        const again = await add(place, { ...named, portalGroupId: groupId })
        const { accepted } = acceptance(again)
        openPoints.observe(
          'equal-names',
          `a second workspace of the same name ${where}: ${accepted ? 'accepted' : 'refused'}`,
        )
        if (accepted) expect(again).toKeep('add-workspace/id-is-new')
      }
      if (at !== 0 || typeof name !== 'string') return
      for (const other of similarNames(name)) {
        const again = await add(here, { ...named, collaborationWorkspaceName: other })
        if (isAccepted(again)) expect(again).toKeep('add-workspace/id-is-new')
      }
    },
    some,
  )
})

/** Other names that some databases treat as equal. */
const similarNames = (name: string): string[] => [
  name.replace(/\s.*/u, (words) => words.toUpperCase()),
  name.replace(/[aeiou]/, (letter) => `${letter}\u0301`.normalize('NFC')),
]

/** After this many ms, a clock that still shows the same time has stopped. */
const clockGoesOnMs = longEnoughMs + 100

check('add-workspace/timestamps', {}, async (context) => {
  const { given, forAll, control, expect } = context
  const { send } = context.target('add-workspace')
  const times = new Set<unknown>()
  const began = performance.now()
  const judge = async (request: RequestFields): Promise<void> => {
    const answer = await send(request)
    times.add(valueAt(control(answer), 'workspace.created'))
    expect(answer).toKeep('add-workspace/timestamps')
  }
  await forAll(given.requests('add-workspace', ordinary), judge, some)
  for (let again = 0; again < 2; again += 1) await judge(await given.request('add-workspace'))
  if (times.size > 1) return
  // All have the same time: the requests were quick, or the clock has stopped.
  await context.wait.until(began + clockGoesOnMs)
  await judge(await given.request('add-workspace'))
})

const alsoSyncs = { also: ['sync-workspace'], actors: ['syncInitiator'], traits: ['patient'] } as const

check('add-workspace/id-works', alsoSyncs, async (context) => {
  const { as, callers, given, expect, wait, configuration, inSituations, syncs } = context
  const { collaborationId } = await given.collaboration({ with: 'participant' })
  // Synced workspaces have long texts and texts in other scripts.
  const withTexts = async (name: string, description: string): Promise<RequestFields> => ({
    ...given.named({ ...(await given.request('add-workspace')), collaborationWorkspaceName: name }),
    collaborationWorkspaceDescription: description,
  })
  const syncOf = async (id: string): Promise<Answer> => {
    const sync = (request?: RequestFields) =>
      as.syncInitiator('sync-workspace', { collaborationId, workspaceId: id }, request)
    const asynchronous = await sync()
    if (isAccepted(asynchronous) || configuration.contract.sync === undefined) return asynchronous
    // Another requirement judges whether a mode works at all. A sync requested in it may run anyway.
    return wait.retryUntil(() => sync(inMode(context, 'synchronous')), isAccepted)
  }
  let first: { readonly id: string; readonly synced: Answer } | undefined
  await inSituations(async () => {
    const request = await withTexts('Größe 漢字 Ж', 'Größe 漢字 Ж')
    const added = await as.hostAdministrator('add-workspace', { collaborationId }, request)
    const workspaceId = idOfAdded(context, added)
    const synced = await syncOf(workspaceId)
    expect(synced, added).toBeAccepted('a sync of the workspace that was just added')
    first ??= { id: workspaceId, synced }
    const unknown = { collaborationId, workspaceId: given.ids.nobodysLike(workspaceId) }
    const anything = await as.syncInitiator('sync-workspace', unknown)
    if (isAccepted(anything))
      throw new Unproven('an unknown workspace id is accepted, too, so an acceptance proves nothing', [
        synced,
        anything,
      ])
  }, 3)
  if (first !== undefined && !isQuick(configuration.run) && syncs.knowsLongestOf(first.id)) {
    await Promise.all([context.wait.later(), syncs.untilOver(first.id)])
    expect(await syncOf(first.id), first.synced).toBeAccepted('a later sync of a workspace that was added')
  }
  if (isQuick(configuration.run) || configuration.http.concurrency < 2) return
  // Of two added at the same time none may be lost. Whether both are accepted is open.
  const both = [
    await given.request('add-workspace'),
    await withTexts('Roads '.repeat(14).trim(), 'A road. '.repeat(31).trim()),
  ]
  const answers = await callers.together(
    both.map((each) => (gate) => as.hostAdministrator('add-workspace', { collaborationId }, each, { gate })),
  )
  for (const answer of answers) {
    const id = idIn(answer)
    if (id === undefined) continue
    expect(await syncOf(id), answer).toBeAccepted('a sync of one of two workspaces that were added at once')
  }
})

check(
  'add-workspace/refuses-guest:designated',
  {
    also: ['sync-workspace'],
    whereThere: { actors: ['syncInitiator'] },
    fixtures: ['workspace'],
    title: 'The guest that is designated to sync is refused as well, before and after a sync.',
  },
  async (context) => {
    const { as, given, control, configuration, inSituations } = context
    const { portal = 'host' } = configuration.actors.syncInitiator ?? {}
    if (portal === 'host') throw new NotApplicable('the host itself is designated here')
    const { collaborationId } = await given.collaboration({ with: 'workspace' })
    const { workspaceId } = await given.workspace({ collaborationId })
    const add = async (by: Caller, portal: PortalName) =>
      by('add-workspace', { collaborationId, portal }, await given.request('add-workspace'))
    const before = await add(as.hostAdministrator, 'host')
    control(before)
    const refuses = (when: string): Promise<void> =>
      refusedOnEachPath(context, {
        caller: 'syncInitiator',
        ask: (at) => add(as.syncInitiator, at),
        before: [before],
        did: `syncInitiator was accepted ${when} a sync`,
      })
    await refuses('before')
    control(await as.syncInitiator('sync-workspace', { collaborationId, workspaceId }), 'a sync')
    await inSituations(() => refuses('after'))
  },
)

for (const [id, subject, refused, what] of [
  [
    'add-workspace/name-limit-rejects:first',
    'A name of 101 characters',
    'hostAdministrator',
    { collaborationWorkspaceName: 'é'.repeat(101) },
  ],
  [
    'add-workspace/description-limit-rejects:first',
    'A description of 251 characters',
    'hostAdministrator',
    { collaborationWorkspaceDescription: 'é'.repeat(251) },
  ],
  ['add-workspace/refuses-guest:first', "A guest's administrator", 'guestAdministrator', {}],
  ['add-workspace/refuses-non-administrator:first', 'A member who is no administrator', 'hostMember', {}],
  ['add-workspace/refuses-anonymous:first', 'A caller without credentials', 'anonymous', {}],
] as const) {
  check(
    id,
    {
      // It is free if a list has no collaboration left.
      whereThere: { actors: actorsOf(refused), fixtures: ['collaboration'] },
      title: `${subject} is also refused for the first workspace of a collaboration.`,
    },
    async (context) => {
      const { callers, given, control, expect } = context
      const before = await addingTo(context, await given.collaboration())()
      control(before)
      // The next caller gets the collaboration if nothing was added to it.
      const draw = () => given.collaboration({ with: 'participant' })
      const use = async (at: Place): Promise<boolean> => {
        const request = { ...(await given.request('add-workspace')), ...what }
        const answer = await callers.by(refused)('add-workspace', { ...at, portal: 'host' }, request)
        expect(answer, before).toBeRefused()
        return isAccepted(answer)
      }
      await given.inTurn('untouched collaboration', draw, use, { isSpent: (letIn) => letIn })
    },
  )
}

check(
  'add-workspace/refuses-anonymous:replayed',
  { title: 'Without credentials refused, also with a request that was accepted just before.' },
  async ({ as, given, control, expect }) => {
    const at = await given.collaboration()
    const request = await given.request('add-workspace')
    const before = await as.hostAdministrator('add-workspace', at, request)
    control(before)
    expect(await as.anonymous('add-workspace', at, request), before).toBeRefused(
      'anonymous was accepted with a request that had been accepted from an administrator',
    )
  },
)

check('add-workspace/concurrent-ids-distinct', { traits: ['overlapping'] }, async (context) => {
  const { as, callers, given, forAll, control, expect, configuration } = context
  const place = await given.collaboration()
  const atOnce = racersFor(configuration, isQuick(configuration.run) ? 2 : 8)
  let round = 0
  let met = false
  let conflicts = false
  await forAll(
    given.requests('add-workspace', ordinary),
    async (request) => {
      round += 1
      const named = (at: number): RequestFields =>
        given.named({ ...request, collaborationWorkspaceName: `${at} of round ${round}` })
      const linked = await Promise.all(
        Array.from({ length: atOnce }, (_, at) => given.linked('add-workspace', named(at))),
      )
      const answers = await callers.together(
        linked.map((one) => (gate) => as.hostAdministrator('add-workspace', place, one, { gate })),
      )
      // Edits that meet may be refused with a conflict, so each must be accepted alone.
      if (!conflicts)
        for (const [at, answer] of answers.entries()) {
          if (isAccepted(answer)) continue
          if (looksFailed(answer) || busyOf(errorCodeOf(answer)) !== undefined) control(answer)
          control(await as.hostAdministrator('add-workspace', place, linked[at]))
          conflicts = true
        }
      for (const answer of answers)
        if (isAccepted(answer) && expect(answer, ...answers).keeps('add-workspace/concurrent-ids-distinct'))
          met = true
      if (conflicts && !met && round >= (isQuick(configuration.run) ? 1 : attemptsWithoutSuccess))
        throw new NotApplicable(
          'of workspaces that are added to a collaboration at the same moment the target accepts only one, and the others one by one',
        )
    },
    { cases: 'some', width: 1 },
  )
  if (!met) throw new Unproven('no two workspaces with ids were added at the same moment')
})
