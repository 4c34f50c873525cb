import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { shortened } from '../everything.fixture.ts'
import { hits, isOpen, open, withBrowser } from './browser.fixture.ts'

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
    expect(await finding.locator('mark').count()).toBe(6)
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
