import type { Reasons } from '../errors/index.js';

/** What can be wrong with a request before any business rule looks at it. */
export const requestReasons = {
  required: {
    kind: 'invalid',
    meaning: 'a required field is missing',
    remedy: 'Send the field named by `path`.',
  },
  unknown_field: {
    kind: 'invalid',
    meaning: 'the body has a field that is not known',
    remedy: 'Remove it or correct its spelling; unknown fields are refused, never ignored.',
  },
  unknown_parameter: {
    kind: 'invalid',
    meaning: 'the query has a parameter that is not known',
    remedy: 'Remove it or correct its spelling; names are case-sensitive.',
  },
  wrong_type: {
    kind: 'invalid',
    meaning: 'the value has the wrong type',
    remedy: 'See the type in the reference.',
  },
  bad_format: {
    kind: 'invalid',
    meaning: 'the text does not have the required form',
    remedy:
      'Dates are `YYYY-MM-DD`; instants are RFC 3339 date-times with `Z` or an offset; codes hold no control characters.',
  },
  bad_length: {
    kind: 'invalid',
    meaning: 'the text is too short or too long',
    remedy: 'See the limits in the reference.',
  },
  out_of_range: {
    kind: 'invalid',
    meaning: 'the number is too small or too large',
    remedy: 'See the limits in the reference.',
  },
  not_allowed: {
    kind: 'invalid',
    meaning: 'the value is not one of those allowed',
    remedy: 'Use one of the values in `message`.',
  },
  bad_item_count: {
    kind: 'invalid',
    meaning: 'the list is too short or too long',
    remedy: 'See the limits in the reference.',
  },
  duplicate_item: {
    kind: 'invalid',
    meaning: 'the list names something twice',
    remedy: 'Name each item once.',
  },
  invalid_value: { kind: 'invalid', meaning: 'the value is not valid', remedy: 'Read `message`.' },
  bad_json: {
    kind: 'invalid',
    meaning: 'the body is not valid JSON in UTF-8',
    remedy: 'Send one JSON object, encoded in UTF-8.',
  },
  bad_text: {
    kind: 'invalid',
    meaning: 'a text holds NUL or half a surrogate pair',
    remedy: 'Send well-formed Unicode without U+0000.',
  },
  bad_number: {
    kind: 'invalid',
    meaning: 'a number is too large to be kept exactly',
    remedy: 'Integers lie within ±9007199254740991.',
  },
  too_deep: { kind: 'invalid', meaning: 'the body is nested too deeply', remedy: 'Nest at most 32 levels.' },
  body_too_large: {
    kind: 'invalid',
    meaning: 'the body is larger than 1 MiB',
    remedy: 'Split it into several requests.',
  },
  unsupported_media_type: {
    kind: 'invalid',
    meaning: 'the body is not declared as JSON',
    remedy: 'Send `Content-Type: application/json`.',
  },
  malformed_request: {
    kind: 'invalid',
    meaning: 'the request is not valid HTTP',
    remedy: 'Check the request line and headers.',
  },
  duplicate_header: {
    kind: 'invalid',
    meaning: 'a header that must be sent once is missing or doubled',
    remedy: 'Send exactly one `Host` and at most one `Authorization`, `Content-Type` and `Idempotency-Key`.',
  },
  https_required: {
    kind: 'invalid',
    meaning: 'the request did not come over HTTPS',
    remedy: 'Call the https address; a proxy must set `X-Forwarded-Proto: https`.',
  },
  bad_cursor: {
    kind: 'invalid',
    meaning: 'the cursor is not one given by this list',
    remedy: 'Begin again without `cursor`.',
  },
  idempotency_key_reused: {
    kind: 'invalid',
    meaning: 'this Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request; repeat a request unchanged to get its first answer.',
  },
  credential_missing: {
    kind: 'unauthenticated',
    meaning: 'no credential was sent',
    remedy: 'Send `Authorization: Bearer <API key or access token>`.',
  },
  credential_invalid: {
    kind: 'unauthenticated',
    meaning: 'the credential is malformed, unknown, expired or revoked',
    remedy:
      'Check that the whole key was copied; make a new one if it expired or was revoked. Fetch a new access token.',
  },
  sign_in_unfinished: {
    kind: 'unauthenticated',
    meaning: 'the second factor was not given yet',
    remedy: 'Give the code of the second factor, or set it up, before anything else.',
  },
  cross_site_request: {
    kind: 'forbidden',
    meaning: 'a console session was used from a page that is not the console',
    remedy: 'Send the `csrfToken` of the session as `X-CSRF-Token` with everything that changes something.',
  },
  console_only: {
    kind: 'forbidden',
    meaning: 'only a person signed in at the console may do this',
    remedy: 'Sign in at the console; keys and tokens cannot make further credentials.',
  },
  scope_missing: {
    kind: 'forbidden',
    meaning: 'the credential does not carry the scope of this operation',
    remedy: 'Use a key with the scope named in `message`.',
  },
  address_not_allowed: {
    kind: 'forbidden',
    meaning: 'the call comes from an address outside the allow-list of the credential',
    remedy: 'Call from an allowed address, or ask an administrator to extend the allow-list.',
  },
  rate_limited: {
    kind: 'limited',
    meaning: 'too many requests in this minute',
    remedy: 'Wait as long as `Retry-After` says; follow the `RateLimit` header to avoid it.',
  },
  too_many_streams: {
    kind: 'limited',
    meaning: 'this credential or person listens to ten streams already',
    remedy: 'Close one, or share one stream among your listeners.',
  },
} as const satisfies Reasons;

export type RequestReason = keyof typeof requestReasons;
