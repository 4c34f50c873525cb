/** Ways of writing one and the same form: whoever reads forms must read them alike. */
import type { FormStyle } from '../../deployment/http/outgoing-request.ts'
import type { How } from '../context/calls.ts'

export interface NamedStyle extends How {
  /** Completes "the same form, …". */
  readonly name: string
}

const styled = (name: string, style: FormStyle): NamedStyle => ({ name, style })

export const formStyles: readonly NamedStyle[] = [
  styled('with %20 for spaces', { space: '%20' }),
  styled('with + for spaces', { space: '+' }),
  styled('with lower-case escapes', { escapes: 'lower' }),
  styled('with safe characters escaped', { safe: 'escaped' }),
  styled('with its parameters in reverse', { order: 'reversed' }),
  styled('with its parameters rotated', { order: 'rotated' }),
  styled('in reverse with lower-case escapes and %20', { order: 'reversed', escapes: 'lower', space: '%20' }),
  { name: 'with a charset on its type', contentType: 'application/x-www-form-urlencoded; charset=utf-8' },
  {
    name: 'with a charset in capitals on its type',
    contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
  },
  {
    name: 'with a charset in quotes on its type',
    contentType: 'application/x-www-form-urlencoded; charset="utf-8"',
  },
  { name: 'with its type in other letter case', contentType: 'Application/X-WWW-Form-URLencoded' },
]
