/** Judges of "update SAML federation" (§4.7). */

import { show } from '../schemas/wording.ts'
import { isUrl } from '../specs/paths.ts'
import { refusesParameter } from './callers.ts'
import { accepted, acceptedWhere, answerInWords, type JudgesOf, type Look, withMemory } from './clause.ts'
import { credentialOf, type Exchange } from './exchange.ts'
import { mostExchanges, Recent } from './recent.ts'

export const updateFederationJudges: JudgesOf<'update-federation'> = {
  'update-federation/groups-array': withMemory(groupsArray),
  'update-federation/sign-up-mode': acceptedWhere(({ value }) => value('signUpMode') === 'Automatic'),
  'update-federation/user-type': acceptedWhere(({ value }) => value('userType') === 'platformonly'),
  'update-federation/certificate': accepted(({ value }) => {
    const text = value('certificate') ?? ''
    if (text === '') return undefined
    return ['+', '/'].every((character) => text.includes(character)) ? 'kept' : 'in part'
  }),
  'update-federation/idempotent': withMemory(idempotent),
  'update-federation/bad-input': refusesParameter((exchange) => {
    const parameter = badInput(exchange)
    if (parameter === undefined) return undefined
    const actual = `${answerInWords(exchange)}; ${parameter}: ${show(exchange.value(parameter))}`
    return { parameter, message: `an invalid ${parameter} was accepted`, actual }
  }),
}

/** Accepted both with one group and with several, separated by commas or as a JSON array. */
function groupsArray(): Look {
  const shown = new Set<'one' | 'several'>()
  return ({ accepted, asked }) => {
    const { groups = '' } = asked
    const ids = Array.isArray(groups) ? groups : String(groups).split(',')
    if (accepted === undefined || ids.length === 0 || ids[0] === '') return undefined
    shown.add(ids.length === 1 ? 'one' : 'several')
    return shown.size === 2 ? 'kept' : undefined
  }
}

/** The same caller sent the same settings twice in a row, and both were accepted. */
function idempotent(): Look {
  const last = new Recent<string>(mostExchanges)
  return (exchange) => {
    const { accepted, asked, baseUrl, path } = exchange
    if (accepted === undefined) return undefined
    const federation = JSON.stringify([baseUrl, path])
    const settings = JSON.stringify([credentialOf(exchange), asked])
    const again = last.get(federation) === settings
    last.set(federation, settings)
    return again ? 'kept' : undefined
  }
}

/** Tests for possible values. Markers and line breaks of a certificate are open. */
const possible: Readonly<Record<string, (text: string) => boolean>> = {
  userCreditAssignment: (text) => /^[+-]?\d+(\.0+)?$/.test(text.trim()),
  discoveryServiceUrl: (text) => isUrl(text),
  metadataServiceUrl: (text) => isUrl(text),
  certificate: (text) => /^[\w+/=\s-]*$/.test(text.replace(/-----[^-]*-----/g, '')),
}

/** The first parameter with an impossible value. */
function badInput({ value, recorded }: Exchange): string | undefined {
  if (!recorded.form.exact) return undefined
  for (const name in possible) {
    const text = value(name) ?? ''
    if (text !== '' && !possible[name]?.(text)) return name
  }
  return undefined
}
