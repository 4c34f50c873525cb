/** `--only peers`: the same portal and the same faults for other tools that are installed here, and for our suite. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { faults } from '../../reference/faults/index.ts'
import { type Figure, ratios } from '../figure.ts'
import type { Measuring } from '../measuring.ts'
import { dredd } from './dredd.ts'
import { faultSample } from './fault-sample.ts'
import { type FaultOutcome, faultsFound } from './faults-found.ts'
import { findPeer } from './find-peer.ts'
import { ourSuite } from './our-suite.ts'
import type { Peer } from './peer.ts'
import { portman } from './portman.ts'
import type { Contestant } from './round.ts'
import { schemathesis } from './schemathesis.ts'
import { measureSpeeds, type Speeds } from './speeds.ts'
import { stepCi } from './step-ci.ts'
import { runTool } from './tool-process.ts'

const peers: readonly Peer[] = [schemathesis, dredd, stepCi, portman]

/** Tools that are not installed are left out, with the reason as a note. All outcomes go into `peers.json` as well. */
export async function comparePeers(measuring: Measuring): Promise<Figure[]> {
  const { report } = measuring
  const sample = faultSample(faults)
  const taking = await contestants(measuring)
  const speeds = await measureSpeeds(taking, measuring)
  const ours = speeds[0] as Speeds
  const figures: Figure[] = []
  const told: object[] = []
  for (const [at, contestant] of taking.entries()) {
    const measured = speeds[at] as Speeds
    const outcomes = await faultsFound(contestant, { faults: sample, ...measured }, measuring)
    figures.push(...figuresOf(contestant.peer, { measured, ours, outcomes }))
    told.push({ name: contestant.peer.name, version: contestant.version, ...measured, outcomes })
    // After each: a long measurement that is interrupted keeps what it has.
    await writeFile(join(report, 'peers.json'), `${JSON.stringify(told, null, 2)}\n`)
  }
  return figures
}

async function contestants({
  folder,
  note,
}: Measuring): Promise<(Contestant & { readonly version: string })[]> {
  const found = [{ peer: ourSuite as Peer, program: ourSuite.program, version: suiteVersion }]
  for (const peer of peers) {
    const place = findPeer(peer, process.env)
    if ('reason' in place) note(`${peer.name} is left out: ${place.reason}`)
    else found.push({ peer, program: [place.program], version: await versionOf(place.program, folder) })
  }
  return found
}

async function versionOf(program: string, folder: string): Promise<string> {
  const { output } = await runTool([program, '--version'], folder)
  return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? 'unknown'
}

interface Told {
  readonly measured: Speeds
  readonly ours: Speeds
  readonly outcomes: readonly FaultOutcome[]
}

function figuresOf({ name, sends }: Peer, { measured, ours, outcomes }: Told): Figure[] {
  const figure = (what: string, unit: Figure['unit'], values: readonly number[]): Figure => ({
    id: 'peers',
    name: `${name}: ${what}`,
    unit,
    values,
  })
  const { healthy, rates } = measured
  const rateOf = (speeds: Speeds) => speeds.rates.map((run) => run.requestsPerSecond)
  const startOf = (speeds: Speeds) => speeds.healthy.map((run) => run.startMs)
  const peaks = rates.map((run) => run.peakBytes / 2 ** 20)
  const exact = outcomes.filter((outcome) => outcome.exact === true).length
  return [
    figure('process start to the first request', 'ms', startOf(measured)),
    figure('the same over ours', 'ratio', ratios(startOf(measured), startOf(ours))),
    figure('requests a second', 'requests/s', rateOf(measured)),
    figure('the same over ours', 'ratio', ratios(rateOf(measured), rateOf(ours))),
    figure(
      'requests sent for that',
      'requests',
      rates.map((run) => run.requests),
    ),
    ...(Math.max(...peaks) === 0 ? [] : [figure('peak memory', 'MB', peaks)]),
    figure(
      'requests sent for a fault',
      'requests',
      healthy.map((run) => run.requests),
    ),
    figure(
      'complaints on the healthy portal',
      'count',
      healthy.map((run) => run.complaints.length),
    ),
    figure(`faults found, of ${outcomes.length}`, 'count', [outcomes.filter(({ found }) => found).length]),
    ...(sends === 'suite' ? [figure('of these blamed exactly', 'count', [exact])] : []),
  ]
}
