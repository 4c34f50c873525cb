/** Waiting with a bound. */

/** What the work resolves with, or `undefined` where that many milliseconds have passed since the signal. */
export async function untilAfter<T>(
  work: Promise<T>,
  signal: AbortSignal,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  let startClock = () => {}
  const gaveUp = new Promise<undefined>((resolve) => {
    startClock = () => {
      timer = setTimeout(resolve, milliseconds, undefined)
    }
  })
  if (signal.aborted) startClock()
  else signal.addEventListener('abort', startClock, { once: true })
  try {
    return await Promise.race([work, gaveUp])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', startClock)
  }
}
