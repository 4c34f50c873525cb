/** Variants of administration. Only a run that makes its own fixtures sees them. */
import {
  admitBefore,
  afterRefused,
  all,
  everyNth,
  everywhere,
  refuseWhen,
  remembering,
  replacingIn,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { runIn, workspaceIn } from '../handlers.ts'
import type { AdministrativeMeans, Alter, Arrival, Rendered } from '../parts.ts'
import { isHostAdministrator } from '../users.ts'
import { leaving, variantsOf } from './variant.ts'

/** Changes the administrative options of a portal. */
const having = (means: Partial<AdministrativeMeans>) => replacingIn('administration', means)

/** Refuses some administrative requests. `remember` makes the condition, with a memory of its own in each portal. */
const failing = (why: Reason, remember: () => (route: string, arrival: Arrival) => boolean): Alter =>
  remembering(remember, (isOne) =>
    having({ fails: (route, arrival) => (isOne(route, arrival) ? why : undefined) }),
  )

/** Refuses all requests for these routes, from any caller. */
const forbids = (routes: RegExp): Alter => failing('forbidden', () => (route) => routes.test(route))

type Page = Readonly<Record<string, unknown>>

/** Changes the pages of these routes. */
const shows = (routes: RegExp, otherwise: (page: Page) => Page): Alter =>
  having({
    answered: (route, answer) =>
      !routes.test(route) || Buffer.isBuffer(answer.body) || 'refused' in answer
        ? answer
        : { ...answer, body: otherwise(answer.body) },
  })

const timedOut = Buffer.from(
  JSON.stringify({ error: { code: 504, message: 'Your request has timed out.', details: [] } }),
)

/** Delays each step by which a guest joins. */
export const handshakesTake = (ms: number): Alter =>
  having({
    takesMs: (route) => (/\/(?:acceptCollaboration|importInvitation)\w+$/.test(route) ? ms : 0),
  })

/** Makes every sync longer by this many milliseconds. */
export const syncsTake = (ms: number): Alter => replacingIn('timings', { everySyncMs: ms })

const gatewayPage: Rendered = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html>Welcome</html>'),
}

const tooLong = Buffer.from(JSON.stringify({ error: { code: 414, message: 'The address is too long.' } }))

/** The required file endings, by operation. */
const fileEndings = [
  ['/acceptCollaborationInvitation', /\.(?:invite|invitation)$/],
  ['/importInvitationResponse', /\.response$/],
] as const

