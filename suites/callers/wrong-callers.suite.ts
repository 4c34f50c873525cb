/** §5 Who must be refused: every wrong caller of every operation, in every way to get round a refusal. */
import { wrongCallersOf } from '../../clauses/callers.ts'
import { isStranger, type Part } from '../../clauses/exchange.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Likeness } from '../../runner/cases/likenesses.ts'
import { type CheckDefinition, type Needs, suite } from '../../runner/check.ts'
import type { CheckContext, Subject } from '../../runner/context/context.ts'
import { otherGuestIn, targetNeeds } from '../../runner/operation-targets.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { actorsOf, isRefusedThroughout, isRefusedToo, strangersLike } from '../common/wrong-callers.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

/** That caller must be refused by that operation: a rule of the contract. */
interface Rule {
  readonly id: RequirementId
  readonly operation: OperationId
  readonly refused: Part
}

/** A way in which a wrong caller may be accepted after all. */
interface Way {
  /** The suffix of its check ids. Empty for the plain way. */
  readonly ending: string
  readonly title?: string | ((rule: Rule) => string)
  readonly of: (rule: Rule) => boolean
  readonly needs?: (rule: Rule) => Needs<ActorName>
  readonly refuses: (context: CheckContext, rule: Rule) => Promise<void>
}

const rules: readonly Rule[] = operationIds.flatMap((operation) =>
  wrongCallersOf(operation).map(({ id, refused }) => ({ id, operation, refused })),
)

/** Who may reassign depends on the owner of the items, so these rules have their own file. */
const hasOwner = ({ operation }: Rule): boolean => operation === 'reassign-items'
/** A refused delete is judged by its consequences, so its plain way has its own file. */
const hasConsequences = ({ operation }: Rule): boolean => operation === 'delete-collaboration'

const isAdvice = ({ id }: Rule): boolean => requirementOf(id).level === 'advice'

/** One stranger is enough for a delete or a reassignment, which use up what they change. */
function isTriedOnUsedConnection(rule: Rule): boolean {
  if (hasConsequences(rule) || hasOwner(rule)) return rule.refused === 'anonymous'
  return isStranger(rule.refused)
}

const cheap: Needs<ActorName> = { traits: ['cheap'] }

const besides = (actor: ActorName): Needs<ActorName> => ({
  whereThere: { actors: [actor] },
  traits: ['cheap'],
})

const ways: readonly Way[] = [
  {
    ending: '',
    of: (rule) => !hasOwner(rule) && !hasConsequences(rule),
    needs: (rule) => ({ actors: actorsOf(rule.refused) as ActorName[] }),
    refuses: (context, { operation, refused }) => isRefusedThroughout(context, operation, refused),
  },
  {
    ending: ':other-guest',
    title: 'The administrator of a guest that is not designated to sync is refused as well.',
    of: (rule) => rule.refused === 'guestAdministrator' && !hasOwner(rule),
    needs: () => besides('syncNonInitiator'),
    refuses: async (context, { operation }) => {
      otherGuestIn(context)
      await isRefusedToo(context, operation, 'syncNonInitiator')
    },
  },
  {
    ending: ':hosts-another',
    title:
      'The administrator of a guest that hosts a collaboration of its own is refused in that of another.',
    of: ({ refused, operation }) =>
      refused === 'guestAdministrator' && operationOf(operation).conformanceClass === 'host',
    needs: () => ({
      actors: ['guestAdministrator'],
      whereThere: { fixtures: ['guestHosted'] },
    }),
    refuses: async (context, { operation }) => {
      await context.given.guestHosted()
      const did = 'a guest that hosts a collaboration of its own was accepted in another one'
      await isRefusedToo(context, operation, 'guestAdministrator', { did, most: 2 })
    },
  },
  // They are no administrators either (§5, owners of items).
  ...(['itemOwner', 'itemOwnerUnprivileged', 'outsider'] as const).map(
    (actor): Way => ({
      ending: `:${actor}`,
      title: `A caller who is no administrator is refused, also as ${actor}.`,
      of: (rule) => rule.refused === 'hostMember' && !hasOwner(rule),
      needs: () => besides(actor),
      refuses: (context, { operation }) => isRefusedToo(context, operation, actor, { most: 1 }),
    }),
  ),
  {
    ending: ':used-connection',
    title: ({ refused }) => `${refused} is refused on a connection that a permitted caller has just used.`,
    of: isTriedOnUsedConnection,
    refuses: isRefusedOnUsedConnection,
  },
  {
    ending: ':empty-credential',
    title: 'An empty credential is refused.',
    of: (rule) => rule.refused === 'anonymous' && !isAdvice(rule),
    needs: () => cheap,
    refuses: (context, rule) => isRefusedLike(context, rule, ['empty']),
  },
  {
    ending: ':resembling',
    title: 'A forged credential that resembles a real one is refused.',
    of: (rule) => rule.refused === 'impostor' && !isAdvice(rule),
    needs: () => cheap,
    refuses: (context, rule) =>
      isRefusedLike(context, rule, ['without its end', 'without its signature', 'with the end of another']),
  },
  {
    ending: ':expired',
    title: 'An expired credential is refused.',
    of: ({ refused }) => refused === 'impostor',
    needs: ({ operation }) => ({ whereThere: { ended: operationOf(operation).calledBy } }),
    refuses: async (context, { operation }) => {
      const { controlledHere, tried } = context.target(operation)
      const { request, answer: before } = await controlledHere()
      const stranger = await context.callers.ended(operationOf(operation).calledBy)
      await tried(async (call) =>
        context
          .expect(await call(stranger, request), before)
          .toBeRefused('an expired credential was accepted'),
      )
    },
  },
]

for (const way of ways)
  for (const rule of rules.filter(way.of)) {
    const { id, operation } = rule
    const title = typeof way.title === 'function' ? way.title(rule) : way.title
    const needs: Needs<ActorName> = { ...way.needs?.(rule), ...(title && { title }) }
    suite(checks, targetNeeds(operation))(`${id}${way.ending as ':way'}`, needs, (context) =>
      way.refuses(context, rule),
    )
  }

async function isRefusedOnUsedConnection(context: CheckContext, { operation, refused }: Rule): Promise<void> {
  const { fixed, fresh, permitted, send, tried } = context.target(operation)
  const request = await context.given.request(operation, fixed)
  // Acts on what was accepted just before. Afterwards a workspace goes to the check that waits for it, and a collaboration is gone.
  const lasts = operation !== 'sync-workspace' && operation !== 'delete-collaboration'
  const subject = lasts ? await fresh() : undefined
  await context.callers.onOneConnection(async (on) => {
    const used = await (subject?.call(permitted, request, { on }) ?? send(request, { on }))
    context.control(used)
    const refuses = async (call: Subject['call']): Promise<void> =>
      context
        .expect(await call(context.callers.by(refused), request, { on }), used)
        .toBeRefused(`${refused} was accepted on a connection that a permitted caller had used`)
    if (subject !== undefined) await refuses(subject.call)
    // Items that have moved can be refused for that alone.
    if (subject === undefined || operation === 'reassign-items') await tried(refuses)
  })
}

async function isRefusedLike(
  context: CheckContext,
  { operation }: Rule,
  likenesses: readonly Likeness[],
): Promise<void> {
  const strangers = await strangersLike(context, operationOf(operation).calledBy, likenesses)
  const { controlledHere, tried } = context.target(operation)
  const { request, answer: before } = await controlledHere()
  await tried(async (call) => {
    for (const [what, stranger] of strangers)
      context.expect(await call(stranger, request), before).toBeRefused(`${what} was accepted`)
  })
}
