import { describe, expect, it, onTestFinished } from 'vitest'
import { usageError } from '../command-error.ts'
import { openDialogue, type Question } from './dialogue.ts'
import { typedTerminal } from './terminal.fixture.ts'

function opened(hide = (text: string) => text) {
  const terminal = typedTerminal()
  const dialogue = openDialogue(terminal.commandContext, hide)
  onTestFinished(() => dialogue.close())
  return { ...terminal, dialogue }
}

const city: Question<string> = {
  text: 'City',
  standard: 'Bern',
  read: (answer) => {
    if (answer.startsWith('X')) throw usageError('No city begins with X.')
    return answer
  },
}

describe('a question', () => {
  it('does not repeat an invalid answer that may be a secret', async () => {
    const { dialogue, typeAfter } = opened()
    const answer = dialogue.ask(city)
    await typeAfter('City [Bern]: ', 'X0NRfU9CoFaw0-2heqeTNVCMe2mDlFBsl\r')
    await typeAfter('City [Bern]: ', '\r')
    expect(await answer).toBe('Bern')
  })

  it('keeps its default after an invalid answer, and without one offers the answer again', async () => {
    const { dialogue, typeAfter } = opened()
    const answer = dialogue.ask(city)
    await typeAfter('City [Bern]: ', 'Xanten\r')
    await typeAfter('No city begins with X.\nCity [Bern]: ', '\r')
    expect(await answer).toBe('Bern')
    const { standard: _, ...open } = city
    const again = dialogue.ask(open)
    await typeAfter('City: ', 'Xanten\r')
    await typeAfter('No city begins with X.\nCity [Xanten]: ', 'Chur\r')
    expect(await again).toBe('Chur')
  })

  it('requires an answer if it has no default', async () => {
    const { dialogue, typeAfter } = opened()
    const answer = dialogue.ask({ text: 'City', read: (text) => text })
    await typeAfter('City: ', '\r')
    await typeAfter('An answer is needed; Ctrl-C ends init.\nCity: ', 'Chur\r')
    expect(await answer).toBe('Chur')
  })

  it('accepts an unambiguous prefix of a choice', async () => {
    const { dialogue, typeAfter } = opened()
    const answer = dialogue.ask({ ...city, choices: ['bern', 'bex', 'chur'] })
    await typeAfter('[Bern]: ', 'b\r')
    await typeAfter('The answers are bern, bex, chur.', 'C\r')
    expect(await answer).toBe('chur')
  })

  it('throws an error that no answer can avoid', async () => {
    const { dialogue, typeAfter } = opened()
    const answer = dialogue.ask({ ...city, read: () => Promise.reject(new TypeError('broke')) })
    await typeAfter('City [Bern]: ', '\r')
    await expect(answer).rejects.toThrow(new TypeError('broke'))
  })
})

describe('a hidden question', () => {
  it('shows nothing of the answer, even while the user corrects it', async () => {
    const { dialogue, typeAfter, shown } = opened()
    const answer = dialogue.askHidden('Password')
    await typeAfter('Password: ', '\r')
    await typeAfter('An answer is needed; Ctrl-C ends init.\nPassword: ', 'sessame\x7f\x7f\x7f\x7fame\r')
    expect(await answer).toBe('sesame')
    expect(shown()).toBe('Password: \nAn answer is needed; Ctrl-C ends init.\nPassword: \n')
  })

  it('shows nothing of a password that the user types before the question', async () => {
    const { dialogue, typeAfter, shown, commandContext } = opened()
    const first = dialogue.ask(city)
    await typeAfter('City [Bern]: ', '\r')
    await first
    commandContext.stdin.write('sesame\r')
    await new Promise((resolve) => setImmediate(resolve))
    expect(await dialogue.askHidden('Password')).toBe('sesame')
    expect(shown()).toBe('City [Bern]: \r\nPassword: \n')
  })
})

it('the dialogue ends with exit code 130 at a signal, even while it checks an answer', async () => {
  const { dialogue, typeAfter, commandContext } = opened()
  const answer = dialogue.ask({ ...city, read: () => new Promise(() => undefined) })
  await typeAfter('City [Bern]: ', '\r')
  commandContext.signals.emit('SIGTERM')
  await expect(answer).rejects.toMatchObject({ exitCode: 130 })
})

it('the dialogue redacts secrets in messages and questions', async () => {
  const { dialogue, typeAfter, shown } = opened((text) => text.replaceAll('sesame', '***'))
  dialogue.say('It is sesame.')
  const answer = dialogue.ask({ ...city, standard: 'sesame' })
  await typeAfter('City [***]: ', '\r')
  await answer
  expect(shown()).not.toContain('sesame')
})
