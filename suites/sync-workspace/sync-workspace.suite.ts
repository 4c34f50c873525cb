/** §4.4 Sync workspace: shape and relations, and that wrong callers start nothing. What depends on time has files of its own. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { wrongCallersOf } from '../../clauses/callers.ts'
import type { Part } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureAnswers } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import { isQuick } from '../../runner/effort.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { inMode, modesOf } from '../../runner/patience/sync-times.ts'
import { actorsOf, isRefusedToo } from '../common/wrong-callers.ts'
import { type SyncPlace, shortSyncMs } from './timed-syncs.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

type Workspace = FixtureAnswers['workspace']

const check = suite(checks, { actors: ['syncInitiator'], fixtures: ['workspace'] })

check(
  'sync-workspace/starts:beside-another',
  {
    whereThere: { fixtures: ['collaboration'] },
    title: 'Each of several workspaces of one collaboration can be synced.',
  },
  async (context) => {
    const { as, given, expect, syncs } = context
    const { collaborationId } = await given.collaboration({ with: 'workspace' })
    const [one, other] = [
      await given.workspace({ collaborationId }),
      await given.workspace({ collaborationId }),
    ]
    // Every answer of a run is judged, so an accepted one shows here that unknown workspaces are not refused.
    await as.syncInitiator('sync-workspace', { ...one, workspaceId: given.ids.unknownLike(one.workspaceId) })
    for (const workspace of [other, one]) {
      expect(await as.syncInitiator('sync-workspace', workspace)).toBeAccepted()
      await syncs.untilOver(workspace.workspaceId)
    }
  },
)

check(
  'sync-workspace/unknown-workspace:elsewhere',
  { title: 'A workspace of another collaboration is unknown here.', traits: ['cheap'] },
  async ({ as, given, control, expect, inSituations }) => {
    const [one, other] = (await given.different('workspace', 2, {
      by: 'collaborationId',
    })) as [Workspace, Workspace]
    const { collaborationId } = one
    await inSituations(async () =>
      expect(await as.syncInitiator('sync-workspace', { ...other, collaborationId })).toBeRefused(
        'a workspace of another collaboration was synced',
      ),
    )
    for (const workspace of [one, other]) control(await as.syncInitiator('sync-workspace', workspace))
  },
)

for (const [name, actor, who] of [
  ['host-member', 'hostMember', 'A member'],
  ['organization-administrator', 'organizationAdministrator', 'Another administrator'],
  ['custom-administrator', 'customAdministrator', 'A custom administrator'],
  ['item-owner', 'itemOwner', 'An owner of items'],
  ['unprivileged-owner', 'itemOwnerUnprivileged', 'An owner of items without privileges'],
  ['outsider', 'outsider', 'Who owns nothing'],
  ['task-owner', 'taskOwner', 'An owner of tasks'],
] as const) {
  check(
    `sync-workspace/refuses-non-designated:${name}`,
    {
      whereThere: { actors: [actor] },
      traits: ['cheap'],
      title: `${who} of the host may not sync where the host is not the designated participant.`,
    },
    async (context) => {
      mustNotBeDesignated(context.configuration, actor)
      const paths = isQuick(context.configuration.run) ? 1 : undefined
      await isRefusedToo(context, 'sync-workspace', actor, { most: 1, paths })
    },
  )
}

/** The designated participant is the portal of who may sync; one login may play both parts. */
function mustNotBeDesignated({ actors }: Configuration, actor: ActorName): void {
  const { syncInitiator, [actor]: other } = actors
  if (
    (syncInitiator?.portal ?? 'host') === (other?.portal ?? 'host') ||
    syncInitiator?.credential === other?.credential
  )
    throw new NotApplicable(`the portal of ${actor} is the designated participant here, and may sync`)
}

/** What must meet a sync that runs does not wait behind other requests. */
const urgent = { urgent: true } as const

const triedEveryTime: readonly (readonly [CheckId, Part])[] = [
  ...wrongCallersOf('sync-workspace').map(({ id, refused }) => [`${id}:every-time`, refused] as const),
  ['sync-workspace/refuses-non-designated:host-administrator', 'hostAdministrator'],
]

for (const [id, refused] of triedEveryTime) {
  const title = `${refused} is refused in either mode, every time, also while a permitted sync runs and after it, and starts nothing.`
  check(id, { actors: actorsOf(refused), title }, async (context) => {
    const { as, callers, given, control, expect, configuration, syncs } = context
    if (refused === 'hostAdministrator') mustNotBeDesignated(configuration, refused)
    const by = callers.by(refused)
    // No one is accepted for a sync that was accepted elsewhere.
    await context.target('sync-workspace').controlled()
    const portals = callers.portalsTriedBy(refused)
    const modes = modesOf(configuration)
    const tryAll = async (at: SyncPlace, when: string, ...before: readonly Answer[]): Promise<Answer> => {
      let last = before[0]
      for (const portal of portals) {
        // The last mode again: who was refused is refused again.
        for (const mode of [...modes, 'asynchronous'] as const) {
          const request = inMode(context, mode)
          last = await by('sync-workspace', { ...at, portal }, request, urgent)
          expect(last, ...before).toBeRefused(`${refused} was accepted, in ${mode} mode, ${when}`)
        }
      }
      return last as Answer
    }
    // Long enough that the next request meets what was started.
    const at = await given.workspace({ minimumSyncMs: shortSyncMs })
    const sync = await syncs.alone(async () => {
      const before = await tryAll(at, 'on a workspace without a sync')
      const request = inMode(context, 'asynchronous')
      const ask = () => as.syncInitiator('sync-workspace', at, request, { ...urgent, once: true })
      const sync = await ask()
      if (!isAccepted(sync)) {
        // Nothing was started where it stays so once whatever may have been started is over.
        await syncs.untilOver(at.workspaceId, before.answeredAt)
        const clause = syncs.knowsLongestOf(at.workspaceId) ? 'sync-workspace/starts' : undefined
        control(await ask(), 'the same sync, once whatever may have been started was over', clause)
      }
      expect(sync, before).toBeAccepted(
        `a sync by the designated participant, right after ${refused} was refused: nothing may have been started`,
      )
      await tryAll(at, 'while a permitted sync of that workspace ran', sync)
      return sync
    })
    await syncs.untilOver(at.workspaceId, sync.answeredAt)
    await tryAll(at, 'after a permitted sync of that workspace', sync)
  })
}
