/** Loads a profile by its name or file, with all that it extends. */
import { resolve } from 'node:path'
import { closest } from 'fastest-levenshtein'
import { issuesOf } from '../../schemas/validators.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { openPoints } from '../../specs/open-points.ts'
import { closablePoints, type Profile, type ProfilePoint, profileOf, profiles } from '../../specs/profile.ts'
import type { Authentication, ProfileInUse, Settlements } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { readSource } from './configuration-source.ts'
import { parseDuration } from './duration.ts'

/** A profile merged with everything that it extends. */
export type WholeProfile = Profile & Required<Pick<Profile, 'points' | 'errors'>>

const none = 'none'

/** Whether the name of a profile is the path of a file. */
const isPath = (name: string): boolean => /[/\\]|\.(?:ya?ml|json)$/i.test(name)

/**
 * The profile of that name, or in that file, relative to the folder; undefined for `none`.
 * Throws a ConfigurationError that says what is wrong, and in which file.
 */
export function loadProfile(name: string, folder: string): WholeProfile | undefined {
  return name === none ? undefined : load(name, folder, [])
}

/** How requests carry credentials: as the configuration says, or else its profile. `defaults`: with neither. */
export const authenticationOf = (
  defaults: Authentication,
  profile: WholeProfile | undefined,
  written: Partial<Authentication> | undefined,
): Authentication => ({ ...defaults, ...profile?.authentication, ...written })

function load(name: string, folder: string, through: readonly string[]): WholeProfile {
  const key = isPath(name) ? resolve(folder, name) : name
  if (through.includes(key)) {
    throw new ConfigurationError([`${key}: extends itself: ${[...through, key].join(' extends ')}`])
  }
  const { profile, at } = isPath(name) ? readProfile(key) : { profile: builtIn(name), at: folder }
  const below = profile.extends === undefined ? undefined : load(profile.extends, at, [...through, key])
  return below === undefined ? whole(profile) : merged(below, profile)
}

function builtIn(name: string): Profile {
  const profile = profileOf(name)
  if (profile !== undefined) return profile
  const known = [none, ...profiles.map((each) => each.name)]
  throw new ConfigurationError([
    `there is no profile "${name}"; did you mean ${closest(name, known)}? Known are ${known.join(', ')}; a file is named by its path, such as ./${name}.yaml`,
  ])
}

function readProfile(file: string): { profile: Profile; at: string } {
  const document = readSource({ file })
  const problems = issuesOf('profile', document.value).map(
    ({ path, message }) => `${document.placeOf(path).name}: ${message}`,
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
  const profile = document.value as Profile
  const wrong = (profile.points ?? []).flatMap((point, index) => {
    const problem = problemOf(point)
    return problem === undefined ? [] : [`${document.placeOf(`points[${index}]`).name}: ${problem}`]
  })
  if (wrong.length > 0) throw new ConfigurationError(wrong)
  return { profile, at: document.folder }
}

function problemOf({ point, effect }: ProfilePoint): string | undefined {
  const known = openPoints.map(({ id }) => id as string)
  if (!known.includes(point)) {
    return `there is no open point "${point}"; did you mean ${closest(point, known)}? Known are ${known.join(', ')}`
  }
  if (effect === 'closes' && !closablePoints.some((closable) => closable === point)) {
    return `${point} cannot be closed; what can are ${closablePoints.join(', ')}`
  }
  return undefined
}

const whole = (profile: Profile): WholeProfile => ({ points: [], errors: {}, ...profile })

/** A profile wins over what it extends: value by value, point by point. */
function merged(below: WholeProfile, above: Profile): WholeProfile {
  const points = new Map([...below.points, ...(above.points ?? [])].map((point) => [point.point, point]))
  return {
    ...below,
    ...above,
    authentication: { ...below.authentication, ...above.authentication },
    contract: {
      ...below.contract,
      ...above.contract,
      federation: { ...below.contract?.federation, ...above.contract?.federation },
    },
    points: [...points.values()],
    shapes: [...(above.shapes ?? []), ...(below.shapes ?? [])],
    errors: { ...below.errors, ...above.errors },
    durations: { ...below.durations, ...above.durations },
  }
}

/** The profile as a run uses it. */
export const inUse = ({ durations = {}, ...profile }: WholeProfile): ProfileInUse => {
  const { name, points, errors, reads, jsonFormats, shapes } = profile
  return withoutUndefined({
    name,
    points,
    errors,
    reads,
    jsonFormats,
    shapes,
    longestMs: longestIn(durations),
  })
}

function longestIn(durations: NonNullable<Profile['durations']>): ProfileInUse['longestMs'] {
  const longest = Object.entries(durations).map(([what, { upTo }]) => [what, parseDuration(upTo) as number])
  return longest.length === 0 ? undefined : Object.fromEntries(longest)
}

/** The settled points of a run. The configuration wins over the profile, value by value. */
export function settledBy(profile: WholeProfile | undefined, given: Settlements = {}): Settlements {
  const { contract = {}, points = [] } = profile ?? {}
  const closed = points.some(({ point, effect }) => point === 'run-statuses' && effect === 'closes')
  const run = given.run ?? (contract.run && closed ? { ...contract.run, closed } : contract.run)
  const federation = { ...contract.federation, ...given.federation }
  return withoutUndefined({
    ...contract,
    ...given,
    run,
    federation: Object.keys(federation).length === 0 ? undefined : federation,
  })
}
