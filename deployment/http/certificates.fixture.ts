/** Certificates and keys for tests of TLS only; valid for a hundred years but for one. */
import { readFileSync } from 'node:fs'

const pem = (name: string): string =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8')

/** For 127.0.0.1 and localhost; nobody trusts it unless told to. */
export const certificate = pem('certificate')
export const certificateKey = pem('certificate-key')
/** A private certificate authority that nobody trusts unless told to. */
export const authority = pem('authority')
/** For 127.0.0.1, localhost and ::1. */
export const forTarget = pem('for-target')
/** For 127.0.0.1 only. */
export const forNumbers = pem('for-numbers')
/** For localhost only. */
export const forNames = pem('for-names')
/** For elsewhere.invalid only. */
export const forElsewhere = pem('for-elsewhere')
/** As forTarget, and over since 2020. */
export const expired = pem('expired')
/** For a client. */
export const forClient = pem('for-client')
/** Of all of them but the authority. */
export const privateKey = pem('private-key')
