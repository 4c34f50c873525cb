/** What `doctor` found out, as text for a terminal. */
import { type Page, writeAdditions } from '../../reporters/terminal/report.ts'
import { Sheet } from '../../reporters/terminal/sheet.ts'
import type { Format } from '../../reporters/terminal/style.ts'
import type { Credential, Examination, Fixtures } from './examination.ts'
import { needLines, untestedFor } from './fixture-needs.ts'
import type { BaseAnswers } from './latency.ts'
import { roughly } from './run-estimate.ts'
import { inShort } from './what-is-made.ts'

type Sign = '✓' | '✗' | '!' | '?' | '–'

const formats: Record<Sign, Format> = { '✓': 'green', '✗': 'red', '!': 'yellow', '?': 'magenta', '–': 'cyan' }

/** The whole text, ending in a line end. Nothing that a target sent can act on a terminal. */
export function doctorReport(found: Examination, { width, paint }: Page): string {
  const sheet = new Sheet(width, paint)
  const { findings, listed } = found.fixtures
  const made = findings !== undefined && listed === undefined
  const but = made ? ', but for what the fixture provider made and was asked to remove' : ''
  sheet.text(0, `${found.baseUrl}: looked at; nothing was changed there${but}.`)
  const say = (sign: Sign, text: string) => sheet.labelled(2, { text: sign, format: formats[sign] }, text)
  const part = (title: string) => {
    sheet.gap()
    sheet.text(0, title, 'bold')
  }
  part('Target')
  writeTarget(found, say)
  part('Credentials')
  writeCredentials(found, say)
  part('Fixtures')
  writeFixtures(found.fixtures, say)
  part('Effects')
  const { allowed, notAllowed, deletion } = found.effects
  if (allowed.length > 0) say('✓', `a run may perform ${allowed.join(', ')}`)
  if (notAllowed.length > 0) say('–', `it may not perform ${notAllowed.join(', ')}: not listed in effects`)
  if (deletion !== undefined) say('!', deletion)
  part('Length of a run')
  writeEstimate(found, say)
  writeAdditions(sheet, found.add)
  sheet.gap()
  sheet.text(0, conclusion(found), found.outcome === 'ready' ? 'green' : 'red')
  return sheet.toString()
}

type Say = (sign: Sign, text: string) => void

function writeTarget({ base, version }: Examination, say: Say): void {
  say('✓', `reached${latencyOf(base)}`)
  const { release } = base
  if (release === undefined) {
    say('–', `it does not say which release it is; the configuration says ${version ?? 'nothing either'}`)
  } else if (version === undefined) {
    say('!', `it says that it is release ${release}; with target.version, later operations are left out`)
  } else {
    say(
      release === version ? '✓' : '!',
      `it says that it is release ${release}; target.version is ${version}`,
    )
  }
}

const latencyOf = ({ latency }: BaseAnswers): string =>
  latency === undefined
    ? '; but no complete answer came to time'
    : `; ${latency.answers} answers one after the other: median ${latency.medianMs} ms, longest ${latency.largestMs} ms`

const credentialSigns: Record<Credential['outcome'], Sign> = {
  works: '✓',
  made: '✓',
  'not-tried': '?',
  broken: '✗',
}

function writeCredentials({ credentials, notOffered }: Examination, say: Say): void {
  const having = (outcome: Credential['outcome']) => credentials.filter((each) => each.outcome === outcome)
  for (const { actor, reason, outcome } of [...having('broken'), ...having('works')])
    say(credentialSigns[outcome], `${actor}: ${reason ?? 'its credential works'}`)
  const toBeMade = having('made').map(({ actor }) => actor)
  if (toBeMade.length > 0) say('✓', `${toBeMade.join(', ')}: the run makes them`)
  const untried = having('not-tried').map(({ actor }) => actor)
  if (untried.length > 0) {
    const how =
      'authentication.check names a page that only a valid credential can see (a profile may name it, too)'
    say(credentialSigns['not-tried'], `${untried.join(', ')}: there, but not tried; ${how}`)
  }
  if (notOffered.length > 0) say('–', `not offered: ${notOffered.join(', ')}`)
}

