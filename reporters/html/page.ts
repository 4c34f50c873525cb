/** The frame of a page: what it may do, how it looks, and what runs in it. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { constant, html, type Markup } from './markup.ts'

/** Stands beside this file, also where it is compiled. */
const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

const style = beside('page-style.css')
const script = beside('page-script.js')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is allowed but the two texts above, each by its digest. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

/** The start of the document, up to the start of its body, which begins with a link to the part `#requirements`. */
export function pageStart(title: string, toRequirements: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="portal-conformance">
<title>${title}</title>
<style>${constant(style)}</style>
<script>${constant(script)}</script>
</head>
<body>
<a class="skip" href="#requirements">${toRequirements}</a>
`
}

/** The end of the document, with what stands at its foot. */
export function pageEnd(foot: string): Markup {
  return html`<footer><p>${foot}</p></footer>
<p class="away" id="said" role="status"></p>
</body>
</html>
`
}
