/** The role matrix: which actors the deployment let perform which operations. */
import { operationIds, operationOf } from '../../specs/operations.ts'
import type { RoleObservation } from '../../suites/check-result.ts'
import { actorNames } from '../../target/configuration/configuration.ts'
import { filterAnchor, html, type Markup } from './markup.ts'

const knownActors: readonly string[] = [...actorNames, 'anonymous', 'impostor']

/** What the two that are no actors of a configuration are. */
const explained: Readonly<Record<string, string>> = {
  anonymous: 'no credential',
  impostor: 'a credential that nobody was given',
}

/** A row for each actor that was seen, a column for each operation. */
export function roleMatrix(roles: readonly RoleObservation[] = []): Markup {
  return html`<section aria-labelledby="roles"><h2 id="roles">Who may do what</h2>
${roles.length === 0 ? html`<p class="lead">These results hold no observations of roles.</p>` : table(roles)}</section>
`
}

function table(roles: readonly RoleObservation[]): Markup {
  const seen = new Set<string>(roles.map(({ actor }) => actor))
  const actors = [
    ...knownActors.filter((actor) => seen.has(actor)),
    ...[...seen].filter((actor) => !knownActors.includes(actor)),
  ]
  const absent = knownActors.filter((actor) => !seen.has(actor))
  const columns = [...new Set<string>([...operationIds, ...roles.map(({ operation }) => operation)])]
  return html`<p class="lead">What each actor got, as far as checks looked. <b class="failed wrong"><i aria-hidden="true">✗</i> wrong</b> stands where the contract wants the other.${
    absent.length === 0 ? '' : ` Not seen: ${absent.join(', ')}.`
  }</p>
<div class="scroll" role="group" tabindex="0" aria-labelledby="roles"><table class="matrix roles">
<thead><tr><th scope="col">Actor</th>${columns.map((id) => html`<th scope="col">${columnTitle(id)}</th>`)}</tr></thead>
<tbody>${actors.map(
    (
      actor,
    ) => html`<tr><th scope="row">${actor}${explained[actor] === undefined ? undefined : html` <small>${explained[actor]}</small>`}</th>${columns.map(
      (operation) =>
        cell(
          operation,
          roles.filter((each) => each.actor === actor && each.operation === operation),
        ),
    )}</tr>
`,
  )}</tbody></table></div>`
}

function columnTitle(id: string): string {
  const operation = operationIds.find((each) => each === id)
  return operation === undefined ? id : operationOf(operation).title
}

function cell(operation: string, observed: readonly RoleObservation[]): Markup {
  if (observed.length === 0) return html`<td class="unseen"><i aria-hidden="true">–</i> not tested</td>`
  const wrong = observed.find((each) => each.wrong === true)
  if (wrong !== undefined) {
    return html`<td class="failed"><a href="#${filterAnchor({ operation, kind: 'roles' })}"><i aria-hidden="true">✗</i> ${wrong.observed}, wrong</a></td>`
  }
  const allowed = observed.some((each) => each.observed === 'allowed')
  return allowed
    ? html`<td class="allowed"><i aria-hidden="true">●</i> allowed</td>`
    : html`<td class="refused"><i aria-hidden="true">○</i> refused</td>`
}
