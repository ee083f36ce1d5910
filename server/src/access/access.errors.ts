import { type Reasons, refusalOf } from '../platform/errors/index.js';
import { peopleReasons } from './people/people.errors.js';

export const accessReasons = {
  ...peopleReasons,
  customer_bound: {
    kind: 'forbidden',
    meaning: 'a credential bound to one customer may not do this, or named another customer',
    remedy: 'Use a credential of the organization itself.',
  },
  organization_code_taken: {
    kind: 'invalid',
    meaning: 'another organization has this code',
    remedy: 'Choose another code.',
  },
  email_taken: { kind: 'invalid', meaning: 'this e-mail address is in use', remedy: 'Use another address.' },
  bad_email: {
    kind: 'invalid',
    meaning: 'this is not an e-mail address',
    remedy: 'Write it as `somebody@example.com`.',
  },
  unknown_time_zone: {
    kind: 'invalid',
    meaning: 'this is not an IANA time zone',
    remedy: 'Use a name such as `Europe/Berlin` or `Asia/Shanghai`.',
  },
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
    meaning: 'nobody is known who could own this credential',
    remedy: 'Give the e-mail address of its owner.',
  },
  span_reversed: {
    kind: 'invalid',
    meaning: '`from` is not before `to`',
    remedy: 'Give an earlier `from`, or a later `to`.',
  },
  span_too_long: {
    kind: 'invalid',
    meaning: 'this is more than is shown at once',
    remedy: 'Ask for 31 days by the hour, or 92 by the day, at most.',
  },
  own_second_factor: {
    kind: 'invalid',
    meaning: 'this is your own second factor',
    remedy: 'Remove it with your password, under your own account.',
  },
  key_revoked: { kind: 'invalid', meaning: 'this key was revoked', remedy: 'Create a new key.' },
  client_revoked: {
    kind: 'invalid',
    meaning: 'this OAuth client was revoked',
    remedy: 'Create a new client.',
  },
  bad_redirect_uri: {
    kind: 'invalid',
    meaning: 'this is not an address to which people can be sent back',
    remedy:
      'Give the whole address as the app sends it: https, or http on 127.0.0.1, [::1] or localhost; no fragment, user name or wildcard.',
  },
  overlap_too_long: {
    kind: 'invalid',
    meaning: 'the overlap is longer than 7 days',
    remedy: 'Choose 0 seconds to 7 days.',
  },
} as const satisfies Reasons;

export const refuseAccess = refusalOf(accessReasons);
