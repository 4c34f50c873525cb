/** Groups that workspaces are linked to. */
import type { Administrator } from './administrator.ts'
import { type Maker, textIn } from './maker.ts'

export class Groups {
  readonly #maker: Maker
  /** Whether one group takes several workspaces. Undefined: not tried yet. */
  reusable: boolean | undefined
  readonly #shared = new Map<Administrator, Promise<string>>()

  constructor(maker: Maker) {
    this.#maker = maker
  }

  /** A new group of that administrator's portal. */
  fresh(administrator: Administrator): Promise<string> {
    const { stamp } = this.#maker
    return this.#maker.make(
      'group',
      async (title) => {
        const fields = { title, access: 'private', tags: stamp, description: `Made by ${stamp}` }
        const answer = await administrator.perform('/community/createGroup', fields)
        return textIn(answer, 'createGroup', 'group', 'id')
      },
      { portal: administrator.portal },
    )
  }

  /** A group to link one more workspace to. */
  toLink(administrator: Administrator): Promise<string> {
    if (this.reusable !== true) return this.fresh(administrator)
    const shared = this.#shared.get(administrator) ?? this.fresh(administrator)
    this.#shared.set(administrator, shared)
    return shared
  }
}