export const administrationVariants = variantsOf({
  'participants-have-ids-of-their-own': {
    sentence: 'Among participants a portal has another id than in paths.',
    because: 'old pages print one id for every organization, while participants have GUIDs (public samples)',
    alter(parts) {
      parts.participantId = (portalId) =>
        `7c1e0000-5e2d-4a31-9d02-${Buffer.from(portalId).toString('hex').slice(0, 12)}`
    },
  },
  'invitations-accepted-at-the-third-try': {
    sentence: 'Of three requests to accept an invitation two are refused.',
    because: 'concluded: portals that are far apart do not always reach each other at once',
    alter: failing('forbidden', () => {
      const isThird = everyNth(3)
      return (route) => route.endsWith('/acceptCollaborationInvitation') && !isThird()
    }),
  },
  'guests-hear-at-configuration-syncs': {
    sentence: 'A guest hears of a workspace that was added after its invitation at its next configSync only.',
    because: 'the Python client asks for configSync before every sync, public scripts after the handshake',
    alter: having({ guestsHear: 'at-config-sync' }),
  },
  'guests-never-hear': {
    sentence: 'A guest never hears of a workspace that was added after its invitation.',
    because: 'that configSync is enough is concluded from clients, and not documented',
    may: leaving(
      'not-tested',
      ['{sync-workspace,protocol,profile}/*'],
      /^no fixture "(?:workspace|scheduledSync)": updatePortalGroupLink answered/,
    ),
    alter: having({ guestsHear: 'never' }),
  },
  'imports-go-on-behind-a-gateway': {
    sentence:
      'A gateway gives up on each import of the answer to an invitation; the import is done a second later.',
    because: 'public scripts meet error code 504 under HTTP 200 during the handshake',
    alter: having({
      importsGoOnMs: 1000,
      answered: (route, answer) =>
        route.endsWith('/importInvitationResponse') && !('refused' in answer)
          ? { status: 200, headers: { 'content-type': 'application/json' }, body: timedOut }
          : answer,
    }),
  },
  'handshakes-take-13-s': {
    sentence: 'Accepting an invitation and importing its answer take 13 s each.',
    because: 'public scripts wait for tens of seconds in the handshake',
    takesLong: true,
    alter: handshakesTake(13_000),
  },
  'syncs-take-12-s': {
    sentence: 'Every sync takes 12 s.',
    because: 'public samples show syncs of 83 and 92 s',
    takesLong: true,
    alter: syncsTake(12_000),
  },
  'guest-has-another-address': {
    sentence: 'The guest takes only invitations to its portalHostname, which is not the address in use.',
    because: 'client mocks and an issue thread: portalHostname differs behind load balancers',
    alter: having({
      ownAddress: (name, used) => (name === 'guest' ? 'guest.example:7443/arcgis' : used),
    }),
  },
  'addresses-hold-no-tokens': {
    sentence: 'An address that holds a token is too long for a gateway: pages are had by POST.',
    because: 'gateways limit the length of addresses (RFC 9110, 4.1 recommends 8,000 octets)',
    alter: admitBefore(({ method, query }) =>
      method === 'GET' && query.has('token')
        ? { status: 414, headers: { 'content-type': 'application/json' }, body: tooLong }
        : undefined,
    ),
  },
  'hosted-edition': {
    sentence: 'It is the hosted edition: users come by invitation, and not beside the API.',
    because: 'public pages: on the hosted edition users come by invitation',
    alter: having({ hosted: true }),
  },
  // Releases before 11.3 have no enterpriseVersion. The Python client's source says that currentVersion "may not match
  // the version of the product".
  'release-shown-to-administrators': {
    sentence: 'It is release 11.0, which only portaladmin says: currentVersion is the internal number 10.1.',
    because: 'public pages: currentVersion is an internal number, and portaladmin says the release',
    alter: having({ release: '11.0' }),
  },
  'older-release': {
    sentence: 'It is release 10.7, in which items cannot be reassigned and runs cannot be updated.',
    because: '§9: reassigning items came with 11.0, and updating runs with 10.8.1',
    may: leaving('not-applicable', ['{reassign-items,update-task-run}/*'], /appeared in release/),
    alter: all(
      having({ release: '10.7' }),
      everywhere(
        (operation) => refuseWhen(operation, 'not-here', () => true),
        ['reassign-items', 'update-task-run'],
      ),
    ),
  },
  'short-lived-tokens': {
    sentence: 'Tokens end after three seconds, whatever is asked for.',
    because: 'public page generate-token: tokens expire',
    alter: having({ longestTokenMs: 3000 }),
  },
  'user-creation-forbidden': {
    sentence: 'No one can create users.',
    because: 'public page create-user: only administrators of the site may create users',
    may: leaving(
      'not-tested',
      [
        '{reassign-items,protocol,profile}/*',
        '*/refuses-non-administrator',
        'delete-collaboration/refused-delete-has-no-effect',
      ],
      /^(?:no fixture "(?:items|eligibleUser)"|\w+ cannot act): createUser answered HTTP 200 with error code 403/,
    ),
    alter: having({ createsUsers: false }),
  },
  'nothing-runs-tasks': {
    sentence: 'Tasks can be scheduled, and nothing executes them.',
    because: 'public pages: tasks need a notebook server to run',
    may: leaving(
      'not-tested',
      ['{update-task-run,protocol,profile}/*'],
      /^no fixture "taskRun": no scheduled task ran within \d+ s \(administration\.runsWithin\): nothing seems to execute notebooks here$/,
    ),
    alter: having({ runsTasks: false }),
  },
  'login-configured': {
    sentence: 'The organization has an enterprise login already.',
    because: 'concluded: a federation cannot be registered beside another enterprise login',
    may: leaving(
      'not-tested',
      ['{update-federation,protocol,profile}/*'],
      /^no fixture federation: enterprise logins are configured already$/,
    ),
    alter: having({ hasLogin: true }),
  },
  'host-starts-syncs': {
    sentence: 'It was agreed that the host starts syncs, and no guest.',
    because: '§4.4: which participant is designated is agreed during trust establishment',
    alter: replacingIn('may', { 'sync-workspace': isHostAdministrator }),
  },
  'unknown-is-forbidden': {
    sentence: 'What is not there is answered as what is forbidden.',
    because: 'public answers: "does not exist or is inaccessible" (CONT_0001, COM_0003)',
    alter(parts) {
      for (const reason of Object.keys(parts.refusals) as Reason[])
        if (/^unknown-(collaboration|workspace|participant|run|task|federation|portal)$/.test(reason))
          parts.refusals[reason] = { ...parts.refusals.forbidden }
    },
  },
  'ended-runs-are-not-scheduled': {
    sentence: 'A run that has ended is set to scheduled only once it was set to executing.',
    because: '§3: transitions are not shown',
    alter: refuseWhen('update-task-run', 'bad-value', (call) => {
      const run = runIn(call)
      return call.form.get('status') === 'scheduled' && run !== undefined && run.status !== 'executing'
    }),
  },
  'users-made-on-kubernetes': {
    sentence: 'Users are made below /admin/orgs, as on Kubernetes.',
    because: 'public page of the administration on Kubernetes: /admin/orgs',
    alter: having({ onKubernetes: true }),
  },
  'files-in-forms': {
    sentence: 'Invitations and responses come as a part of a form.',
    because: 'older public pages show multipart answers',
    alter: having({ filesInForms: true }),
  },
  'room-for-eight-users': {
    sentence: 'Eight users can be made, and no more.',
    because: 'licences limit the members of an organization',
    may: leaving(
      'not-tested',
      ['reassign-items/{concurrent-one-wins,ownership-moves}'],
      /^another fixture "eligibleUser" needed/,
    ),
    alter: failing('failed', () => {
      let users = 0
      return (route) => route.endsWith('/createUser') && ++users > 8
    }),
  },
  'administration-fails-at-times': {
    sentence: 'Every eleventh administrative request fails.',
    because: 'gateways answer 502 to 504 at times (RFC 9110, 15.6)',
    alter: failing('failed', () => everyNth(11)),
  },
  'administration-throttled': {
    sentence: 'Administrative requests above sixty in a second are turned away, under HTTP 200.',
    because: '§8: rate limits are not shown; public pages answer errors under HTTP 200',
    alter: failing('too-many-requests', () => {
      let [second, served] = [0, 0]
      return () => {
        const now = Math.floor(Date.now() / 1000)
        if (now !== second) [second, served] = [now, 0]
        return ++served > 60
      }
    }),
  },
  'all-is-protected': {
    sentence: 'New items and groups are protected against being deleted.',
    because: 'public pages: items and groups can be protected against being deleted',
    alter: remembering(
      () => new Set<string>(),
      (unprotected) => having({ unprotected }),
    ),
  },
  'users-removed-by-list': {
    sentence: 'Users are removed by removeUsers, and not by themselves.',
    because: 'public pages document removeUsers and delete, and clients use either',
    alter: forbids(/\/users\/:[^/]+\/delete$/),
  },
  'logins-of-a-custom-role': {
    sentence:
      'The logins administer, and are not full administrators: roles and logins of the organization are not theirs.',
    because: 'public page roles: a custom role with administrative privileges also shows org_admin',
    may: leaving(
      'not-tested',
      ['{reassign-items,update-federation,protocol,profile}/*'],
      /^(?:no fixture "(?:items|eligibleUser)"|\w+ cannot act): createRole answered|^no fixture "federation": register answered/,
    ),
    alter: forbids(/createRole$|\/idp/),
  },
  'roles-hold-more': {
    sentence: 'Every role has the privileges to give items away and to receive them.',
    because: 'public pages: privileges of roles are chosen by the organization',
    may: leaving(
      'not-tested',
      [
        'reassign-items/{not-their-item,refuses-other-user,refuses-owner-without-privilege}',
        'reassign-items/{error-*,ineligible-target*}',
      ],
      /a role that is made without portal:user:\w+ has it here$/,
    ),
    alter: having({ rolesAlsoHold: ['portal:user:reassignItems', 'portal:user:receiveItems'] }),
  },
  'users-own-from-the-start': {
    sentence: 'A new user owns an item and a group, and a user who owns something cannot be removed.',
    because: 'public page new-member-defaults: new members get groups, and more may come with them',
    alter: having({ usersOwnFromTheStart: true }),
  },
  'answers-lost-at-times': {
    sentence: 'Every twentieth administrative operation is done, and answered 504 by a gateway.',
    because: 'RFC 9110, 15.6.5: a gateway does not know what became of the request',
    alter: remembering(
      () => everyNth(20),
      (isLost) =>
        having({
          answered: (route, answer, { parts }) =>
            /\/(?:create|accept|import|add|set|update|export)\w*$/.test(route) && isLost()
              ? { ...parts.refuse('failed'), status: 504 }
              : answer,
        }),
    ),
  },
  'others-take-part': {
    sentence: 'Another guest takes part in each new collaboration from the beginning.',
    because: '§1: a collaboration may have several guests',
    alter: having({ othersTakePart: true }),
  },
  'refused-syncs-listed': {
    sentence: 'A sync that is refused for its caller is listed as failed.',
    because: '§4.4: what is recorded of a refused request is not shown',
    alter: afterRefused('sync-workspace', ['forbidden', 'token-required', 'invalid-token'], (call) => {
      const syncs = workspaceIn(call)?.syncs
      const [last] = syncs?.slice(-1) ?? []
      if (last !== undefined)
        syncs?.push({
          ...last,
          id: call.parts.newId('job'),
          scheduled: false,
          endTime: call.parts.now(),
          failed: true,
        })
    }),
  },
  'contacts-in-camel-case': {
    sentence: 'The pages of participants show contactFirstName and contactLastName.',
    because: 'the parameter table of the public page writes contactFirstName',
    alter: shows(/\/participants/, (page) =>
      JSON.parse(JSON.stringify(page).replace(/"contact(First|Last)name"/g, '"contact$1Name"')),
    ),
  },
  'receivers-need-more': {
    sentence: 'Receiving items also needs the privilege to join groups.',
    because:
      'public page can-reassign-items: a receiver needs membership of the groups the items are shared with',
    may: leaving(
      'not-tested',
      ['{reassign-items,protocol,profile}/*'],
      /^no fixture "eligibleUser": canReassignItems says that users with the privileges of receivers cannot/,
    ),
    alter: wrapping(
      'eligible',
      (honest) => (target) =>
        honest(target) && (target.role === 'administrator' || target.privileges.has('portal:user:joinGroup')),
    ),
  },
  'ids-of-any-character': {
    sentence: 'Ids hold spaces, percent signs and letters beyond ASCII.',
    because: '§2: ids are strings of no shown form',
    alter: wrapping('newId', (honest) => (kind) => `${honest(kind)} 5%25 é`),
  },
  'pages-of-a-gateway': {
    sentence:
      'Every fortieth administrative request is done, and answered with a page of HTML under HTTP 200.',
    because: 'gateways answer with pages of their own, under HTTP 200 in public reports',
    alter: remembering(
      () => everyNth(40),
      (isFortieth) => having({ answered: (_, answer) => (isFortieth() ? gatewayPage : answer) }),
    ),
  },
  'tasks-begin-when-enabled': {
    sentence: 'A new task is not active until it is enabled.',
    because: 'public pages document enable and disable of a task',
    alter: having({
      answered: (route, answer, { store }) => {
        const { taskId } = answer.body as { readonly taskId?: string }
        const { schedule } = store.tasks.get(route.endsWith('/createTask') ? String(taskId) : '') ?? {}
        if (schedule !== undefined) schedule.active = false
        return answer
      },
    }),
  },
  'recycle-bin': {
    sentence:
      'Items are deleted one by one, and go to a recycle bin unless the client asks for a permanent delete.',
    because: 'public page delete-item: a recycle bin since June 2024',
    alter: all(having({ hasRecycleBin: true }), forbids(/\/deleteItems$/)),
  },
  'files-known-by-their-endings': {
    sentence: 'An invitation is taken from a .invite or .invitation file, its answer from a .response file.',
    because: 'clients save .invite and .response files, and public pages show them',
    alter: failing('unknown-invitation', () => (route, { files }) => {
      const ending = fileEndings.find(([operation]) => route.endsWith(operation))?.[1]
      const [file] = files.values()
      return ending !== undefined && !ending.test(file?.filename ?? '')
    }),
  },
  'config-needed': {
    sentence: 'A collaboration is created only with a config that is a JSON object.',
    because: 'clients send {} as config',
    alter: failing(
      'bad-value',
      () =>
        (route, { form }) =>
          route.endsWith('/createCollaboration') && !form.get('config')?.startsWith('{'),
    ),
  },
  'descriptions-needed': {
    sentence: 'A workspace needs a description.',
    because: 'the portal page and clients always send a description',
    alter: refuseWhen(
      'add-workspace',
      'missing-parameter',
      ({ form }) => form.get('collaborationWorkspaceDescription') === '',
    ),
  },
  'new-member-defaults': {
    sentence:
      'A new user gets the user type of the defaults for new members, which allows no other role, unless applyDefaults is false.',
    because: 'public page create-user, 11.5: applyDefaults',
    alter: failing('forbidden', () => {
      const viewers = new Set<string | undefined>()
      return (route, { form }) => {
        if (route.endsWith('/createUser') && form.get('applyDefaults') !== 'false')
          viewers.add(form.get('username'))
        return route.endsWith('/updateUserRole') && viewers.has(form.get('user'))
      }
    }),
  },
})
