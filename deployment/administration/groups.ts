/** Groups that workspaces are linked to. Whether one takes several is found out by trying. */
import { type Administrator, ifRefused } from './administrator.ts'
import { textIn, type Workshop } from './workshop.ts'

export class Groups {
  readonly #workshop: Workshop
  /** Undefined: not tried yet. */
  reusable: boolean | undefined
  readonly #common = new Map<Administrator, Promise<string>>()
  readonly #made = new Map<Administrator, string>()

  constructor(workshop: Workshop) {
    this.#workshop = workshop
  }

  /** A group of that administrator's portal: a new one, as long as it takes more. */
  another(administrator: Administrator): Promise<string> {
    return ifRefused(this.fresh(administrator), (error) => {
      const known = this.#made.get(administrator)
      if (known === undefined || this.reusable !== true) throw error
      return known
    })
  }

  /** A new group of that administrator's portal. */
  async fresh(administrator: Administrator): Promise<string> {
    const { stamp } = this.#workshop
    const id = await this.#workshop.make(
      'group',
      async (title) => {
        const fields = { title, access: 'private', tags: stamp, description: `Made by ${stamp}` }
        const answer = await administrator.perform('/community/createGroup', fields)
        return textIn(answer, 'createGroup', 'group', 'id')
      },
      { portal: administrator.portal },
    )
    this.#made.set(administrator, id)
    return id
  }

  /** A group to link one more workspace to. */
  toLink(administrator: Administrator): Promise<string> {
    if (this.reusable !== true) return this.fresh(administrator)
    const common = this.#common.get(administrator) ?? this.fresh(administrator)
    this.#common.set(administrator, common)
    return common
  }
}
