/** Registers a federation if the organization has no enterprise login. */
import { enclosed, type Markers, pemMarkers, plainCertificate } from '../../specs/certificates.ts'
import type { Thing } from '../journal/journal.ts'
import { type Administrator, type Body, below, type Fields } from './administrator.ts'
import { federationPath } from './kinds.ts'
import { idIn, type Maker } from './maker.ts'
import { ifRefused } from './refusals.ts'

export const loginsConfigured = 'enterprise logins are configured already'

/** Whether the organization has an enterprise login that a new federation would disturb. */
export async function hasLogins(host: Administrator): Promise<boolean> {
  const pages = [federationPath, '/portals/self/idp']
  const found = await Promise.all(pages.map((path) => ifRefused(host.read(path), (): Body => ({}))))
  return found.some(({ id }) => typeof id === 'string' && id !== '')
}

/** Registers a federation with addresses that lead nowhere, or those of the configuration. Resolves with its id. */
export function makeFederation(maker: Maker): Promise<string> {
  const { host } = maker
  const name = maker.name('federation')
  return maker.makeAs('federation', name, () =>
    withMarkers(maker, async (markers) => {
      const { federationId } = await host.perform(
        `${federationPath}/register`,
        settingsFor(maker, name, markers),
      )
      if (typeof federationId === 'string') return federationId
      return idIn(await host.read(federationPath), 'register', ['id'])
    }),
  )
}

/** Marks a federation that stays as made by the run: checks gave it other names. Rejects with an AdministrationError. */
export async function markFederation(maker: Maker, { id, name = '' }: Thing): Promise<void> {
  if (!maker.configuration.effects.includes('update-federation')) return
  await withMarkers(maker, (markers) =>
    maker.host.perform(`${below(federationPath, id)}/update`, settingsFor(maker, name, markers)),
  )
}

/** Whether a certificate stands between markers is open. */
function withMarkers<T>(
  { configuration }: Maker,
  means: (markers: Markers | undefined) => Promise<T>,
): Promise<T> {
  const { certificateMarkers } = configuration.contract.federation ?? {}
  return ifRefused(means(certificateMarkers), () => means(certificateMarkers ?? pemMarkers))
}

function settingsFor({ configuration, stamp }: Maker, name: string, markers: Markers | undefined): Fields {
  const { domain = 'example.com', federation = {} } = configuration.contract
  return {
    name,
    discoveryServiceUrl: federation.discoveryServiceUrl ?? `https://federation.${domain}/discovery`,
    metadataServiceUrl: federation.metadataServiceUrl ?? `https://federation.${domain}/metadata`,
    certificate: enclosed(plainCertificate, markers),
    entityId: federation.entityId ?? `urn:example:${stamp}`,
    userCreditAssignment: '-1',
    signUpMode: 'Invitation',
  }
}
