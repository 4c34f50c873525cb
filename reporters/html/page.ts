/** The frame of the page: what it may do, how it looks, and what runs in it. */
import { createHash } from 'node:crypto'
import { constant, html, type Markup } from './markup.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is allowed but the two texts below, each by its digest. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

/** The start of the document, up to the start of its body. */
export function pageStart(title: string): Markup {
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
<a class="skip" href="#requirements">To the requirements</a>
`
}

/** The end of the document. */
export function pageEnd(version: string): Markup {
  return html`<footer><p>Written by portal-conformance ${version}. Everything that was measured, with every exchange kept as evidence, stands in results.json. Secrets are hidden in both.</p></footer>
<p class="away" id="said" role="status"></p>
</body>
</html>
`
}
