/** The part of the page's script that copies commands. */
export const copyScript = `
  const say = (text) => { document.getElementById('said').textContent = text }

  // Where the browser keeps the clipboard from the page, the old way; where that fails too, the text is selected.
  function copyOld(code) {
    getSelection().selectAllChildren(code)
    try { return document.execCommand('copy') } catch { return false }
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
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  }

  function startCopy() {
    document.addEventListener('click', (event) => {
      const button = event.target.closest('button.copy')
      if (button) void copy(button)
    })
  }
`
