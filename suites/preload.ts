/** Loads what `all.suite` will need, and makes what every run makes first: done while the run is still prepared. */
import { operationIds } from '../specs/operations.ts'
import '../runner/run-news.ts'
import '../runner/run-check.ts'
import '../runner/session.ts'
import '../runner/sweep.ts'
import { undici } from '../deployment/http/undici.ts'
import { requestSchema } from '../schemas/catalogue.ts'
import { violationsOf } from '../schemas/validators.ts'
import { declaredChecks } from './declared-checks.ts'

undici()
await declaredChecks()
for (const operation of operationIds) violationsOf(requestSchema(operation), {})
