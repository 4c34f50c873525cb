/** The worker thread in which the checks run: Vitest's part of it, and the module `workerData.preload`, loaded before Vitest asks for the suite. */
import { parentPort, workerData } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

if (parentPort === null) throw new Error('runner/worker runs as a worker thread only')
const port = parentPort

// Suites print nothing, and what a library prints is meant for nobody.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true

/** Serves one run, and is ready for another when it is over. */
function serve(): void {
  init({
    post: (message) => port.postMessage(message),
    on: (callback) => void port.on('message', callback),
    off: (callback) => void port.off('message', callback),
    teardown: () => {
      port.removeAllListeners('message')
      serve()
    },
    runTests: (state, traces) => runBaseTests('run', state, traces),
    collectTests: (state, traces) => runBaseTests('collect', state, traces),
    setup: setupEnvironment,
  })
}
serve()

// Where it cannot be loaded, Vitest finds the same and tells it.
import(workerData.preload).catch(() => undefined)
