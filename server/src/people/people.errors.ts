import { ApiError, type Reasons, refusalOf } from '../platform/errors/index.js';

export const peopleReasons = {
  email_taken: {
    kind: 'invalid',
    meaning: 'this person is already a member of this organization',
    remedy: 'Change their role instead.',
  },
  has_account: {
    kind: 'invalid',
    meaning: 'this person already has an account',
    remedy: 'Use another address.',
  },
  has_password: {
    kind: 'invalid',
    meaning: 'this person already has an account with a password of their own',
    remedy: 'Leave the password out: they sign in with the one they have.',
  },
  bad_email: {
    kind: 'invalid',
    meaning: 'this is not an e-mail address',
    remedy: 'Write it as `somebody@example.com`.',
  },
  sign_in_refused: {
    kind: 'unauthenticated',
    meaning: 'wrong e-mail or password',
    remedy: 'Check both; ask for a new password by e-mail if you do not know yours.',
  },
  code_refused: {
    kind: 'unauthenticated',
    meaning: 'the code is wrong, has expired or was used before',
    remedy: 'Enter the code that the app shows now, or an unused recovery code.',
  },
  sign_in_delayed: {
    kind: 'limited',
    meaning: 'too many failed attempts',
    remedy:
      'Wait as long as `Retry-After` says, a minute at most, or reset your password by e-mail to continue at once.',
  },
  password_wrong: {
    kind: 'invalid',
    meaning: 'this is not your password',
    remedy: 'Give the password of your account, which is the same in every organization.',
  },
  password_too_short: {
    kind: 'invalid',
    meaning: 'the password is shorter than 12 characters',
    remedy: 'Choose a longer one; several words are good.',
  },
  password_too_long: {
    kind: 'invalid',
    meaning: 'the password is longer than 256 characters',
    remedy: 'Choose a shorter one.',
  },
  password_common: {
    kind: 'invalid',
    meaning: 'this password is too common',
    remedy: 'Choose another one; several words that do not belong together are good.',
  },
  password_personal: {
    kind: 'invalid',
    meaning: 'the password is your address or the name of your organization',
    remedy: 'Choose another one.',
  },
  link_invalid: {
    kind: 'invalid',
    meaning: 'this link was used, has expired or was replaced by a newer one',
    remedy: 'Use the link in the newest e-mail, or ask for another one.',
  },
  too_many_invitations: {
    kind: 'limited',
    meaning:
      'this person, or your organization, was sent as many invitations as are allowed in a day or month',
    remedy: 'Ask the person to look for the earlier e-mails, also among junk; try again after `Retry-After`.',
  },
  second_factor_not_due: {
    kind: 'invalid',
    meaning: 'the session does not expect this step',
    remedy: 'Read `GET /v2/session`: its status says what comes next.',
  },
  second_factor_required: {
    kind: 'invalid',
    meaning: 'administrators need a second factor',
    remedy: 'Set up another one in its place, or let another administrator change your role.',
  },
  one_factor: {
    kind: 'invalid',
    meaning: 'give either `code` or `recoveryCode`',
    remedy: 'Send one of the two.',
  },
  no_second_factor: {
    kind: 'invalid',
    meaning: 'there is no second factor',
    remedy: 'Set one up first.',
  },
  last_administrator: {
    kind: 'invalid',
    meaning: 'this is the only administrator',
    remedy: 'Make another person an administrator first.',
  },
  user_removed: {
    kind: 'invalid',
    meaning: 'this person was removed',
    remedy: 'Invite them again.',
  },
  not_invited: {
    kind: 'invalid',
    meaning: 'this person has already accepted the invitation',
    remedy: 'They can ask for a new password themselves.',
  },
  own_second_factor: {
    kind: 'invalid',
    meaning: 'this is your own second factor',
    remedy: 'Remove it with your password, under your own account.',
  },
} as const satisfies Reasons;

export const refusePerson = refusalOf(peopleReasons);

type Unauthenticated = 'sign_in_refused' | 'code_refused';

export const refuseSignIn = (reason: Unauthenticated): ApiError =>
  new ApiError('unauthenticated', [{ path: null, reason, message: peopleReasons[reason].meaning }]);

const INVITE_AGAIN_SECONDS = '3600';

export const tooManyInvitations = (): ApiError => {
  const reason = 'too_many_invitations';
  return new ApiError('limited', [{ path: null, reason, message: peopleReasons[reason].meaning }], {
    headers: { 'retry-after': INVITE_AGAIN_SECONDS },
  });
};
