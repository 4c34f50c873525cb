/** What is wrong where TLS fails, and what to do about it. */

const tlsCode =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/

const causes: readonly (readonly [codes: RegExp, says: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'a certificate of the target has expired, or the clock of this machine is wrong'],
  [
    /^CERT_NOT_YET_VALID$/,
    'a certificate of the target is not valid yet, or the clock of this machine is wrong',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'the certificate is for another host; the base URL must name the host as its certificate does',
  ],
  [
    /SELF_SIGNED|DEPTH_ZERO|^UNABLE_TO_(GET_ISSUER|VERIFY)/,
    'nobody who is trusted has signed the certificate; http.ca names a certificate authority to trust',
  ],
  [/ALERT_CERTIFICATE_REQUIRED/, 'the target wants a client certificate; http.cert and http.key name it'],
  [
    /ALERT_(HANDSHAKE_FAILURE|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)/,
    'the target wants a client certificate, or another one; http.cert and http.key name it',
  ],
  [/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'the target speaks only versions of TLS that are not safe'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, 'no TLS is spoken there; is the base URL one for http://?'],
  [
    /^UNABLE_TO_GET_CRL|^CRL_|^CERT_REVOKED/,
    'a certificate of the target was revoked, or that cannot be told',
  ],
]

/** One line for an error code of TLS; undefined where it is none. */
export function tlsFault(code: string): string | undefined {
  if (!tlsCode.test(code)) return undefined
  const known = causes.find(([codes]) => codes.test(code))
  return `TLS failed (${code})${known === undefined ? '' : `: ${known[1]}`}`
}
