/** A portal that knows nothing but the OpenAPI document: a public mock server driven by it, on loopback. */
import { serve } from '@hono/node-server'
import ajvFormats from 'ajv-formats'
import { Hono } from 'hono'
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend'

export interface MockPortal {
  readonly baseUrl: string
  readonly close: () => Promise<void>
}

const basePath = '/sharing/rest'

/** Answers what the document accepts with its first example and refuses all else; nobody is asked who they are. */
export async function startMockPortal(document: Document): Promise<MockPortal> {
  const api = new OpenAPIBackend({
    definition: document,
    apiRoot: basePath,
    // Its own look at documents knows OpenAPI 3.0 only; a linter looks at ours.
    quick: true,
    // The fields of a form are text: numbers and arrays are made of them where the document says so.
    ajvOpts: { coerceTypes: 'array', strict: false },
    customizeAjv: (ajv) => ajvFormats.default(ajv),
    handlers: {
      notImplemented: ({ operation }: Context) => {
        const { status, mock } = api.mockResponseForOperation(operation.operationId as string)
        return Response.json(mock, { status })
      },
      validationFail: ({ validation }: Context) => refusal(400, JSON.stringify(validation.errors)),
      methodNotAllowed: () => refusal(405, 'The document has no such method.'),
      notFound: () => refusal(404, 'The document has no such path.'),
    },
  })
  await api.init()
  const app = new Hono().all('*', async ({ req }) =>
    api.handleRequest({
      method: req.method,
      path: req.path,
      query: req.query(),
      headers: req.header(),
      body: await req.parseBody(),
    }),
  )
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
      resolve({
        baseUrl: `http://127.0.0.1:${port}${basePath}`,
        close: () => new Promise((closed) => server.close(() => closed())),
      }),
    )
  })
}

function refusal(code: number, message: string): Response {
  return Response.json({ error: { code, message, details: [] } }, { status: code })
}
