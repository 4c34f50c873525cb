/** What runs in a page: filter, links that open what they lead to, copying. All of it works without. */
;(() => {
  document.documentElement.classList.add('js')

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

  // Where the browser keeps the clipboard from the page, the text is selected.
  async function copy(button) {
    const code = button.parentElement.querySelector('code')
    const copied = await navigator.clipboard?.writeText(code.textContent).then(
      () => true,
      () => false,
    )
    if (!copied) getSelection().selectAllChildren(code)
    button.textContent = copied ? 'Copied' : 'Selected'
    document.getElementById('said').textContent = copied
      ? 'Copied.'
      : 'The command is selected: copy it with the keyboard.'
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

  document.addEventListener('DOMContentLoaded', () => {
    startFilter()
    startCopy()
  })
})()
