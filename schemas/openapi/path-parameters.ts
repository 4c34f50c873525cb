/** What the path parameters of the operations are (§2), each with an example. */

interface PathParameter {
  readonly description: string
  readonly example: string
}

export interface ParameterComponent {
  readonly name: string
  readonly in: 'path'
  readonly required: true
  readonly description: string
  readonly schema: { readonly type: 'string' }
  readonly example: string
}

/** By the names that the paths of the operations give them. */
const pathParameters: Readonly<Record<string, PathParameter>> = {
  portalID: {
    description: 'ID of a portal (§2). Who may call under which portal is told by the operation (§5).',
    example: '0123456789ABCDEF',
  },
  collaborationID: {
    description: 'ID of a collaboration (§2).',
    example: 'b1c2d3e4f5a647b8a9c0d1e2f3a4b5c6',
  },
  workspaceID: {
    description: 'ID of a workspace of the collaboration (§2).',
    example: '0a1b2c3d4e5f46978899aabbccddeeff',
  },
  participantPortalID: {
    description: 'ID of the portal that takes part (§2), as the answer returns it in portalId.',
    example: 'guest0123456789a',
  },
  userName: {
    description: 'Name of the user to whom the items or the task belong (§2, §4.3).',
    example: 'former.owner',
  },
  taskID: {
    description: 'ID of a scheduled task of the user (§2).',
    example: 'c0ffee00c0ffee00',
  },
  runID: {
    description: 'ID of a run of the task (§2).',
    example: '1f2e3d4c5b6a7988',
  },
  federationID: {
    description: 'ID of a federation of identity providers (§2).',
    example: 'Fed0123456789abc',
  },
}

/** The names in braces of a path, in their order. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string)
}

/** The path parameters as components; all are required text. */
export function parameterComponents(): Readonly<Record<string, ParameterComponent>> {
  return Object.fromEntries(
    Object.entries(pathParameters).map(([name, { description, example }]) => [
      name,
      { name, in: 'path', required: true, description, schema: { type: 'string' }, example },
    ]),
  )
}
