/** The worker thread in which the checks run: Vitest's part of it, and the module `workerData.preload`, loaded before Vitest asks for the suite. */
import { parentPort, workerData } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

const port = parentPort
if (port === null) throw new Error('runner/worker runs as a worker thread only')

init({
  post: (message) => port.postMessage(message),
  on: (callback) => void port.on('message', callback),
  off: (callback) => void port.off('message', callback),
  teardown: () => void port.removeAllListeners('message'),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
})

// Where it cannot be loaded, Vitest finds the same and tells it.
import(workerData.preload).catch(() => undefined)
