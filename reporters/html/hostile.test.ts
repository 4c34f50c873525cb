import { expect, test } from 'vitest'
import { attacks, hostile, hostileResults } from './hostile.fixture.ts'
import { anchorOf, filterAnchor, html, linkTo } from './markup.ts'
import { everything, pageOf } from './page.fixture.ts'

const tagsOf = (page: string): Set<string> =>
  new Set(
    page
      .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1>')
      .match(/<\/?[a-z!][^\s>]*/gi)
      ?.map((tag) => tag.replace('/', '').toLowerCase()),
  )

test('hostile results make no element that others do not make, and no attribute that acts', () => {
  const page = pageOf(hostileResults())
  const usual = tagsOf(pageOf(everything()))
  expect([...tagsOf(page)].filter((tag) => !usual.has(tag))).toEqual([])
  const tags = page.match(/<[a-z][^>]*>/gi) ?? []
  const names = tags.flatMap((tag) =>
    [...tag.replace(/"[^"]*"/g, '""').matchAll(/\s([^\s=>]+)(?==|[\s>])/g)].map(([, name]) => name),
  )
  expect(
    names.filter((name) => /^(on|style|src|srcdoc|action|formaction|autofocus)/i.test(name as string)),
  ).toEqual([])
  const addresses = tags.flatMap((tag) =>
    [...tag.matchAll(/\shref="([^"]*)"/g)].map(([, address]) => address as string),
  )
  expect(addresses.length).toBeGreaterThan(20)
  expect(addresses.filter((address) => !address.startsWith('#'))).toEqual([])
})

test('there is one script and one style, and they are those of the page', () => {
  const own = /<(style|script)>[\s\S]*?<\/\1>/g
  expect(pageOf(hostileResults()).match(own)).toEqual(pageOf(everything()).match(own))
})

test('nothing that misleads a reader is left, and what was there is spelt out', () => {
  const page = pageOf(hostileResults())
  expect(page.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
  expect(page).toContain('user\\u{202e}gnp.exe\\u{2066}\\u{200b}\\u{0}\\u{1b}[2J\\u{2028}\\u{d800}')
})

test.each(attacks)('in text and attribute: %j', (text) => {
  const shown = html`<p title="${text}">${text}</p>`.toString()
  const [, attribute, content] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(shown) as RegExpExecArray
  expect(attribute).toBe(content)
  expect(content).not.toMatch(/[<>'"]|&(?!lt;|gt;|amp;|quot;|#39;)/)
})

test.each(attacks)('in a link within the page: %j', (text) => {
  expect(linkTo(text)).toMatch(/^#[\w%.!~*'()/:-]*$/)
  expect(decodeURIComponent(linkTo(text).slice(1))).toBe(anchorOf(text))
  expect(anchorOf(text)).not.toMatch(/\s/)
  expect(filterAnchor({ operation: text })).toMatch(/^operation=[\w%.*+-]*$/)
})

test('a command is one line whatever it holds', () => {
  const page = pageOf(hostileResults())
  const commands = [...page.matchAll(/<code tabindex="0"[^>]*>([^<]*)<\/code>/g)].map(
    ([, text]) => text as string,
  )
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((text) => /[\n\r\t]/.test(text))).toEqual([])
  expect(hostile).toContain('\n')
})
