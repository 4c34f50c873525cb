/** How one requirement is judged, in words; what a check does is said by its code. */
import type { RequirementId } from '../../specs/requirements.ts'

export interface Judged {
  /** What must be accepted before the probe proves anything; absent: what is probed is a valid request itself. */
  readonly control?: string
  /** What is sent and what is expected of it. */
  readonly probe: string
}

/** A requirement that is left out is judged as all of its kind are. */
export type JudgedTexts = Readonly<Partial<Record<RequirementId, Judged>>>

/** A caller who may not: the control is the same request by the one who may. */
export const refused = (permitted: string, who: string): Judged => ({
  control: `the request by ${permitted}`,
  probe: `the same request by ${who}, whole and with parameters left out, on each path tried: refused`,
})

const success = 'the answer has a 2xx status and holds no error'

export const protocolJudged: JudgedTexts = {
  'protocol/form-post': {
    probe: 'a complete valid request as a form-encoded POST, by the caller who may: accepted',
  },
  'protocol/json-format': {
    control: success,
    probe: 'generated valid requests with f=pjson: the body is one JSON object in UTF-8',
  },
  'protocol/success-boolean': {
    control: success,
    probe: 'generated valid requests: the answer has success, true or false',
  },
  'protocol/encoding': {
    control: 'the request in the plain encoding',
    probe:
      'the same fields encoded in another way: accepted, and an answer that repeats name and description repeats the same ones',
  },
  'protocol/unknown-parameter': {
    control: 'the request as it is',
    probe: 'the same request with unknownParameterOfNobody=value: accepted',
  },
  'protocol/post-only': {
    control: 'the same request as POST, on the same subject, after the GET',
    probe: 'the request as GET: refused',
  },
  'protocol/no-server-error': {
    control: 'the request as it is',
    probe:
      'up to four of its parameters in turn, each with 5000 characters and with a NUL character: a status below 500; and after all of them the request as it is: accepted',
  },
  'protocol/refusal-json': {
    control: 'the request as it is',
    probe: 'the same request without a credential: a JSON object with error.code and error.message',
  },
  'protocol/content-type': {
    control: 'the request as it is',
    probe: 'the Content-Type of its answer names JSON',
  },
  'lifecycle/consistent': {
    probe:
      'generated sequences of up to 14 steps by callers who may and callers who may not: each answer agrees with a model of collaborations, workspaces, items and owners; a sequence that does not is shortened',
  },
  'profile/no-credential-code': {
    control: 'the request without a credential is refused',
    probe: 'error.code of the refusal is one that the profile lists under errors.noCredential',
  },
  'profile/invalid-credential-code': {
    control: 'the request with a credential that nobody was given is refused',
    probe: 'error.code of the refusal is one that the profile lists under errors.invalidCredential',
  },
  'profile/not-permitted-code': {
    control: 'the request by a caller who may not perform the operation is refused',
    probe: 'error.code of the refusal is one that the profile lists under errors.notPermitted',
  },
  'profile/sign-up-modes-closed': {
    control: 'the request with a signUpMode that is listed',
    probe: 'the same request with two values that are not: refused',
  },
  'profile/user-types-closed': {
    control: 'the request with a userType that is listed',
    probe: 'the same request with two values that are not: refused',
  },
  'profile/own-syncs-one-at-a-time': {
    control: 'a sync in asynchronous mode',
    probe: 'as for sync-workspace/own-syncs-one-at-a-time, where the profile closes the open point own-syncs',
  },
}
