/** §7 The error of a reassignment to a user who may not receive the items. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { acceptance, describe } from '../../clauses/acceptance.ts'
import { bodyJson } from '../../deployment/http/exchange.ts'
import { suite } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import { Unproven } from '../../runner/findings.ts'
import { issuesOf } from '../../schemas/validators.ts'
import { show } from '../../schemas/wording.ts'
import { oneReceiver, receiverBeside } from '../common/receivers.ts'
import {
  callerMayReassign,
  type ErrorContext,
  entriesOf,
  type Refusal,
  refusal,
  refusalOf,
  refusalOfStock,
} from './ineligible-target.ts'
import { type Belongings, longestLaterMs, partOf, withStock } from './ownership.ts'

const check = suite({
  operation: 'reassign-items',
  actors: ['contentAdministrator', 'itemOwner'],
  fixtures: ['items', 'eligibleUser', 'ineligibleUser'],
})

/** One item, several, and nearly as many as a request may name: the limit itself is judged elsewhere. */
const counts = fc.oneof(fc.constantFrom(1, 2, 3, 99), fc.integer({ min: 1, max: 99 }))
/** From so many on they are those of the stock. */
const many = 50
const some = { share: 0.1, least: 6, examples: [1, 2, 99] }

const namesEntries = ({ error }: Refusal): boolean =>
  Array.isArray(error?.details) && error.details.length > 0

/** Refused with code 403; the same items go to an eligible user then, so that the target alone was why. */
async function refusedFor403(context: ErrorContext, items: Belongings, by: Caller): Promise<string> {
  const { as, given, control, expect } = context
  const { answer, owner, itemIds, error, folder } = await refusalOf(context, items, by)
  const judge = (): void =>
    expect(answer).toShow(
      !acceptance(answer).accepted && error?.code === 403,
      'the answer is not the error with code 403',
      {
        expected: 'a JSON object with error.code: 403',
        actual: describe(answer),
        fields: ['error.code'],
      },
    )
  if (acceptance(answer).accepted) judge()
  const username = await receiverBeside({ given }, owner)
  const toEligible = { items: itemIds, targetUsername: username, ...folder }
  control(
    await as.contentAdministrator('reassign-items', { userName: owner }, toEligible),
    'the control, the same items to an eligible user,',
  )
  judge()
  return username
}

check('reassign-items/ineligible-target', {}, async (context) => {
  await callerMayReassign(context)
  const by = context.as.contentAdministrator
  await context.forAll(
    counts,
    async (count) => {
      if (count < many) {
        await refusedFor403(context, await context.given.items({ owner: 'itemOwner', count }), by)
      } else {
        await withStock(context, count, async (stock) => ({
          to: await refusedFor403(context, partOf(stock, count), by),
          count,
        }))
      }
    },
    some,
  )
})

for (const actor of ['customAdministrator', 'itemOwner'] as const) {
  const title = `The target must be eligible also where ${actor} gives the items away.`
  check(`reassign-items/ineligible-target:${actor}`, { actors: [actor], title }, async (context) => {
    const by = context.as[actor as 'itemOwner']
    await callerMayReassign(context, by)
    await context.inSituations(async () => {
      for (const count of [1, 2])
        await refusedFor403(context, await context.given.items({ owner: 'itemOwner', count }), by)
    }, 4)
  })
}

const inEntries = (path: string): boolean => path.startsWith('error.details[')

check('reassign-items/error-shape', {}, async (context) => {
  await callerMayReassign(context)
  await context.forAll(
    counts,
    (count) =>
      refusalOfStock(context, count, ({ answer, error }) => {
        if (error === undefined)
          throw new Unproven(`there is no error to look at: ${describe(answer)}`, [answer])
        const issues = issuesOf('reassign-items.error', { error }).filter(({ path }) => !inEntries(path))
        context.expect(answer).toShow(issues.length === 0, 'the error has not the shape of the contract', {
          expected:
            'error.code an integer, error.messageCode and error.message strings, error.details an array',
          actual: issues.map(({ message }) => message).join('; '),
          fields: issues.map(({ path }) => path),
        })
      }),
    some,
  )
})

check('reassign-items/error-details-fields', {}, async (context) => {
  await callerMayReassign(context)
  await context.forAll(
    counts,
    (count) =>
      refusalOfStock(context, count, (found) => {
        entriesOf(found)
        const issues = issuesOf('reassign-items.error', { error: found.error }).filter(({ path }) =>
          inEntries(path),
        )
        context
          .expect(found.answer)
          .toShow(issues.length === 0, 'an entry of details lacks what it must have', {
            expected:
              'in every entry itemId, type, url, owner as strings and reservedTypeKeywords as an array of strings',
            actual: issues.map(({ message }) => message).join('; '),
            fields: issues.map(({ path }) => path),
          })
      }),
    some,
  )
})

