/** §4.7 Update SAML federation. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { inDomain } from '../../runner/cases/realistic.ts'
import { suite } from '../../runner/check.ts'
import type { RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { inTurn } from '../../runner/context/unknown.ts'
import { NotApplicable } from '../../runner/findings.ts'
import { curveCertificates, plainCertificate, usualCertificates } from '../../specs/certificates.ts'

const check = suite({ actors: ['organizationAdministrator'], fixtures: ['federation', 'group'] })

type Context = CheckContext<'organizationAdministrator', 'federation' | 'group'>

/** Updates of one federation, each with all that the contract does not mark optional. */
async function updating(context: Context) {
  const { fresh, send } = context.target('update-federation')
  // Drawn ahead: meanwhile others are given a group that serves all.
  await fresh()
  return send
}

/** Settings as federations have them: names in any script, addresses with a port and a query, a URN as entity ID, no credits or many. */
const usual: readonly Readonly<Record<string, string | number>>[] = [
  { name: 'Föderation der Hochschulen & Museen' },
  { discoveryServiceUrl: 'https://example.org:8443/ds?entityID=https%3A%2F%2Fsp.example.org&lang=de' },
  { metadataServiceUrl: 'https://example.org/aggregate.xml?category=all&signed=1' },
  { entityId: 'urn:mace:example.org:portal' },
  { name: 'Федерация 大学' },
  { userCreditAssignment: 0 },
  { userCreditAssignment: 5000 },
  { name: 'Identity federation of the universities and research institutes of the northern regions' },
  {
    metadataServiceUrl:
      'https://example.org/federations/northern-regions/universities-and-research-institutes/aggregates/all-providers.xml',
  },
]

/** Those of them that this deployment does not settle otherwise. */
function usualFor({ contract: { domain, federation = {} } }: Configuration): RequestFields[] {
  return usual.flatMap((settings) => {
    const [name, value] = Object.entries(settings)[0] as [string, string | number]
    return Object.hasOwn(federation, name)
      ? []
      : [{ [name]: typeof value === 'string' ? inDomain(value, domain) : value }]
  })
}

const howUpdates = {
  probe: 'generated valid requests by an organization administrator: accepted, with federationId as a string',
}
check('update-federation/updates', howUpdates, async (context) => {
  const { given, forAll, expect } = context
  const update = await updating(context)
  const { groups: _, ...whole } = await given.request('update-federation')
  await forAll(
    given.requests('update-federation', { text: 'ordinary' }),
    async (request) => {
      const answer = await update(request)
      expect(answer).toBeAccepted(JSON.stringify(request))
      expect(answer).toKeep('update-federation/updates')
    },
    {
      cases: 'some',
      examples: usualFor(context.configuration).map((settings) => ({ ...whole, ...settings })),
    },
  )
})

const identifier = { probe: 'two federations at the same moment: federationId is that of the path' }
check('update-federation/identifier', identifier, async (context) => {
  const { given, forAll, control, expect } = context
  const update = await updating(context)
  await forAll(
    given.requests('update-federation', { text: 'ordinary' }),
    async (request) => {
      const answer = await update(request)
      control(answer, 'a generated valid request')
      expect(answer).toKeep('update-federation/identifier')
    },
    { cases: 'few' },
  )
})

check(
  'update-federation/identifier:together',
  { title: 'Each of two answers at the same moment names the federation of its own path.' },
  async ({ as, given, forAll, control, expect }) => {
    const [one, other] = await given.different('federation', 2, { least: 1 })
    // An organization may well have one login only.
    if (one === undefined || other === undefined)
      throw new NotApplicable('there is one federation: its id is the only one')
    const federations = [one, other]
    await forAll(
      given.requests('update-federation', { text: 'ordinary' }),
      async (request) => {
        const updates = await Promise.all(
          federations.map(async (at) => [at, await given.settingsFor(at, request)] as const),
        )
        const answers = await Promise.all(
          updates.map(([at, own]) => as.organizationAdministrator('update-federation', at, own)),
        )
        for (const answer of answers) {
          control(answer, 'a generated valid request')
          expect(answer).toKeep('update-federation/identifier')
        }
      },
      { cases: 'some' },
    )
    // The very same settings for both: whether the second takes them is open.
    const same = await given.settingsFor(one, await given.request('update-federation'))
    for (const at of [one, other]) {
      const answer = await as.organizationAdministrator('update-federation', at, same)
      if (isAccepted(answer)) expect(answer).toKeep('update-federation/identifier')
    }
  },
)

const groupsArray = {
  probe: 'one, two and three ids of groups, in the notation of contract.federation.groupsNotation: accepted',
}
check('update-federation/groups-array', groupsArray, async (context) => {
  const { given, forAll, expect } = context
  const update = await updating(context)
  const { groupId } = await given.group()
  await forAll(
    given.requests('update-federation', { text: 'ordinary' }),
    async (request) => {
      expect(await update({ ...request, groups: [groupId] })).toBeAccepted('with one group', 'groups')
    },
    { cases: 'some' },
  )
})

check(
  'update-federation/groups-array:several',
  { title: 'groups with several ids is accepted.' },
  async (context) => {
    const { given, forAll, expect } = context
    const update = await updating(context)
    const known = (await given.different('group', 6, { least: 2 })).map(({ groupId }) => groupId)
    const everyGroup: [RequestFields, string[]] = [await given.request('update-federation'), known]
    const lists = fc.shuffledSubarray(known, { minLength: 2 })
    await forAll(
      fc.tuple(given.requests('update-federation', { text: 'ordinary' }), lists),
      async ([request, groups]) => {
        expect(await update({ ...request, groups })).toBeAccepted(`with ${groups.length} groups`, 'groups')
      },
      { cases: 'many', examples: [everyGroup] },
    )
  },
)

