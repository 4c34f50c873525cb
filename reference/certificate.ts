/** Self-signed certificates for portals on this machine, and a check for valid certificates. */
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  /** Both are in PEM. */
  readonly certificate: string
  readonly key: string
}

const dayMs = 86_400_000
const lifeMs = 365 * dayMs

/** A certificate for localhost and these hosts. It is valid for a year from yesterday. */
export function selfSigned(hosts: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from('portal-conformance portal')))))
  const names = ['localhost', ...hosts].map((host) =>
    isIP(host) === 4
      ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
      : tagged(0x82, Buffer.from(host)),
  )
  const extensions = sequence(
    sequence(oid('551d13'), boolean, octets(sequence(boolean))),
    sequence(oid('551d11'), octets(sequence(...names))),
  )
  const now = Date.now()
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(now - dayMs), time(now + lifeMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]))
  const whole = sequence(content, ecdsaWithSha256, signature).toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const set = (...parts: Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts))
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes)
const octets = (content: Buffer): Buffer => tagged(0x04, content)
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))
const boolean = tagged(0x01, Buffer.from([0xff]))
const time = (ms: number): Buffer =>
  tagged(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`))

/** Whether the text is a Base64-encoded certificate, with or without line breaks and PEM markers. */
export function isX509(text: string): boolean {
  try {
    new X509Certificate(Buffer.from(text.replace(/-----(?:BEGIN|END) CERTIFICATE-----|\s+/g, ''), 'base64'))
    return true
  } catch {
    return false
  }
}
