/** Certificates whose text the contract leaves open: line breaks in it, and keys that are not RSA. Observed, never judged. */
import { isAccepted } from '../../clauses/acceptance.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { curveCertificates, plainCertificate } from '../../specs/certificates.ts'

export async function observeCertificates(context: CheckContext): Promise<void> {
  const { given, openPoints } = context
  const { send } = context.target('update-federation')
  const request = await given.request('update-federation')
  const broken = (lineBreak: string) => plainCertificate.replace(/(.{64})(?=.)/g, `$1${lineBreak}`)
  for (const [what, certificate] of [
    ['lines of 64 characters', broken('\n')],
    ['lines that end with carriage return and line feed', broken('\r\n')],
    ['a key on the curve P-256', curveCertificates[0]],
    ['a key on the curve P-384', curveCertificates[1]],
  ] as const) {
    const accepted = isAccepted(await send({ ...request, certificate }))
    openPoints.observe('certificate-text', `${what}: ${accepted ? 'accepted' : 'refused'}`)
  }
}
