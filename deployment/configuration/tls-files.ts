/** Whether TLS files hold what they should, before anything is connected with them. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { HttpSettings } from './configuration.ts'

type Files = Pick<HttpSettings, 'ca' | 'cert' | 'key'>

interface FileProblem {
  readonly key: keyof Files
  readonly text: string
}

/** What is wrong with the contents of TLS files, by key of the configuration. The files must be readable. */
export function tlsFileProblems({ ca, cert, key }: Files): FileProblem[] {
  return [
    ...(ca === undefined || certificatesIn(ca).length > 0 ? [] : [noCertificate('ca', ca)]),
    ...(cert === undefined || key === undefined ? [] : pairProblems(cert, key)),
  ]
}

function pairProblems(cert: string, key: string): FileProblem[] {
  const [certificate] = certificatesIn(cert)
  if (certificate === undefined) return [noCertificate('cert', cert)]
  const pem = readFileSync(key, 'utf8')
  if (pem.includes('ENCRYPTED')) {
    return [{ key: 'key', text: `the key in ${key} is encrypted: a key without a passphrase is expected` }]
  }
  if (belongsTo(certificate, pem)) return []
  return [{ key: 'key', text: `the file ${key} holds no key in PEM that belongs to the certificate` }]
}

const noCertificate = (key: keyof Files, file: string): FileProblem => ({
  key,
  text: `the file ${file} holds no certificate in PEM`,
})

function certificatesIn(file: string): X509Certificate[] {
  const blocks = readFileSync(file, 'utf8').match(
    /-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^-]+-----END \1-----/g,
  )
  try {
    return (blocks ?? []).map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

function belongsTo(certificate: X509Certificate, pem: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem))
  } catch {
    return false
  }
}
