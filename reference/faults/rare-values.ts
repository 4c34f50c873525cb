/** Faults that show only in some values: texts that mean something elsewhere, several limits at once, settings of unusual shape. */
import { changeAccepted, changeBytes, refuseWhen } from '../alterations.ts'
import { escapeHtml } from '../rendering.ts'
import { type Fault, requirementsOf } from './fault.ts'

const name = 'collaborationWorkspaceName'
const description = 'collaborationWorkspaceDescription'

/** Whatever valid request a check sends may carry a value that is wrongly treated. */
const anyAdd = requirementsOf('add-workspace', 'protocol')
const anyFederation = requirementsOf('update-federation', 'protocol')

const limitsAccept = ['add-workspace/name-limit-accepts', 'add-workspace/description-limit-accepts'] as const

export const rareValueFaults: readonly Fault[] = [
  {
    id: 'scalar-names-become-scalars',
    sentence: 'A name that reads like a number, a boolean or null comes back as one.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      const honest = parts.viewWorkspace
      parts.viewWorkspace = (workspace) => ({
        ...honest(workspace),
        ...(/^(?:true|false|null|[1-9]\d*)$/.test(workspace.name)
          ? { name: JSON.parse(workspace.name) }
          : {}),
      })
    },
  },
  {
    id: 'placeholders-filled-in',
    sentence: 'What looks like a placeholder of printf vanishes from names and descriptions.',
    breaks: ['add-workspace/name-kept', 'add-workspace/description-kept'],
    mayBreak: anyAdd,
    alter(parts) {
      parts.keep = (text) => text.replace(/%[sd]/g, '')
    },
  },
  {
    id: 'percent-signs-doubled',
    sentence: 'Percent signs of names and descriptions come back twice.',
    breaks: ['add-workspace/name-kept', 'add-workspace/description-kept'],
    mayBreak: anyAdd,
    alter(parts) {
      parts.keep = (text) => text.replaceAll('%', '%%')
    },
  },
  {
    id: 'limits-count-escaped',
    sentence: 'Limits count what a text is once it is escaped for a page.',
    breaks: limitsAccept,
    mayBreak: anyAdd,
    alter(parts) {
      const honest = parts.measure
      parts.measure = (text) => honest(escapeHtml(text))
    },
  },
  {
    id: 'both-limits-together-refused',
    sentence: 'Name and description may have 340 characters together.',
    breaks: limitsAccept,
    mayBreak: anyAdd,
    alter: (parts) =>
      refuseWhen(
        parts,
        'add-workspace',
        'name-too-long',
        ({ form }) => parts.measure(`${form.get(name)}${form.get(description)}`) > 340,
      ),
  },
  {
    id: 'name-limit-needs-description',
    sentence: 'The limit on names is looked at only where a description is sent.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter(parts) {
      const honest = parts.handlers['add-workspace']
      parts.handlers['add-workspace'] = (call) =>
        honest(
          call.form.get(description) === undefined
            ? { ...call, parts: { ...parts, fits: () => true } }
            : call,
        )
    },
  },
  {
    id: 'astral-characters-as-surrogates',
    sentence:
      'Characters beyond the Basic Multilingual Plane are written as two surrogates of three bytes each.',
    breaks: ['protocol/json-format'],
    mayBreak: anyAdd,
    alter: (parts) => changeBytes(parts, 'add-workspace', surrogatesApart),
  },
  {
    id: 'participant-answers-mixed-up',
    sentence: 'Of simultaneous updates all are answered with the collaboration of the last one.',
    breaks: ['update-participant/identifiers'],
    alter(parts) {
      let last: unknown
      const honest = parts.handlers['update-participant']
      parts.handlers['update-participant'] = async (call) => {
        last = call.params.collaborationID
        await new Promise((resolve) => setTimeout(resolve, 5))
        return honest(call)
      }
      changeAccepted(parts, 'update-participant', (body) => ({ ...body, collaborationId: last }))
    },
  },
  {
    id: 'one-letter-names-refused',
    sentence: 'A name of a contact person that has one character is refused.',
    breaks: ['update-participant/contact-text'],
    mayBreak: requirementsOf('update-participant', 'protocol'),
    alter: (parts) =>
      refuseWhen(parts, 'update-participant', 'bad-value', ({ form }) =>
        [form.get('contactFirstname'), form.get('contactLastname')].some((text) => text?.length === 1),
      ),
  },
  {
    id: 'certificate-over-1500-refused',
    sentence: 'A certificate of more than 1500 characters is refused.',
    breaks: ['update-federation/certificate'],
    alter: (parts) =>
      refuseWhen(
        parts,
        'update-federation',
        'bad-setting',
        ({ form }) => (form.get('certificate') ?? '').length > 1500,
      ),
  },
  {
    id: 'certificate-padding-refused',
    sentence: 'A certificate whose Base64 text ends with an equals sign is refused.',
    breaks: ['update-federation/certificate'],
    alter: (parts) =>
      refuseWhen(parts, 'update-federation', 'bad-setting', ({ form }) =>
        (form.get('certificate') ?? '').endsWith('='),
      ),
  },
  {
    id: 'entity-id-must-be-url',
    sentence: 'An entity ID that is a URN is refused.',
    breaks: ['update-federation/updates'],
    mayBreak: anyFederation,
    alter: (parts) =>
      refuseWhen(parts, 'update-federation', 'bad-setting', ({ form }) =>
        /^urn:/.test(form.get('entityId') ?? ''),
      ),
  },
]

/** The text with each astral character as two surrogates, which is no UTF-8. */
function surrogatesApart(body: Buffer): Buffer {
  const pieces = [...body.toString('utf8')].map((character) =>
    character.length === 1 ? Buffer.from(character) : Buffer.concat([0, 1].map((at) => alone(character, at))),
  )
  return Buffer.concat(pieces)
}

function alone(character: string, at: number): Buffer {
  const unit = character.charCodeAt(at)
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
}
