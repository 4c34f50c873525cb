/** The HTML report as a reader uses it in a browser. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { shortened } from '../everything.fixture.ts'
import { html } from '../rendering.fixture.ts'
import { checkOf, resultsOf } from '../results.fixture.ts'
import { hits, isOpen, open, withBrowser, writePage } from './browser.fixture.ts'

const failedId = 'add-workspace/name-limit-rejects'

const shownIds = async (page: Page): Promise<string[]> =>
  page.locator('.req:not([hidden]) h5').allTextContents()

withBrowser()

describe('list of requirements', () => {
  test('search shows requirements that contain all words, with a count, until "Show all"', async () => {
    const page = await open()
    await page.getByRole('searchbox', { name: 'Search' }).fill('QUIETLY shortened')
    await expect.poll(() => hits(page)).toBe('1 of 12 requirements')
    expect(await shownIds(page)).toEqual([failedId])
    expect(page.url()).toMatch(/#q=QUIETLY\+shortened$/)
    expect(await page.locator('#filter ~ section:visible').count()).toBe(1)
    await page.locator('#filter').getByRole('button', { name: 'Show all' }).click()
    expect([await hits(page), (await shownIds(page)).length]).toEqual(['12 requirements', 12])
    await page.getByRole('searchbox').fill('nothing holds this')
    await page.getByText('No requirement matches.').waitFor()
    expect(await hits(page)).toBe('0 of 12 requirements')
  })

  test('filters by outcome, level, operation and kind combine, also from the URL', async () => {
    const page = await open()
    await page.getByLabel('Outcome', { exact: true }).selectOption('failed')
    await expect.poll(() => hits(page)).toBe('4 of 12 requirements')
    await page.getByLabel('Operation', { exact: true }).selectOption('add-workspace')
    await expect.poll(() => shownIds(page)).toEqual([failedId, 'add-workspace/refuses-guest'])
    await page.getByLabel('Kind of rule', { exact: true }).selectOption('roles')
    await expect.poll(() => shownIds(page)).toEqual(['add-workspace/refuses-guest'])
    await page.getByLabel('Level', { exact: true }).selectOption('advice')
    await expect.poll(() => shownIds(page)).toEqual([])
    const again = await open(new URL(page.url()).hash.replace('advice', 'must'))
    expect(await shownIds(again)).toEqual(['add-workspace/refuses-guest'])
  })

  test('a matrix cell, a count and a wrong role link to their requirements', async () => {
    const page = await open()
    await page
      .getByRole('group', { name: 'Coverage of the contract' })
      .getByRole('link', { name: 'inconclusive' })
      .click()
    await expect.poll(() => shownIds(page)).toEqual(['sync-workspace/unknown-workspace'])
    await page.locator('.short').getByRole('link', { name: 'waived' }).click()
    await expect.poll(() => shownIds(page)).toEqual(['delete-collaboration/gone-after-delete'])
    await page
      .getByRole('group', { name: 'Who may do what' })
      .getByRole('link', { name: 'allowed, wrong' })
      .click()
    await expect.poll(() => shownIds(page)).toEqual(['add-workspace/refuses-guest'])
    await page.goBack()
    await expect.poll(() => shownIds(page)).toEqual(['delete-collaboration/gone-after-delete'])
  })

  test('a requirement links to its finding, with request and answer side by side and marked', async () => {
    const page = await open()
    await page.locator('summary', { hasText: failedId }).click()
    await page.locator('.req', { hasText: failedId }).getByRole('link', { name: 'Evidence' }).click()
    const finding = page.locator(new URL(page.url()).hash)
    await finding.getByRole('heading', { name: failedId }).waitFor()
    await finding.getByText(shortened).waitFor()
    const [request, answer] = await Promise.all(
      [0, 1].map((at) => finding.locator('.side').nth(at).boundingBox()),
    )
    expect(request!.x + request!.width).toBeLessThanOrEqual(answer!.x)
    expect(request!.y).toBe(answer!.y)
    expect(await finding.locator('mark').count()).toBe(3)
  })
})

describe('deep link', () => {
  test('opens its requirement at the top of the page', async () => {
    const page = await open(`#${failedId}`)
    expect(await isOpen(page, failedId)).toBe(true)
    expect(await page.locator('.req > details[open]').count()).toBe(1)
    expect(await page.locator('summary:focus').innerText()).toContain(failedId)
    expect((await page.locator('.req', { hasText: failedId }).boundingBox())!.y).toBeLessThan(150)
  })

  test('opens a single check, also if a filter hides it, and again after closing', async () => {
    const page = await open('#outcome=passed')
    const check = 'protocol/form-post:reassign-items'
    await page.locator('.finding summary', { hasText: check }).click()
    await page.locator('.finding').getByRole('link', { name: check }).click()
    await expect.poll(() => isOpen(page, check)).toBe(true)
    expect(await hits(page)).toBe('12 requirements')
    await page.locator('.req summary', { hasText: 'protocol/form-post' }).click()
    expect(await isOpen(page, check)).toBe(false)
    await page.locator('.finding').getByRole('link', { name: check }).click()
    await expect.poll(() => isOpen(page, check)).toBe(true)
  })

  test('exists for every requirement, and no internal link is dead', async () => {
    const page = await open()
    const links = await page
      .locator('.permalink')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    expect(links).toHaveLength(12)
    const dead =
      await page.evaluate(`[...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute('href').slice(1))
      .filter((id) => !id.startsWith('outcome=') && !document.getElementById(decodeURIComponent(id)) && !document.getElementById(id))`)
    expect(dead).toEqual([])
  })
})

describe('copy button', () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const command = `portal-conformance run --config staging.yaml --seed 42 --runs 25 --requirement ${failedId}`

  const copyButton = (page: Page) =>
    page.locator('.finding', { hasText: shortened }).getByRole('button', { name: 'Copy the line Again' })

  test('copies the command to the clipboard and confirms', async () => {
    const page = await open(`#${failedId}`, { permissions })
    await copyButton(page).click()
    await page.locator('#said', { hasText: 'Copied.' }).waitFor({ state: 'attached' })
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command)
  })

  test('without a clipboard selects the command', async () => {
    const page = await open(`#${failedId}`)
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    const button = copyButton(page)
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Selected')
    expect(await page.evaluate('getSelection().toString()')).toBe(command)
  })
})

describe('HTML report', () => {
  const backgroundOf = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>

  test('is dark if the reader prefers dark, but not in print', async () => {
    const page = await open('', { colorScheme: 'dark' })
    expect(await backgroundOf(page)).toBe('rgb(17, 21, 26)')
    await page.emulateMedia({ media: 'print' })
    expect(await backgroundOf(page)).toBe('rgb(255, 255, 255)')
  })

  test.each([true, false])('prints failures unfolded (script: %s)', async (javaScriptEnabled) => {
    const page = await open('', { javaScriptEnabled })
    const row = page.locator('.req.failed li').first()
    expect(await row.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await row.isVisible()).toBe(true)
    expect(await page.locator('#filter').isVisible()).toBe(false)
    expect((await page.locator('.finding.failed').first().boundingBox())!.height).toBeGreaterThan(200)
    expect(
      (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)!.length,
    ).toBeGreaterThan(3)
  })

  test('shows everything without a script, and links open their targets', async () => {
    const page = await open(`#${failedId}`, { javaScriptEnabled: false })
    await page.getByText(shortened).last().waitFor()
    for (const hidden of ['#filter', '.copy >> nth=0'])
      expect(await page.locator(hidden).isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'add-workspace/refuses-guest' }).click()
    expect(await page.getByText('a guest was accepted').last().isVisible()).toBe(true)
  })

  test('works by keyboard alone, with a visible focus', async () => {
    const page = await open()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('To the requirements')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').getAttribute('id')).toBe('q')
    await page.keyboard.type('name-limit')
    await expect.poll(() => hits(page)).toBe('1 of 12 requirements')
    for (let at = 0; at < 6; at += 1) await page.keyboard.press('Tab')
    expect(await page.locator('summary:focus').innerText()).toContain(failedId)
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    expect(await isOpen(page, failedId)).toBe(true)
  })

  test('searches and links among three thousand requirements', async () => {
    const results = resultsOf([checkOf('add-workspace/creates')])
    const requirements = Array.from({ length: 3000 }, (_, at) => ({
      ...results.requirements[0]!,
      id: `protocol/rule-${at}` as never,
    }))
    const url = await writePage('large', html({ ...results, requirements }))
    const page = await open('#protocol/rule-2999', {}, url)
    expect(await isOpen(page, 'protocol/rule-2999')).toBe(true)
    expect((await page.locator('summary:focus').boundingBox())!.y).toBeLessThan(800)
    await page.getByRole('searchbox').fill('rule-1234')
    await expect.poll(() => hits(page)).toBe('1 of 3000 requirements')
  })
})
