/** Judges of "update task run" (§4.2), "update participant information" (§4.5) and "update SAML federation" (§4.7). */
import { show } from '../schemas/wording.ts'
import { isUrl } from '../specs/paths.ts'
import { judgeRefusal, mayCall, onlyInRuns, pathExists, refusesParameter } from './callers.ts'
import {
  accepted,
  acceptedWhere,
  answerInWords,
  type Judgement,
  type JudgesOf,
  type Look,
  withMemory,
} from './clause.ts'
import { isNoAddress } from './client-issues.ts'
import { credentialOf, type Exchange } from './exchange.ts'
import type { Facts } from './facts.ts'
import { shaped } from './fields.ts'
import { mostExchanges, Recent } from './recent.ts'
import { isJudged } from './texts.ts'

export const updateTaskRunJudges: JudgesOf<'update-task-run'> = {
  'update-task-run/updates': shaped('update-task-run', {
    shows: ({ value }) => (value('status') === 'executing' ? 'kept' : 'in part'),
  }),
  'update-task-run/result-empty': acceptedWhere(({ value }) => value('result') === ''),
  'update-task-run/statuses': onlyInRuns(listedStatus),
  'update-task-run/result-text': acceptedWhere(({ value }) => isJudged(value('result') ?? '')),
}

/** If the profile lists the values of `status`, each is accepted. If the list is closed, all others are refused. */
function listedStatus(exchange: Exchange, facts: Facts): Judgement {
  const { statuses = [], closed = false } = facts.runStatuses ?? {}
  const status = exchange.value('status')
  if (statuses.length === 0 || status === undefined || !mayCall(exchange) || !pathExists(exchange, facts))
    return undefined
  if (statuses.includes(status)) return exchange.accepted && 'kept'
  if (!closed) return undefined
  const message = `the status ${show(status)}, which is not listed, was accepted`
  return judgeRefusal(exchange, facts, { message, parameter: 'status' })
}

const contact = ['contactFirstname', 'contactLastname', 'contactEmailAddress']

export const updateParticipantJudges: JudgesOf<'update-participant'> = {
  'update-participant/updates': shaped('update-participant', {
    shows: ({ has }) => (contact.every(has) ? 'kept' : 'in part'),
  }),
  'update-participant/contact-text': acceptedWhere(({ value }) =>
    contact.every((name) => isJudged(value(name) ?? '')),
  ),
  'update-participant/bad-email': refusesParameter((exchange) => {
    const address = exchange.value('contactEmailAddress') ?? ''
    if (!exchange.recorded.form.exact || address === '' || !isNoAddress(address)) return undefined
    return {
      parameter: 'contactEmailAddress',
      message: 'an invalid e-mail address was accepted',
      expected: 'a request with an invalid address is refused',
    }
  }),
}

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
