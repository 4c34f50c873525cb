/** What checks share, so that fixtures go further: exchanges that were accepted, and fixtures that nothing has spent. */
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { Lanes } from './lanes.ts'
import { remembered } from './remembered.ts'

/** So many cases of generated checks for each fixture that callers take turns on. */
const runsForEach = 25

/** How many fixtures checks of such a run share before they wait for each other. */
export function sharedOf({ run: { runs }, fixtures }: Pick<Configuration, 'run' | 'fixtures'>): {
  readonly collaborations: number
  readonly workspaces: number
} {
  const listed = fixtures !== undefined && 'static' in fixtures ? fixtures.static : undefined
  // Of a short list most are for the checks that delete them.
  const sparing = listed === undefined ? 12 : Math.max(1, Math.floor((listed.collaboration?.length ?? 0) / 6))
  return {
    collaborations: Math.min(sparing, 2 + Math.ceil(runs / 5)),
    workspaces: Math.max(2, Math.min(24, Math.ceil(runs * 0.3))),
  }
}

interface Turns {
  readonly lanes: Lanes
  /** Those that nobody uses now. */
  readonly free: unknown[]
}

/** What the attempts of a run share. */
export class Sharing {
  readonly made = new Map<string, Promise<unknown>>()
  readonly #turns = new Map<string, Turns>()
  readonly #atOnce: number
  readonly #attempted = new Set<string>()

  /** `runs`: cases of a generated check; the more there are, the more fixtures are tried at once. */
  constructor(runs: number) {
    this.#atOnce = Math.ceil(runs / runsForEach)
  }

  /** Whether there was an attempt at that check before this one, which counts from now on. */
  hadAttempt(check: string): boolean {
    const had = this.#attempted.has(check)
    this.#attempted.add(check)
    return had
  }

  turnsOf(key: string, most?: number): Turns {
    return remembered(this.#turns, key, () => ({ lanes: new Lanes(most ?? this.#atOnce), free: [] }))
  }
}

/**
 * The part of one attempt in what is shared. What goes wrong on something that others have had is tried again `alone`:
 * then nothing is shared, so that nobody is blamed for what another check, or an earlier attempt, has done.
 */
export class Shares {
  readonly alone: boolean
  readonly #all: Sharing
  readonly #shared: (() => boolean)[] = []

  constructor(all: Sharing, { alone }: { readonly alone: boolean }) {
    this.#all = all
    this.alone = alone
  }

  /** Whether the attempt has used what others had used before it, or have used since. */
  get secondHand(): boolean {
    return this.#shared.some((isShared) => isShared())
  }

  /** To be called where it uses what others may be given as well, now or later. */
  mayShare(isShared: () => boolean): void {
    this.#shared.push(isShared)
  }

  /** To be called where it uses such a thing by other ways. */
  tookSecondHand(): void {
    this.mayShare(() => true)
  }

  /** Made by the first who asks, for all who ask; what does not hold is not passed on, and made anew by the next. */
  async once<T>(
    key: string,
    make: () => Promise<T>,
    holds: (made: T) => boolean,
  ): Promise<{ readonly made: T; readonly byOthers: boolean }> {
    if (this.alone) return { made: await make(), byOthers: false }
    const asked = this.#all.made.get(key) as Promise<T> | undefined
    if (asked !== undefined) {
      const before = await asked.catch(() => undefined)
      if (before !== undefined && holds(before)) {
        this.tookSecondHand()
        return { made: before, byOthers: true }
      }
    }
    const making = make()
    this.#all.made.set(key, making)
    return { made: await making, byOthers: false }
  }

  /** Uses something that only one may use at a time, and that goes to the next unless it is spent or `use` rejects. `most`: of so many, one each. */
  async inTurn<T, R>(
    key: string,
    draw: () => Promise<T>,
    use: (drawn: T) => Promise<R>,
    isSpent: (result: R) => boolean,
    most?: number,
  ): Promise<R> {
    if (this.alone) return use(await draw())
    const { lanes, free } = this.#all.turnsOf(key, most)
    return lanes.run(async () => {
      if (free.length > 0) this.tookSecondHand()
      const drawn = free.length > 0 ? (free.pop() as T) : await draw()
      const result = await use(drawn)
      if (!isSpent(result)) free.push(drawn)
      return result
    })
  }
}
