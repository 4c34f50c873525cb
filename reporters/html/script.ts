/** What runs in the page: filter, links that open what they lead to, copying, theme, print. All of it works without. */
import { copyScript } from './script-copy.ts'
import { filterScript } from './script-filter.ts'

const themeScript = `
  const root = document.documentElement
  root.classList.add('js')
  const stored = () => { try { return localStorage.getItem('portal-conformance-theme') } catch { return null } }
  const store = (theme) => { try { localStorage.setItem('portal-conformance-theme', theme) } catch {} }
  const known = stored()
  if (known === 'dark' || known === 'light') root.dataset.theme = known

  function startTheme() {
    const button = document.getElementById('theme')
    const preferred = matchMedia('(prefers-color-scheme: dark)')
    const isDark = () => (root.dataset.theme ?? (preferred.matches ? 'dark' : 'light')) === 'dark'
    const show = () => button.setAttribute('aria-pressed', String(isDark()))
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark'
      store(root.dataset.theme)
      show()
    })
    preferred.addEventListener('change', show)
    show()
  }
`

const printScript = `
  function startPrint() {
    let opened = []
    addEventListener('beforeprint', () => {
      const closed = document.querySelectorAll('.req.failed:not([hidden]) > details:not([open]), .notice > details:not([open])')
      opened = [...closed]
      for (const details of opened) details.open = true
    })
    addEventListener('afterprint', () => {
      for (const details of opened) details.open = false
      opened = []
    })
  }
`

/** The one script of the page. It reads the page only, and asks for nothing. */
export const script = `(() => {
  'use strict'
${themeScript}${filterScript}${copyScript}${printScript}
  document.addEventListener('DOMContentLoaded', () => {
    startTheme()
    startFilter()
    startCopy()
    startPrint()
  })
})()
`
