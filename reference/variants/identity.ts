/** Other credentials, and other callers where the contract names none. */
import { createHash } from 'node:crypto'
import { all, alsoMay, onceAccepted, refuseWhen, replacing, replacingIn, wrapping } from '../alterations.ts'
import type { User } from '../store.ts'
import { bearerOf, isHostAdministrator } from '../users.ts'
import { leaving, type Variant, variantsOf } from './variant.ts'

const cookieName = 'portal_token'

export const identityVariants = variantsOf({
  'bearer-header': {
    sentence: 'The credential is taken from the Authorization header only.',
    settles: ['place or form of credentials'],
    because: '§5: how a request proves its identity is not shown; public page http-authorization-headers',
    alter: replacing({ credentialOf: ({ headers }) => bearerOf(headers.authorization) }),
    configure(configuration) {
      configuration.authentication = { in: 'header', name: 'Authorization', prefix: 'Bearer ' }
    },
  },
  'query-credential': {
    sentence: 'The credential is taken from the query only.',
    settles: ['place or form of credentials'],
    because: '§5: how a request proves its identity is not shown; public pages allow token in the query',
    alter: replacing({ credentialOf: ({ query }) => query.get('key') || undefined }),
    configure(configuration) {
      configuration.authentication = { in: 'query', name: 'key' }
    },
  },
  'cookie-credential': {
    sentence: 'The credential is taken from a cookie only.',
    settles: ['place or form of credentials'],
    because: '§5: how a request proves its identity is not shown; web-tier authentication uses cookies',
    alter: replacing({
      credentialOf: ({ headers }) =>
        headers.cookie
          ?.split(';')
          .map((each) => each.trim())
          .find((each) => each.startsWith(`${cookieName}=`))
          ?.slice(cookieName.length + 1),
    }),
    configure(configuration) {
      configuration.authentication = { in: 'cookie', name: cookieName }
    },
  },
  'host-administrator-anywhere': {
    sentence: "A host administrator may act under another portal's id.",
    because: "§5: the host's administrator may call; whether under which portal id is not shown",
    alter: alsoMay(['add-workspace', 'update-participant', 'delete-collaboration'], isHostAdministrator),
  },
  'anybody-updates-runs': {
    sentence: 'Who may update a run is open: here it is anybody, also without credentials.',
    because: '§5: who may update a run is not shown',
    may: leaving('not-applicable', ['protocol/refusal-json'], /no refusal to judge/),
    alter: replacingIn('may', { 'update-task-run': () => true }),
  },
  'signed-credential': {
    sentence: 'Credentials have three parts; the last one signs the others.',
    settles: ['place or form of credentials'],
    because: '§5: how a request proves its identity is not shown; JSON Web Tokens (RFC 7519) have that form',
    ...signedCredential((signature, right) => signature === right),
  },
  'credential-ends': {
    sentence: 'The credential of the host administrator ends after 80 requests.',
    settles: ['requests lost for good'],
    because: 'public page generate-token: tokens expire',
    may: {
      inconclusive: { requirements: ['**'], because: /credential|token/i },
      'not-tested': { requirements: ['**'], because: /credential|token/i },
    },
    alter: wrapping('identify', (honest) => {
      let used = 0
      return (arrival, store) => {
        const user = honest(arrival, store)
        return user?.actor === 'hostAdministrator' && ++used > 80 ? undefined : user
      }
    }),
  },
  'session-cookies': {
    sentence: 'An accepted caller gets a session cookie, which is then enough.',
    because: 'RFC 6265: servers may set cookies, and clients may ignore them',
    alter: wrapping('identify', (honest) => {
      const sessions = new Map<string, User>()
      return (arrival, store) => {
        const session = /sid=(\w+)/.exec(arrival.headers.cookie ?? '')?.[1] ?? ''
        const user = honest(arrival, store) ?? sessions.get(session)
        if (user === undefined) return undefined
        const id = `s${sessions.size + 1}`
        sessions.set(id, user)
        arrival.response.setHeader('set-cookie', [`sid=${id}; Path=/; HttpOnly`, 'lang=en; Path=/'])
        return user
      }
    }),
  },
  'administrators-update-runs': {
    sentence: 'Administrators alone update the runs of tasks.',
    because: '§5: who may update a run is not shown',
    alter: replacingIn('may', { 'update-task-run': isHostAdministrator }),
  },
  'only-owner-updates-runs': {
    sentence: 'Only the owner of a task updates its runs, and each run once.',
    because: '§5: who may update a run is not shown; §3: transitions are not shown',
    may: leaving(
      'not-applicable',
      ['update-task-run/unknown-run', 'update-task-run/run-of-task'],
      /an administrator may not update the runs of others/,
    ),
    alter: all(
      replacingIn('may', { 'update-task-run': ({ user }, { owner }) => user?.username === owner }),
      onceAccepted(
        'update-task-run',
        ({ params }) => params.runID,
        (updated) => refuseWhen('update-task-run', 'unknown-run', ({ params }) => updated.has(params.runID)),
      ),
    ),
  },
})

/** Credentials of three parts. `passes`: whether the signature is valid; `given` has all signatures issued. */
export function signedCredential(
  passes: (signature: string | undefined, right: string, given: ReadonlySet<unknown>) => boolean,
): Required<Pick<Variant, 'alter' | 'configure'>> {
  const given = new Set<string>()
  return {
    alter: wrapping('credentialOf', (honest) => (arrival) => {
      const [head, content = '', signature] = honest(arrival)?.split('.') ?? []
      if (head === undefined) return undefined
      return passes(signature, signatureOf(`${head}.${content}`), given)
        ? Buffer.from(content, 'base64url').toString()
        : 'forged'
    }),
    configure(configuration) {
      const sign = (token: string): string => {
        const signed = `${header}.${Buffer.from(token).toString('base64url')}`
        given.add(signatureOf(signed))
        return `${signed}.${signatureOf(signed)}`
      }
      for (const actor of Object.values(configuration.actors)) {
        actor.credential = sign(actor.credential)
        actor.expired = sign(actor.expired)
      }
    },
  }
}

const header = 'eyJhbGciOiJIUzI1NiJ9'

const signatureOf = (signed: string) => createHash('sha256').update(signed).digest('base64url')
