/** What runs in a page: filter, links that open what they lead to, copying, theme, print. All of it works without. */
;(() => {
  const root = document.documentElement
  root.classList.add('js')
  const stored = () => {
    try {
      return localStorage.getItem('portal-conformance-theme')
    } catch {
      return null
    }
  }
  const store = (theme) => {
    try {
      localStorage.setItem('portal-conformance-theme', theme)
    } catch {}
  }
  const known = stored()
  if (known === 'dark' || known === 'light') root.dataset.theme = known

  function startTheme() {
    const button = document.getElementById('theme')
    if (!button) return
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

  const names = ['q', 'outcome', 'level', 'operation', 'kind']

  function startFilter() {
    const form = document.getElementById('filter')
    if (!form) return
    const hits = document.getElementById('hits')
    const none = document.querySelector('p.none')
    const rows = [...document.querySelectorAll('.req')]
    const sections = [...form.parentElement.querySelectorAll('section')]
    const texts = new Map()
    const textOf = (row) => {
      if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase())
      return texts.get(row)
    }

    function apply() {
      const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean)
      const chosen = names
        .slice(1)
        .map((name) => [name, form.elements[name].value])
        .filter(([, value]) => value)
      let shown = 0
      for (const row of rows) {
        const fits =
          chosen.every(([name, value]) => row.dataset[name] === value) &&
          (words.length === 0 || words.every((word) => textOf(row).includes(word)))
        if (row.hidden === fits) row.hidden = !fits
        if (fits) shown += 1
      }
      for (const section of sections) section.hidden = !section.querySelector('.req:not([hidden])')
      const all = rows.length === 1 ? '1 requirement' : `${rows.length} requirements`
      hits.textContent = shown === rows.length ? all : `${shown} of ${all}`
      none.hidden = shown > 0 || rows.length === 0
      form.classList.toggle('narrowed', shown !== rows.length)
    }

    // The address names the filter, so that it can be passed on.
    function remember() {
      const filter = new URLSearchParams()
      for (const name of names) if (form.elements[name].value) filter.set(name, form.elements[name].value)
      const hash = filter.size > 0 ? `#${filter}` : location.pathname + location.search
      try {
        history.replaceState(null, '', hash)
      } catch {}
    }

    function fill(values) {
      for (const name of names) form.elements[name].value = values.get(name) ?? ''
      apply()
    }

    function open(id) {
      let target = document.getElementById(id)
      if (!target)
        try {
          target = document.getElementById(decodeURIComponent(id))
        } catch {}
      if (!target) return
      const row = target.closest('.req')
      if (row?.hidden) fill(new Map())
      for (
        let details = target.closest('details');
        details;
        details = details.parentElement.closest('details')
      ) {
        details.open = true
      }
      if (!row) return
      const place = target.classList.contains('body') ? row : target
      place.scrollIntoView()
      row.querySelector('summary').focus({ preventScroll: true })
    }

    function follow() {
      const hash = location.hash.slice(1)
      if (!/^(q|outcome|level|operation|kind)=/.test(hash)) return open(hash)
      fill(new URLSearchParams(hash))
      form.parentElement.scrollIntoView()
      form.elements.q.focus({ preventScroll: true })
    }

    let waiting
    form.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => {
        apply()
        remember()
      }, 120)
    })
    form.addEventListener('submit', (event) => event.preventDefault())
    document.addEventListener('click', (event) => {
      if (event.target.closest('button.reset')) {
        fill(new Map())
        remember()
        form.elements.q.focus()
        return
      }
      // A link to where the page is already changes nothing that the browser would tell.
      const link = event.target.closest('a[href^="#"]')
      if (link && link.getAttribute('href') === location.hash) follow()
    })
    addEventListener('hashchange', follow)
    apply()
    // The browser goes to the place itself until the page is loaded, and would take the focus away again.
    addEventListener('load', () => {
      if (location.hash.length > 1) follow()
    })
  }

  const say = (text) => {
    document.getElementById('said').textContent = text
  }

  // Where the browser keeps the clipboard from the page, the old way; where that fails too, the text is selected.
  function copyOld(code) {
    getSelection().selectAllChildren(code)
    try {
      return document.execCommand('copy')
    } catch {
      return false
    }
  }

  async function copy(button) {
    const code = button.parentElement.querySelector('code')
    let copied = false
    try {
      await navigator.clipboard.writeText(code.textContent)
      copied = true
    } catch {
      copied = copyOld(code)
      if (copied) getSelection().removeAllRanges()
    }
    button.textContent = copied ? 'Copied' : 'Selected'
    say(copied ? 'Copied.' : 'The command is selected: copy it with the keyboard.')
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  }

  function startCopy() {
    document.addEventListener('click', (event) => {
      const button = event.target.closest('button.copy')
      if (button) void copy(button)
    })
  }

  function startPrint() {
    let opened = []
    addEventListener('beforeprint', () => {
      const closed = document.querySelectorAll('.req.failed:not([hidden]) > details:not([open])')
      opened = [...closed]
      for (const details of opened) details.open = true
    })
    addEventListener('afterprint', () => {
      for (const details of opened) details.open = false
      opened = []
    })
  }

  document.addEventListener('DOMContentLoaded', () => {
    startTheme()
    startFilter()
    startCopy()
    startPrint()
  })
})()
