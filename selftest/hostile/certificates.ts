/** Certificates that no deployment uses, for self-tests of TLS only; valid for a hundred years. */

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
export const wronglyNamed: Certificate = {
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
