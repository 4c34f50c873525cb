/** Registers a federation if the organization has no enterprise login. */
import { enclosed, pemMarkers, plainCertificate } from '../../specs/certificates.ts'
import { type Administrator, type Body, ifRefused } from './administrator.ts'
import { federationPath } from './kinds.ts'
import { idIn, type Maker } from './maker.ts'

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
  const { domain = 'example.com', federation = {} } = maker.configuration.contract
  const name = maker.name('federation')
  const register = async (markers = federation.certificateMarkers): Promise<string> => {
    const answer = await host.perform(`${federationPath}/register`, {
      name,
      discoveryServiceUrl: federation.discoveryServiceUrl ?? `https://federation.${domain}/discovery`,
      metadataServiceUrl: federation.metadataServiceUrl ?? `https://federation.${domain}/metadata`,
      certificate: enclosed(plainCertificate, markers),
      entityId: federation.entityId ?? `urn:example:${maker.stamp}`,
      userCreditAssignment: '-1',
      signUpMode: 'Invitation',
    })
    if (typeof answer.federationId === 'string') return answer.federationId
    return idIn(await host.read(federationPath), 'register', ['id'])
  }
  // Whether a certificate stands between markers is open.
  return maker.makeAs('federation', name, () =>
    ifRefused(register(), () => register(federation.certificateMarkers ?? pemMarkers)),
  )
}