check('reassign-items/error-details-items', {}, async (context) => {
  await callerMayReassign(context)
  await context.forAll(
    counts,
    (count) =>
      refusalOfStock(context, count, ({ answer, itemIds, error }) => {
        if (!Array.isArray(error?.details))
          throw new Unproven(`error.details is ${show(error?.details)}, no array`, [answer])
        const named = error.details.map((entry) => (entry as { itemId?: unknown } | null)?.itemId)
        const foreign = named.filter((id) => !itemIds.includes(id as string))
        const missing = itemIds.filter((id) => !named.includes(id))
        const doubled = named.filter((id, at) => named.indexOf(id) !== at)
        const wrong = [
          ...(foreign.length === 0 ? [] : [`not of the request: ${show(foreign)}`]),
          ...(missing.length === 0 ? [] : [`without an entry: ${show(missing)}`]),
          ...(doubled.length === 0 ? [] : [`more than once: ${show(doubled)}`]),
        ]
        context
          .expect(answer)
          .toShow(wrong.length === 0, 'details does not name each item that could not be reassigned, once', {
            expected: `one entry for each of the ${itemIds.length} items of the request`,
            actual: `${named.length} entries; ${wrong.join('; ')}`,
            fields: ['error.details'],
          })
      }),
    some,
  )
})

check('reassign-items/error-details-owner', {}, async (context) => {
  await callerMayReassign(context)
  await context.forAll(
    counts,
    (count) =>
      refusalOfStock(context, count, (found) => {
        const others = entriesOf(found).filter(({ owner }) => owner !== found.owner)
        context.expect(found.answer).toShow(others.length === 0, 'an entry of details names another owner', {
          expected: `owner: ${show(found.owner)} in every entry`,
          actual: `owner: ${show(others[0]?.owner)} in ${others.length} of them`,
        })
      }),
    some,
  )
})

check(
  'reassign-items/error-details-owner:after-a-move',
  { title: 'owner is the current owner of an item that has had another one before.' },
  async (context) => {
    const { as, given, control, expect } = context
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 2 })
    const username = await oneReceiver({ given })
    const request = { items: itemIds, targetUsername: username }
    const refusedBefore = await refusalOf(context, { owner, itemIds })
    control(await as.contentAdministrator('reassign-items', { userName: owner }, request), 'the move')
    let found = refusedBefore
    const formerOf = (refusal: Refusal) => entriesOf(refusal).filter((entry) => entry.owner !== username)
    // A reassignment may take a while to show.
    await context.settled(
      async () => {
        found = await refusalOf(context, { owner: username, itemIds })
        return found.answer
      },
      () => namesEntries(found) && formerOf(found).length === 0,
    )
    const others = formerOf(found)
    expect(found.answer, refusedBefore.answer).toShow(
      others.length === 0,
      'an entry of details names a former owner',
      {
        expected: `owner: ${show(username)} in every entry`,
        actual: `owner: ${show(others[0]?.owner)} in ${others.length} of them`,
      },
    )
  },
)

check('reassign-items/error-alone', {}, async (context) => {
  await callerMayReassign(context)
  const { answer, error } = await refusal(context, 2)
  if (error === undefined) throw new Unproven(`there is no error to look at: ${describe(answer)}`, [answer])
  const others = Object.keys(bodyJson(answer) as object).filter((name) => name !== 'error')
  context.expect(answer).toShow(others.length === 0, 'the answer holds more than the error', {
    expected: 'one field, error',
    actual: `also ${others.slice(0, 5).join(', ')}`,
    fields: others.slice(0, 5),
  })
})

check('reassign-items/error-details-url', {}, async (context) => {
  await callerMayReassign(context)
  const found = await refusal(context, 2)
  const wrong = entriesOf(found).filter(({ url }) => typeof url === 'string' && !URL.canParse(url))
  context.expect(found.answer).toShow(wrong.length === 0, 'url in an entry of details is no URL', {
    expected: 'a URL in every entry',
    actual: `url: ${show(wrong[0]?.url)} in ${wrong.length} of them`,
    fields: ['error.details'],
  })
})

check('reassign-items/error-message-code', {}, async (context) => {
  await callerMayReassign(context)
  await refusalOfStock(context, 1, ({ answer, error }) =>
    context
      .expect(answer)
      .toShow(/^CONT_\d+$/.test(String(error?.messageCode)), 'messageCode has another form', {
        expected: 'CONT_ and a number',
        actual: show(error?.messageCode),
        fields: ['error.messageCode'],
      }),
  )
})

/** Many of one's own are used up by this: where few cases are wanted they are not asked for. */
const fewOrMany = (runs: number): number[] => (runs < 10 ? [1, 2] : [1, 2, 99])

check('reassign-items/ineligible-target-keeps-owner', {}, async (context) => {
  await callerMayReassign(context)
  const { as, given, forAll, expect } = context
  await forAll(
    counts,
    async (count) => {
      const { answer, owner, itemIds } = await refusal(context, count)
      if (acceptance(answer).accepted)
        throw new Unproven('the reassignment was not refused, so there is nothing to look at', [answer])
      // What was refused must not happen later either.
      if (count === 1) await sleep(Math.min(context.configuration.run.settleMs, longestLaterMs))
      const username = await oneReceiver({ given })
      const onward = await as.itemOwner(
        'reassign-items',
        { userName: owner },
        { items: itemIds, targetUsername: username },
      )
      expect(onward, answer).toBeAccepted(
        'the owner gives the items to an eligible user, after the refusal for another',
      )
    },
    { ...some, examples: fewOrMany(context.configuration.run.runs) },
  )
})