/** Each of the values once, with a request of its own. */
const eachWithOne = (
  values: readonly string[],
  valid: fc.Arbitrary<RequestFields>,
  seed: number,
): [RequestFields, string][] =>
  fc.sample(valid, { seed, numRuns: values.length }).map((request, at) => [request, values[at] as string])

for (const [id, field, list, usual] of [
  ['update-federation/sign-up-mode', 'signUpMode', 'signUpModes', 'Automatic'],
  ['update-federation/user-type', 'userType', 'userTypes', 'platformonly'],
] as const) {
  const probe = `each value of contract.federation.${list}, or ${usual}: accepted`
  check(id, { probe }, async (context) => {
    const { given, forAll, expect, configuration } = context
    const update = await updating(context)
    const values = configuration.contract.federation?.[list] ?? [usual]
    // Of settings that differ: whether the same ones are taken twice in a row is another rule.
    const valid = given.requests('update-federation', { text: 'ordinary' })
    const examples = eachWithOne(values, valid, configuration.run.seed)
    await forAll(
      fc.tuple(valid, fc.constantFrom(...values)),
      async ([request, value]) => {
        expect(await update({ ...request, [field]: value })).toBeAccepted(`${field}: ${value}`, field)
      },
      { cases: 'some', examples },
    )
  })
}

const certificate = {
  probe:
    'self-signed certificates of RSA keys of 2048, 3072 and 4096 bits, whose Base64 text in one line has plus signs, slashes and every padding: accepted. Line breaks and elliptic curves are open, and only observed',
}
check('update-federation/certificate', certificate, async (context) => {
  const { given, forAll, expect, configuration } = context
  const update = await updating(context)
  const valid = given.requests('update-federation', { text: 'ordinary' })
  const examples = eachWithOne(usualCertificates, valid, configuration.run.seed)
  await forAll(
    fc.tuple(valid, fc.constantFrom(...usualCertificates)),
    async ([request, certificate]) => {
      expect(await update({ ...request, certificate })).toBeAccepted(
        `certificate: ${certificate}`,
        'certificate',
      )
    },
    { cases: 'some', examples },
  )
  await context.openPoints.aside(() => observeCertificates(context, update))
})

/** Line breaks in the Base64 text, and keys that are not RSA. */
async function observeCertificates(
  { given, openPoints }: Context,
  update: (request: RequestFields) => Promise<Answer>,
): Promise<void> {
  const request = await given.request('update-federation')
  const broken = (lineBreak: string) => plainCertificate.replace(/(.{64})(?=.)/g, `$1${lineBreak}`)
  for (const [what, certificate] of [
    ['lines of 64 characters', broken('\n')],
    ['lines that end with carriage return and line feed', broken('\r\n')],
    ['a key on the curve P-256', curveCertificates[0]],
    ['a key on the curve P-384', curveCertificates[1]],
  ] as const) {
    const accepted = isAccepted(await update({ ...request, certificate }))
    openPoints.observe('certificate-text', `${what}: ${accepted ? 'accepted' : 'refused'}`)
  }
}

/** So often each update is sent again. */
const repetitions = 3

const idempotent = {
  control: 'an update',
  probe: 'the same update again, three times, with none of its own in between: accepted',
}
check('update-federation/idempotent', idempotent, async (context) => {
  const { given, forAll, control, expect } = context
  const update = await updating(context)
  await forAll(
    given.requests('update-federation', { text: 'ordinary' }),
    async (request) => {
      const first = await update(request)
      control(first)
      // Other checks update it as well: what one of them does in between would hide what comes of a repetition.
      for (let time = 0; time < repetitions; time += 1)
        expect(await update(request, { urgent: true }), first).toBeAccepted('the same settings again')
    },
    { cases: 'few', width: 1 },
  )
})

check(
  'update-federation/unknown-federation',
  {
    control: 'the request with the known id',
    probe:
      'the same request with the id of a federation that is not there, and with the known one that ends otherwise: refused',
  },
  async ({ as, given, forAll, control, expect }) => {
    const { federationId } = await given.federation()
    await forAll(
      given.requests('update-federation', { text: 'ordinary' }),
      async (request, number) => {
        const whole = await given.settingsFor({ federationId }, request)
        control(await as.organizationAdministrator('update-federation', { federationId }, whole))
        // Each that is like it goes first once: right after what was accepted.
        const alike = inTurn(given.ids.alikeInPart(federationId), number, 2)
        for (const unknown of [...alike, given.ids.nobodysLike(federationId)])
          expect(
            await as.organizationAdministrator('update-federation', { federationId: unknown }, whole),
          ).toBeRefused()
      },
      { cases: 'few' },
    )
  },
)

const badInput = {
  control: 'the request as it is',
  probe:
    'the same request with a text that is no URL, no number of credits or no Base64, each by itself: refused',
}
check('update-federation/bad-input', badInput, async (context) => {
  const { given, control, expect } = context
  const update = await updating(context)
  const request = await given.request('update-federation')
  const before = await update(request)
  control(before)
  for (const bad of [
    { discoveryServiceUrl: 'no URL' },
    { metadataServiceUrl: 'no URL' },
    { userCreditAssignment: 'many' },
    { userCreditAssignment: '12abc' },
    { certificate: '*** no Base64 ***' },
  ]) {
    expect(await update({ ...request, ...bad }), before).toKeep('update-federation/bad-input')
  }
  control(await update({ ...request, name: `${request.name} 2` }), 'a valid request after bad ones')
})
