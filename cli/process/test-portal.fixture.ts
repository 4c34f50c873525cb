/** Embedded portals for tests. */
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type EmbeddedPortal, type PortalOptions, startPortal } from '../../reference/portal.ts'

/** A portal that is closed after the test. */
export async function testPortal(options: PortalOptions = {}): Promise<EmbeddedPortal> {
  const portal = await startPortal(options)
  onTestFinished(() => portal.close())
  return portal
}

/** One portal for all tests of a file, started before the first test. */
export function portalOfFile(options: PortalOptions = {}): () => EmbeddedPortal {
  let portal: EmbeddedPortal | undefined
  beforeAll(async () => {
    portal = await startPortal(options)
  })
  afterAll(() => portal?.close())
  return () => portal as EmbeddedPortal
}
