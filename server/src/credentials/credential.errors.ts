import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const credentialReasons = {
  unknown_scope: {
    kind: 'invalid',
    meaning: 'this scope does not exist',
    remedy: 'Use scopes of the published list.',
  },
  bad_address: {
    kind: 'invalid',
    meaning: 'this is neither an IP address nor a CIDR block',
    remedy: 'Write `192.0.2.7`, `192.0.2.0/24`, `2001:db8::1` or `2001:db8::/32`.',
  },
  expiry_in_the_past: {
    kind: 'invalid',
    meaning: 'the expiry lies in the past',
    remedy: 'Give a later date.',
  },
  owner_required: {
    kind: 'invalid',
    meaning: 'the credential has no owner, and the organization has no administrator to own it',
    remedy: 'Give the e-mail address of its owner.',
  },
  span_reversed: {
    kind: 'invalid',
    meaning: '`from` is not before `to`',
    remedy: 'Give an earlier `from`, or a later `to`.',
  },
  span_too_long: {
    kind: 'invalid',
    meaning: 'the span is too long',
    remedy: 'Ask for 31 days by the hour, or 92 by the day, at most.',
  },
  key_revoked: { kind: 'invalid', meaning: 'this key was revoked', remedy: 'Create a new key.' },
  client_revoked: {
    kind: 'invalid',
    meaning: 'this OAuth client was revoked',
    remedy: 'Create a new client.',
  },
  not_disabled: {
    kind: 'invalid',
    meaning: 'this credential is not disabled',
    remedy: 'Adopt only a credential whose person was removed; use this one as it is.',
  },
  bad_redirect_uri: {
    kind: 'invalid',
    meaning: 'this is not a valid redirect URI',
    remedy:
      'Give the whole address as the app sends it: https, or http on 127.0.0.1, [::1] or localhost; no fragment, user name or wildcard.',
  },
  overlap_too_long: {
    kind: 'invalid',
    meaning: 'the overlap is longer than 7 days',
    remedy: 'Choose 0 seconds to 7 days.',
  },
} as const satisfies Reasons;

export const refuseCredential = refusalOf(credentialReasons);
