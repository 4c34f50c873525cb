import type { Answer, Call, Parts } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'

/** Edits the enterprise login of a federation of identity providers (§4.7). */
export function updateFederation(call: Call): Answer {
  const { parts, form, store, params } = call
  const federation = store.federations.get(params.federationID as string)
  if (federation === undefined) return parts.refuse('unknown-federation')
  if (!parts.may.updateFederation(call, federation)) return refuseCaller(call)

  for (const [name, isValid] of Object.entries(settings)) {
    for (const value of form.getAll(name)) {
      if (!isValid(value, parts)) return parts.refuse('bad-setting', [`${name} is not valid.`])
    }
  }
  const known = form.pairs.filter(([name]) => name !== 'token' && name !== 'f')
  federation.settings = Object.fromEntries(known)
  return { status: 200, body: { success: true, federationId: federation.id } }
}

/** What each setting must look like. A setting that is left out is not judged. */
const settings: Record<string, (value: string, parts: Parts) => boolean> = {
  discoveryServiceUrl: isUrl,
  metadataServiceUrl: isUrl,
  certificate: isCertificate,
  userCreditAssignment: (value) => /^-?\d{1,15}$/.test(value),
  groups: isGroupList,
  signUpMode: (value, parts) => isOneOf(parts.signUpModes, value),
  userType: (value, parts) => isOneOf(parts.userTypes, value),
}

function isOneOf(values: readonly string[] | 'any', value: string): boolean {
  return values === 'any' || values.includes(value)
}

function isUrl(value: string): boolean {
  return /^https?:\/\/[^\s/?#]+(?:[/?#]\S*)?$/i.test(value) && URL.canParse(value)
}

/** Base64 with or without line breaks and the markers that certificates are kept with. */
function isCertificate(value: string): boolean {
  const text = value.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '')
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

/** The group ids of a setting: a JSON array of strings, or ids joined by commas; undefined: neither. */
export function groupIdsOf(value: string): string[] | undefined {
  if (!value.trimStart().startsWith('[')) {
    const ids = value.split(',').map((id) => id.trim())
    return ids.every((id) => /^[\w-]*$/.test(id)) ? ids : undefined
  }
  try {
    const ids: unknown = JSON.parse(value)
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined
  } catch {
    return undefined
  }
}

function isGroupList(value: string): boolean {
  return groupIdsOf(value) !== undefined
}
