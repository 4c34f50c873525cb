/** How a deployment treats texts and certificates that the contract leaves open. Observed, never judged. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { type Answer, bodyFields } from '../../deployment/http/exchange.ts'
import { markOf } from '../../runner/cases/unique-name.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { at, type Fields } from '../../schemas/values.ts'
import { curveCertificates, plainCertificate } from '../../specs/certificates.ts'
import type { OpenPointId } from '../../specs/open-points.ts'

/** A name, its label in reports, and the names that a deployment may turn it into. */
interface Trial {
  readonly point: OpenPointId
  readonly what: string
  /** Placed around a unique word, since another workspace may have the name already. */
  readonly name: (own: string) => string
  readonly mayBecome: (own: string) => Readonly<Record<string, string>>
}

const trials: readonly Trial[] = [
  { point: 'empty-text', what: 'an empty name', name: () => '', mayBecome: () => ({}) },
  {
    point: 'text-normalisation',
    what: 'spaces at the ends',
    name: (own) => ` ${own} `,
    mayBecome: (own) => ({ trimmed: own }),
  },
  {
    point: 'text-normalisation',
    what: 'decomposed letters',
    name: (own) => `${own} Cafe\u0301`,
    mayBecome: (own) => ({ composed: `${own} Caf\u00e9` }),
  },
  {
    point: 'text-normalisation',
    what: 'a control character',
    name: (own) => `${own}\u0007`,
    mayBecome: (own) => ({ dropped: own }),
  },
  {
    point: 'markup',
    what: 'markup',
    name: (own) => `<b>${own}</b>`,
    mayBecome: (own) => ({ removed: own, escaped: `&lt;b&gt;${own}&lt;/b&gt;` }),
  },
  {
    point: 'markup',
    what: 'quotes',
    name: (own) => `'${own}' "two"`,
    mayBecome: (own) => ({ removed: `${own} two`, escaped: `&#39;${own}&#39; &quot;two&quot;` }),
  },
  { point: 'markup', what: 'a formula', name: (own) => `${own} 1+1=2`, mayBecome: () => ({}) },
  {
    point: 'markup',
    what: 'a path',
    name: (own) => `C:\\${own}`,
    mayBecome: (own) => ({ 'with its backslash doubled': `C:\\\\${own}` }),
  },
  {
    point: 'markup',
    what: 'placeholders',
    name: (own) => `${own} {0}`,
    mayBecome: (own) => ({ removed: `${own} ` }),
  },
]

/** Tries names of every open kind, and how many characters beyond the basic plane a name may have. */
export async function observeWorkspaceTexts({
  as,
  given,
  openPoints,
}: CheckContext<'hostAdministrator', 'collaboration' | 'group'>): Promise<void> {
  const request = await given.request('add-workspace', { portalGroupId: 'none' })
  const { portalGroupId: _, ...plain } = request
  const { collaborationId } = await given.collaboration()
  const add = async (collaborationWorkspaceName: string) =>
    as.hostAdministrator(
      'add-workspace',
      { collaborationId },
      await given.linked('add-workspace', { ...plain, collaborationWorkspaceName }),
    )
  for (const { point, what, name, mayBecome } of trials) {
    const own = markOf(given.runId, what)
    openPoints.observe(point, `${what}: ${fateOf(await add(name(own)), name(own), mayBecome(own))}`)
  }
  openPoints.observe('astral-counting', await longestAccepted(add))
  const { lastSyncSuccess } = workspaceIn(await add(markOf(given.runId, 'never synced')))
  if (typeof lastSyncSuccess === 'number')
    openPoints.observe('negative-last-sync', `of a new workspace: ${lastSyncSuccess}`)
}

function fateOf(answer: Answer, sent: string, mayBecome: Readonly<Record<string, string>>): string {
  if (!isAccepted(answer)) return 'refused'
  const { name } = workspaceIn(answer)
  if (name === sent) return 'kept'
  return Object.entries(mayBecome).find(([, text]) => text === name)?.[0] ?? 'changed in another way'
}

/**
 * Names of 100, 50 and 25 characters, each one code point, two UTF-16 units and four bytes. The observation names what was
 * accepted, and not what a deployment counts: it may have a lower limit.
 */
async function longestAccepted(add: (name: string) => Promise<Answer>): Promise<string> {
  let refused: string | undefined
  for (const length of [100, 50, 25]) {
    const but = refused === undefined ? '' : `, of ${refused} refused`
    if (isAccepted(await add('\u{1f680}'.repeat(length))))
      return `a name of ${length} such characters is accepted${but}`
    refused = String(length)
  }
  return `a name of ${refused} such characters is refused`
}

const workspaceIn = (answer: Answer): Fields => (at(bodyFields(answer), 'workspace') ?? {}) as Fields

export async function observeCertificates(context: CheckContext): Promise<void> {
  const { given, openPoints } = context
  const { send } = context.target('update-federation')
  const request = await given.request('update-federation')
  const broken = (lineBreak: string) => plainCertificate.replace(/(.{64})(?=.)/g, `$1${lineBreak}`)
  for (const [what, certificate] of [
    ['lines of 64 characters', broken('\n')],
    ['lines that end with carriage return and line feed', broken('\r\n')],
    ['a key on the curve P-256', curveCertificates[0]],
    ['a key on the curve P-384', curveCertificates[1]],
  ] as const) {
    const accepted = isAccepted(await send({ ...request, certificate }))
    openPoints.observe('certificate-text', `${what}: ${accepted ? 'accepted' : 'refused'}`)
  }
}
