/** Things that are made ahead, side by side, and handed out one by one. */
export class Stock<Thing> {
  readonly #make: () => Promise<Thing>
  readonly #ready: Promise<Thing>[] = []

  constructor(make: () => Promise<Thing>) {
    this.#make = make
  }

  /** Makes so many; resolves when all are there or one could not be made, which shows when it is taken. */
  async ahead(count: number, made: () => void): Promise<void> {
    const all = Array.from({ length: count }, () => this.#make())
    for (const each of all) {
      each.catch(() => undefined)
      this.#ready.push(each)
    }
    await Promise.allSettled(all.map((each) => each.then(made)))
  }

  /** One of those made ahead, or else a new one. */
  async take(): Promise<Thing> {
    for (;;) {
      const ready = this.#ready.shift()
      if (ready === undefined) return this.#make()
      const [ended] = await Promise.allSettled([ready])
      if (ended.status === 'fulfilled') return ended.value
    }
  }
}
