import type { Reasons } from '../errors/index.js';

/** Reasons for refusing a request before any business rule is checked. */
export const requestReasons = {
  required: {
    kind: 'invalid',
    meaning: 'a required field is missing',
    remedy: 'Send the field named by `path`.',
  },
  unknown_field: {
    kind: 'invalid',
    meaning: 'the body has an unknown field',
    remedy: 'Remove it or correct its spelling; unknown fields are refused, never ignored.',
  },
  unknown_parameter: {
    kind: 'invalid',
    meaning: 'the query has an unknown parameter',
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
    meaning: 'the value is not one of the allowed values',
    remedy: 'Use one of the values in `message`.',
  },
  bad_item_count: {
    kind: 'invalid',
    meaning: 'the list is too short or too long',
    remedy: 'See the limits in the reference.',
  },
  duplicate_item: {
    kind: 'invalid',
    meaning: 'the list contains an item twice',
    remedy: 'List each item once.',
  },
  invalid_value: { kind: 'invalid', meaning: 'the value is not valid', remedy: 'Read `message`.' },
  bad_json: {
    kind: 'invalid',
    meaning: 'the body is not valid JSON in UTF-8',
    remedy: 'Send one JSON object, encoded in UTF-8.',
  },
  bad_text: {
    kind: 'invalid',
    meaning: 'a text contains NUL or a lone surrogate',
    remedy: 'Send well-formed Unicode without U+0000.',
  },
  bad_number: {
    kind: 'invalid',
    meaning: 'a number is too large to be stored exactly',
    remedy: 'Send integers between -9007199254740991 and 9007199254740991.',
  },
  too_deep: { kind: 'invalid', meaning: 'the body is nested too deeply', remedy: 'Nest at most 32 levels.' },
  body_too_large: {
    kind: 'invalid',
    meaning: 'the body is larger than 1 MiB, or than the route accepts',
    remedy: 'Split it into several requests.',
  },
  unsupported_media_type: {
    kind: 'invalid',
    meaning: 'the body is not declared as JSON, or as a file that the route accepts',
    remedy:
      'Send `Content-Type: application/json`; with `PATCH` also `application/merge-patch+json`. For a file, one of the types in `message`.',
  },
  malformed_request: {
    kind: 'invalid',
    meaning: 'the request is not valid HTTP',
    remedy: 'Check the request line and headers.',
  },
  duplicate_header: {
    kind: 'invalid',
    meaning: 'a header that must be sent once is missing or repeated',
    remedy: 'Send exactly one `Host` and at most one `Authorization`, `Content-Type` and `Idempotency-Key`.',
  },
  https_required: {
    kind: 'invalid',
    meaning: 'the request did not come over HTTPS',
    remedy: 'Call the https address; a proxy must set `X-Forwarded-Proto: https`.',
  },
  bad_cursor: {
    kind: 'invalid',
    meaning: 'the cursor was not issued by this list',
    remedy: 'Start again without `cursor`.',
  },
  idempotency_key_reused: {
    kind: 'invalid',
    meaning: 'this Idempotency-Key was used for another request',
    remedy: 'Use a new key for a new request. Repeat a request unchanged to get its first response.',
  },
  version_mismatch: {
    kind: 'invalid',
    meaning: 'it has changed since the version that `If-Match` names',
    remedy: 'Read it again, apply your change to what it is now, and send its current `version`.',
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
      'Check that you copied the whole key. If it expired or was revoked, create a new one, or fetch a new access token.',
  },
  sign_in_unfinished: {
    kind: 'unauthenticated',
    meaning: 'the second factor is missing',
    remedy: 'Enter the code of the second factor, or set one up, first.',
  },
  cross_site_request: {
    kind: 'forbidden',
    meaning: 'a console session was used from a page that is not the console',
    remedy: 'Send the `csrfToken` of the session as `X-CSRF-Token` with every write.',
  },
  console_only: {
    kind: 'forbidden',
    meaning: 'only a person signed in at the console may do this',
    remedy:
      'Sign in at the console. Keys and tokens cannot create credentials or change settings of the four-eyes principle.',
  },
  step_up_required: {
    kind: 'forbidden',
    meaning: 'needs your second factor, given within the last five minutes',
    remedy: 'Call `POST /v2/session/step-up` with a code, then send the request again.',
  },
  scope_missing: {
    kind: 'forbidden',
    meaning: 'the credential lacks the scope of this operation',
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
    remedy: 'Wait as long as `Retry-After` says. Use the `RateLimit` header to stay below the limit.',
  },
  too_many_streams: {
    kind: 'limited',
    meaning: 'this credential or person listens to ten streams already, or its organization to a hundred',
    remedy: 'Close one, or share one stream among your listeners.',
  },
} as const satisfies Reasons;

export type RequestReason = keyof typeof requestReasons;
