/** Targets that cannot be reached, or with which no word can be exchanged safely. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostileTarget, targetAt } from './hostile-target.ts'
import { closedPort, http, listen, serveSockets, timeoutMs } from './servers.ts'

const unreached = { exitCode: 4, timeoutsMs: 0 } as const

function secureServer({ certificate, key }: typeof untrusted) {
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
    start: async () => targetAt(await secureServer(untrusted)),
  },
  {
    id: 'certificate-of-another-host',
    sentence: 'The certificate is trusted, and made out to another host.',
    expect: { ...unreached, says: /cannot be reached: TLS failed \(ERR_TLS_CERT_ALTNAME_INVALID\)/ },
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-ca-'))
      const ca = join(folder, 'ca.pem')
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

interface Certificate {
  /** Both in PEM. */
  readonly certificate: string
  readonly key: string
}

/** For 127.0.0.1 and localhost, and signed by itself. */
export const untrusted: Certificate = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBvzCCAWWgAwIBAgIUMVGLsJGjkpmq5RMElQknN6//z8AwCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbcG9ydGFsLWNvbmZvcm1hbmNlLXNlbGZ0ZXN0MCAXDTI2MTEy
MTA5MDYxOFoYDzIxMjYxMDI4MDkwNjE4WjAmMSQwIgYDVQQDDBtwb3J0YWwtY29u
Zm9ybWFuY2Utc2VsZnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARhBaW7
3l2JS2bjlII123eOJPLMCnHCJFuFI+qlLQ5nfmfAYtrNWWdQfo9na1tjA5Ur2BUR
aXOLvEvf/BWkwyDyo28wbTAdBgNVHQ4EFgQUXNv93C2bNstzYErbS3cEFsfsU9Uw
HwYDVR0jBBgwFoAUXNv93C2bNstzYErbS3cEFsfsU9UwDwYDVR0TAQH/BAUwAwEB
/zAaBgNVHREEEzARhwR/AAABgglsb2NhbGhvc3QwCgYIKoZIzj0EAwIDSAAwRQIg
ccJvCO4iOh2DaRCqLi588Tp7RLT3DVWp6SOr+YhMMQMCIQCFM7GqW99s56KPNXyN
Sc2NlaLIlTCcNB/A1BwpyG8oKQ==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaeRMLkw6Dr0v9SmT
tPoneYQq1R/OuSR6td3q2VBUBoahRANCAARhBaW73l2JS2bjlII123eOJPLMCnHC
JFuFI+qlLQ5nfmfAYtrNWWdQfo9na1tjA5Ur2BURaXOLvEvf/BWkwyDy
-----END PRIVATE KEY-----
`,
}

/** For elsewhere.invalid only: to be trusted by those who shall stumble on the name alone. */
const wronglyNamed: Certificate = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBwTCCAWegAwIBAgIUI10BmOjZPasucq7aGh65foAg5T4wCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbcG9ydGFsLWNvbmZvcm1hbmNlLXNlbGZ0ZXN0MCAXDTI2MTEy
MTA5MDYxOFoYDzIxMjYxMDI4MDkwNjE4WjAmMSQwIgYDVQQDDBtwb3J0YWwtY29u
Zm9ybWFuY2Utc2VsZnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARrC3GY
dgWmGA7k7G2UuxxwK8JxjTcXULyMJAX47bPRB52xZSCAAwoi88jxWPd8ihxdPQot
VsiDbLdBu3tiSjAao3EwbzAdBgNVHQ4EFgQUNW96Onznk0+rRvTlN3NllRs/DsAw
HwYDVR0jBBgwFoAUNW96Onznk0+rRvTlN3NllRs/DsAwDwYDVR0TAQH/BAUwAwEB
/zAcBgNVHREEFTATghFlbHNld2hlcmUuaW52YWxpZDAKBggqhkjOPQQDAgNIADBF
AiEA7blpS1asviW/6NjdZW1JQxkWLXT76LHrnAZT8a1vof0CIDyzNYXTrTAVByGU
VUJ2sl97x9yo8mt4d63HUIEzjdHV
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkx3CVKpbvGdA/mNx
YHVM5rxqYNKIfFL9BwQhDqc7/IChRANCAARrC3GYdgWmGA7k7G2UuxxwK8JxjTcX
ULyMJAX47bPRB52xZSCAAwoi88jxWPd8ihxdPQotVsiDbLdBu3tiSjAa
-----END PRIVATE KEY-----
`,
}
