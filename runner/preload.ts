/** Loads what `entry.suite` will need, and makes what every run makes first: done while the run is still prepared. */
import { operationIds } from '../specs/operations.ts'
import './pulse.ts'
import './run-check.ts'
import './session.ts'
import './sweep.ts'
import { requestSchema } from '../schemas/catalogue.ts'
import { violationsOf } from '../schemas/validators.ts'
import { makeRealisticValues } from './cases/realistic.ts'
import { declaredChecks } from './declared-checks.ts'

await declaredChecks()
makeRealisticValues()
for (const operation of operationIds) violationsOf(requestSchema(operation), {})
