/** Targets that cannot be reached, or with which no word can be exchanged safely. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificate, selfSigned } from '../../reference/certificate.ts'
import { type HostileTarget, targetAt } from './hostile-target.ts'
import { closedPort, http, listen, serveSockets, timeoutMs } from './servers.ts'

const unreached = { exitCode: 4, timeoutsMs: 0 } as const

function secureServer({ certificate, key }: Certificate) {
  return listen(
    createSecureServer({ cert: certificate, key }, (_request, response) => response.end('{"success":true}')),
    'https',
  )
}

export const unreachable: readonly HostileTarget[] = [
  {
    id: 'closed-port',
    sentence: 'Nobody listens at the address.',
    expect: { ...unreached, says: /cannot be reached: connection refused/ },
    start: async () => targetAt({ origin: await closedPort(), close: async () => {} }),
  },
  {
    id: 'refusing',
    sentence: 'Every connection is closed as soon as it is made.',
    expect: { ...unreached, says: /cannot be reached: the connection was (closed|reset)/ },
    start: async () => targetAt(await serveSockets((socket) => socket.destroy())),
  },
  {
    id: 'silent',
    sentence: 'Connections are taken, and nothing is ever answered.',
    expect: { ...unreached, says: /cannot be reached: no complete answer within 1s/, timeoutsMs: timeoutMs },
    start: async () => targetAt(await serveSockets((socket) => socket.resume())),
  },
  {
    id: 'no-http',
    sentence: 'Another protocol is spoken at the address.',
    expect: { ...unreached, says: /cannot be reached: the answer is not HTTP/ },
    start: async () => targetAt(await serveSockets((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))),
  },
  {
    id: 'plain-http-behind-https',
    sentence: 'Plain HTTP is spoken where TLS is expected.',
    expect: { ...unreached, says: /cannot be reached: TLS failed/ },
    start: async () => {
      const { origin, close } = await serveSockets((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
      return targetAt({ origin: origin.replace('http:', 'https:'), close })
    },
  },
  {
    id: 'certificate-nobody-trusts',
    sentence: 'The certificate is signed by itself.',
    expect: { ...unreached, says: /cannot be reached: TLS failed \(\w*SELF_SIGNED\w*\)/ },
    start: async () => targetAt(await secureServer(selfSigned(['127.0.0.1']))),
  },
  {
    id: 'certificate-of-another-host',
    sentence: 'The certificate is trusted, and made out to another host.',
    expect: { ...unreached, says: /cannot be reached: TLS failed \(ERR_TLS_CERT_ALTNAME_INVALID\)/ },
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-ca-'))
      const ca = join(folder, 'ca.pem')
      const wronglyNamed = selfSigned(['elsewhere.invalid'])
      await writeFile(ca, wronglyNamed.certificate)
      const target = await targetAt(await secureServer(wronglyNamed), { http: { ...http, ca } })
      return {
        ...target,
        close: async () => {
          await target.close()
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
  },
]
