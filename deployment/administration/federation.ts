/** A federation where the organization has no enterprise login. */
import { enclosed, pemMarkers, plainCertificate } from '../../specs/certificates.ts'
import { type Administrator, type Body, ifRefused } from './administrator.ts'
import { textIn, type Workshop } from './workshop.ts'

export const federationPath = '/portals/self/idp/federation'

export const loginsConfigured = 'enterprise logins are configured already'

/** Whether anything is configured that a new federation would get into the way of. */
export async function hasLogins(host: Administrator): Promise<boolean> {
  const found = await Promise.all(
    [federationPath, '/portals/self/idp'].map(async (path) => {
      const { id } = await ifRefused(host.read(path), (): Body => ({}))
      return typeof id === 'string' && id !== ''
    }),
  )
  return found.includes(true)
}

/** Registers one under addresses that lead nowhere, or that the configuration settles. Its id. */
export async function makeFederation(workshop: Workshop): Promise<string> {
  const { host } = workshop
  const { domain = 'example.com', federation = {} } = workshop.configuration.contract
  // One name only: where the answer was lost, the organization has it already.
  const name = workshop.name('federation')
  const register = async (markers = federation.certificateMarkers): Promise<string> => {
    const answer = await host.perform(`${federationPath}/register`, {
      name,
      discoveryServiceUrl: federation.discoveryServiceUrl ?? `https://federation.${domain}/discovery`,
      metadataServiceUrl: federation.metadataServiceUrl ?? `https://federation.${domain}/metadata`,
      certificate: enclosed(plainCertificate, markers),
      entityId: federation.entityId ?? `urn:example:${workshop.stamp}`,
      userCreditAssignment: '-1',
      signUpMode: 'Invitation',
    })
    if (typeof answer.federationId === 'string') return answer.federationId
    return textIn(await host.read(federationPath), 'register', 'id')
  }
  return workshop.makeAs('federation', name, () =>
    ifRefused(register(), async () => {
      const there = await host.read(federationPath)
      if (there.name === name) return textIn(there, 'register', 'id')
      // Whether a certificate stands between markers is open.
      return register(federation.certificateMarkers ?? pemMarkers)
    }),
  )
}
