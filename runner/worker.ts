/** The worker thread in which the checks run: Vitest's part of it, and the suite, loaded before Vitest asks for it. */
import { parentPort } from 'node:worker_threads'
import { init, runBaseTests, setupEnvironment } from 'vitest/worker'

const port = parentPort
if (port === null) throw new Error('suites/worker runs as a worker thread only')

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
import('./preload.ts').catch(() => undefined)