function writeFixtures({ source, listed, findings, needs, used, made }: Fixtures, say: Say): void {
  for (const line of made ?? []) say(/^(?:no|nothing)\b/.test(line) ? '–' : '✓', line)
  if (source === 'none') say('–', 'none are configured, so that hardly anything can be tested')
  if (listed !== undefined) {
    const kinds = Object.entries(listed).map(([kind, count]) => `${kind} (${count})`)
    say(
      kinds.length === 0 ? '–' : '✓',
      `lists in the configuration: ${kinds.length === 0 ? 'all empty' : kinds.join(', ')}`,
    )
  } else if (source !== 'none' && source !== 'administration' && findings === undefined) {
    say(
      '?',
      `from fixtures.${source}: not asked; doctor --fixtures asks for one of each kind and has them removed`,
    )
  }
  const signs = { passed: '✓', warned: '!', failed: '✗', 'not-offered': '–' } as const
  for (const { kind, outcome, detail } of findings ?? []) say(signs[outcome], `${kind}: ${detail}`)
  if (used !== undefined) {
    const kinds = Object.entries(used.counts).map(([kind, count]) => `${kind} (${count})`)
    say(
      '!',
      `used up by earlier runs: ${kinds.join(', ')}; list others, or remove ${used.rememberedIn} where they are as they were`,
    )
  }
  const isShort = untestedFor(needs).size > 0
  for (const line of needLines(needs)) say(isShort && line.includes('left untested') ? '!' : '–', line)
}

function writeEstimate({ estimate, checks, fixtures }: Examination, say: Say): void {
  if (checks.judged === 0) {
    say('–', 'no check can be made, so that a run would send hardly anything')
    return
  }
  if (estimate === undefined) {
    say('?', 'not known, since no complete answer came to time')
    return
  }
  const { requests, durationMs } = estimate
  say(
    '✓',
    `about ${requests} requests, ${roughly(durationMs)}: an estimate from the median answer, run.runs and http`,
  )
  if (fixtures.made === undefined)
    say(
      '–',
      'without what the fixture provider takes; a target that throttles, blocks or fails makes it longer',
    )
}

function withAdministration({ requirements, estimate, fixtures }: Examination): string {
  const takes = estimate === undefined ? 'it' : `it takes about ${inWords(estimate.durationMs)} and`
  const can = `${requirements.judged} of ${requirements.all} requirements can be judged`
  return `With this, ${can}; ${takes} makes ${inShort(fixtures.made ?? [])}, and removes all of it.`
}

const inWords = (durationMs: number): string =>
  roughly(durationMs)
    .replace(/^(\d+) min$/, '$1 minutes')
    .replace(/^(\d+) s$/, '$1 seconds')

function conclusion(found: Examination): string {
  const { outcome, checks, credentials, fixtures } = found
  if (outcome === 'ready' && fixtures.made !== undefined) return withAdministration(found)
  const short = untestedFor(fixtures.needs).size > 0 || fixtures.used !== undefined
  if (outcome === 'ready' && short)
    return `Ready, but short of fixtures: about ${checks.judged} of ${checks.all} checks can be made.`
  if (outcome === 'ready') return `Ready: ${checks.judged} of ${checks.all} checks can be made.`
  const wrong = [
    ...credentials.filter((each) => each.outcome === 'broken').map(({ actor }) => `actors.${actor}`),
    ...(fixtures.findings ?? [])
      .filter((each) => each.outcome === 'failed')
      .map(({ kind }) => `fixtures: ${kind}`),
  ]
  return `Not ready: broken are ${wrong.join(', ')}. ${checks.judged} of ${checks.all} checks can be made without them.`
}
