import { describe, expect, it } from 'vitest'
import { hostileTargets } from '../parts/hostile.ts'
import { problemsOf, runAgainst } from './command-run.ts'

/** Quick ones of several families; the whole list is tried by the selftest command. */
const quick = ['redirect-with-body', 'shorter-than-announced', 'certificate-of-another-host', 'fixtures-fail']

/** Bounds of time and memory are judged by the selftest command, where nothing else runs beside. */
const elsewhere = /^took /

describe('the command against a hostile target', () => {
  it.each(quick)('%s', async (id) => {
    const target = hostileTargets.find((each) => each.id === id)
    if (target === undefined) throw new Error(`no target ${id}`)
    const run = await runAgainst(target, { seed: 3, runs: 2 })
    expect(problemsOf(target.expect, run).filter((problem) => !elsewhere.test(problem))).toEqual([])
  })
})
