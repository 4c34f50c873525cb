import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchChromium, withoutChromium } from '../html/browser.fixture.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import { compareResults } from './compare.ts'
import { comparisonHtml } from './document.ts'

const script =
  '<script>document.title="run"</script><img src="https://example.com/x" onerror="document.title=\'run\'">'

const comparison = compareResults(
  [
    [checkOf('add-workspace/creates'), failedCheck('add-workspace/timestamps', 'x')],
    [failedCheck('add-workspace/creates', script), checkOf('add-workspace/timestamps')],
    [
      checkOf('add-workspace/creates'),
      checkOf('add-workspace/timestamps', { outcome: 'inconclusive', reason: script }),
    ],
  ].map((checks, at) => ({
    file: `runs/${at}.json`,
    results: resultsOf(checks, {
      observations: [
        {
          id: 'markup',
          operation: 'add-workspace',
          question: 'Is markup filtered?',
          observed: `${at} ${script}`,
        },
      ],
    }),
  })),
)

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 640 } }
const looks = [false, true].flatMap((asMatrix) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['desktop', 'phone'] as const).map((size) => ({ asMatrix, colorScheme, size })),
  ),
)

describe.skipIf(withoutChromium() !== undefined)('the page of a comparison in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())

  async function opened({ asMatrix, colorScheme, size }: (typeof looks)[number], bypassCSP = false) {
    const folder = mkdtempSync(join(tmpdir(), 'pc-comparison-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'comparison.html')
    writeFileSync(file, [...comparisonHtml(comparison, asMatrix)].join(''))
    const page: Page = await browser.newPage({ viewport: sizes[size], colorScheme, bypassCSP })
    onTestFinished(() => page.close())
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    const address = pathToFileURL(file).href
    await page.goto(address)
    return { page, asked, complaints, address }
  }

  it.each(looks)(
    'asks for nothing, runs nothing and is styled: $asMatrix, $colorScheme, $size',
    async (look) => {
      const { page, asked, complaints, address } = await opened(look)
      expect(asked).toEqual([address])
      expect(complaints).toEqual([])
      expect(await page.title()).toBe('Comparison of 3 results')
      const shown = await page.evaluate(
        `(() => ({
        ground: getComputedStyle(document.body).backgroundColor,
        wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        text: document.body.textContent,
      }))()`,
      )
      expect(shown).toMatchObject({
        ground: look.colorScheme === 'dark' ? 'rgb(17, 21, 26)' : 'rgb(255, 255, 255)',
        wider: 0,
        text: expect.stringContaining('<script>'),
      })
    },
  )

  it.each(looks)('has nothing that axe finds: $asMatrix, $colorScheme, $size', async (look) => {
    const { page } = await opened(look, true)
    await page.addScriptTag({
      content: readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8'),
    })
    const found = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    )
    expect(found).toEqual([])
  })
})
