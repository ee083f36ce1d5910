/*
 * Lines that can be taken away without letting anybody in: no test can notice, and none should. Each is named by its
 * file, the line it stands in and what is taken away; one that is not found any more, or that a test does notice, fails
 * the run.
 */
const UNREACHABLE =
  'says that something cannot be; without it the next line fails, and the answer is a 500 all the same';
const OWN_KEY = 'the row in conflict has the key of the row to insert, which begins with this organization';
const OWN_ROWS = 'it filters rows that their owner publishes for one organization, the same one';
const GIVEN_AS_WELL =
  'both sides are $1 by other conditions; it lets a distributed database join them on one node';

export const equivalents = [
  {
    file: 'server/src/organizations/organization.store.ts',
    line: "if (!row) throw new Error('organization of the transaction not found');",
    was: '!row',
    why: `organizations are never deleted; ${UNREACHABLE}`,
  },
  {
    file: 'server/src/access/authenticator.ts',
    line: 'if (!credential || !isAllowedTransport(credential, presented)) return null;',
    was: '!isAllowedTransport(credential, presented)',
    why: 'only streams that were let in are recognized again, by the same headers: the way they came was judged then',
  },
  {
    file: 'server/src/access/authenticator.ts',
    line: 'return credential.allows(address) ? credential.principal : null;',
    was: 'credential.allows(address)',
    why: 'neither the address of a stream nor the list of a credential changes; they were compared when it was let in',
  },
  {
    file: 'server/src/oauth/access-tokens.ts',
    line: 'if (!key) return null;',
    was: '!key',
    why: 'no signature can be verified without a key: that throws, and is answered with the same null',
  },
  {
    file: 'server/src/oauth/access-tokens.ts',
    line: "return typeof kid === 'string' ? kid : null;",
    was: "typeof kid === 'string'",
    why: 'the names of keys are texts: nothing else equals one, so that no key is found',
  },
  {
    file: 'server/src/oauth/client-authentication.ts',
    line: 'if (colon < 1) return null;',
    was: 'colon < 1',
    why: 'what is read without a colon, or without a name before it, is the name of no client',
  },
  {
    file: 'server/src/oauth/consent.routes.ts',
    line: "if (token === null || principal?.session?.state !== 'complete') return signInAndReturn(request);",
    was: 'token === null',
    why: 'without a token there is no principal, which is asked next',
  },
  {
    file: 'server/src/oauth/consent.routes.ts',
    line: "if (error.error === 'invalid_request') return null;",
    was: "error.error === 'invalid_request'",
    why: 'the request is refused with 400 invalid_request either way; only the words differ',
  },
  {
    file: 'server/src/oauth/issuer.ts',
    line: 'if (other === null || other.origin !== name) return false;',
    was: 'other === null',
    why: 'without it reading the issuer throws, where any failure means that the token is bad',
  },
  {
    file: 'server/src/oauth/oauth-resolver.ts',
    line: 'FORM.test(token) ? tokens.read(token).then((claims) => (claims ? tokens.judge(claims) : REFUSED)) : null;',
    was: 'FORM.test(token)',
    why: 'what is not formed like a token cannot be read as one and is refused; it only saves the reading',
  },
  {
    file: 'server/src/oauth/keyring.ts',
    line: "if (!made) throw new Error('there is no key to sign with');",
    was: '!made',
    why: UNREACHABLE,
  },
  {
    file: 'server/src/people/sign-in/device.ts',
    line: "return typeof mark.account === 'string' && typeof mark.device === 'string' ? mark : null;",
    was: "typeof mark.account === 'string'",
    why: 'the account is compared with a text afterwards',
  },
  {
    file: 'server/src/people/sign-in/device.ts',
    line: "return typeof mark.account === 'string' && typeof mark.device === 'string' ? mark : null;",
    was: "typeof mark.device === 'string'",
    why: 'nobody but the service can seal a mark, and it always seals both',
  },
  {
    file: 'server/src/people/sign-in/session-view.ts',
    line: "if (!call.principal || !session) throw new Error('a console route was called without a session');",
    was: '!call.principal',
    why: 'without a principal there is no session either, which is asked next',
  },
  {
    file: 'server/src/people/sign-in/session-view.ts',
    line: "if (!call.principal || !session) throw new Error('a console route was called without a session');",
    was: '!session',
    why: `the matrix proves that such routes are entered with a session only; ${UNREACHABLE}`,
  },
  {
    file: 'server/src/people/sign-in/link-token.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: 'return org ? `org_${org}` : null;',
    was: 'org',
    why: 'an organization that is not named has no links: none is found, and the same is said',
  },
  {
    file: 'server/src/people/sign-in/mailed-links.ts',
    line: "if (orgId === null) throw refusePerson('link_invalid', '/token');",
    was: 'orgId === null',
    why: 'an organization that is not named has no links: none is found, and the same is said',
  },
  {
    file: 'server/src/people/manage-users.ts',
    line: "if (!user) throw missing('user', 'userId');",
    was: '!user',
    why: 'it reads somebody who was locked or written in the same transaction',
  },
  {
    file: 'server/src/people/sign-in/own-account.ts',
    line: "if (!account) throw missing('account', null);",
    was: '!account',
    why: `no role may delete people, and a session belongs to one; ${UNREACHABLE}`,
  },
  {
    file: 'server/src/people/sign-in/password-hash.ts',
    line: 'return isSame && stored !== null;',
    was: 'stored !== null',
    why: 'a password would have to equal 32 characters drawn at random by the process',
  },
  {
    file: 'server/src/people/sign-in/password.rules.ts',
    line: "return own.some((each) => each !== '' && (text === each || (word !== '' && word === wordIn(each))));",
    was: "each !== ''",
    why: 'an empty password is too short, and an empty word is excluded beside it',
  },
  {
    file: 'server/src/people/sign-in/session.routes.ts',
    line: "if (!principal.session) throw new Error('a route of the console was entered without a session');",
    was: '!principal.session',
    why: `the matrix proves that such routes are entered with a session only; ${UNREACHABLE}`,
  },
  {
    file: 'server/src/people/sign-in/second-factor.ts',
    line: 'return step !== null && (await takeTotpStep(tx, account.email, step));',
    was: 'step !== null',
    why: 'no step is later than none: the statement takes nothing, and says so',
  },
  {
    file: 'server/src/people/sign-in/session-token.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: 'return org && session ? { orgId: `org_${org}`, sessionId: `ses_${session}` } : null;',
    was: 'org',
    why: 'a token is read whole or not at all: both are there, or neither',
  },
  {
    file: 'server/src/people/sign-in/session-token.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: 'return org && session ? { orgId: `org_${org}`, sessionId: `ses_${session}` } : null;',
    was: 'session',
    why: 'a token is read whole or not at all: both are there, or neither',
  },
  {
    file: 'server/src/people/sign-in/sign-in-page.routes.ts',
    line: "if (!(error instanceof ApiError) || error.kind === 'internal') throw error;",
    was: '!(error instanceof ApiError)',
    why: 'there is no row for what is no error of ours: showing it fails, and the answer is a 500 all the same',
  },
  {
    file: 'server/src/people/sign-in/sign-in-page.routes.ts',
    line: "if (!isEmail(email) || /\\p{Cc}/u.test(email)) throw refuseSignIn('sign_in_refused');",
    was: '!isEmail(email)',
    why: 'nobody has an address that is none, and who does not exist is refused in the same words',
  },
  {
    file: 'server/src/people/sign-in/sign-in.ts',
    line: "if (!account || !right) throw refuseSignIn('sign_in_refused');",
    was: '!account',
    why: 'without an account there is no hash, and no password is right',
  },
  {
    file: 'server/src/people/sign-in/sign-in.ts',
    line: 'if (!asked || !current || current.passwordHash !== account.passwordHash || !maySignIn(current))',
    was: '!current',
    why: `no role may delete people; ${UNREACHABLE}`,
  },
  {
    file: 'server/src/people/sign-in/totp.ts',
    line: 'if (!/^\\d{6}$/.test(code)) return null;',
    was: '!/^\\d{6}$/.test(code)',
    why: 'a code is compared as a text of six digits: nothing else equals one',
  },
  {
    file: 'server/src/organizations/organization.routes.ts',
    line: "if (!organization) throw missing('organization', null);",
    was: '!organization',
    why: 'organizations are never deleted, and the caller belongs to one',
  },
  {
    file: 'server/src/credentials/whoami.routes.ts',
    line: "if (!organization) throw missing('organization', null);",
    was: '!organization',
    why: 'organizations are never deleted, and the caller belongs to one',
  },
  {
    file: 'server/src/platform/http/answers.ts',
    line: "if (!principal) throw new Error('route handler called without a principal');",
    was: '!principal',
    why: `the gate admits nobody without one; ${UNREACHABLE}`,
  },
  {
    file: 'server/src/people/membership.store.ts',
    line: 'where m.org_id = $1`);',
    was: 'm.org_id = $1',
    why: OWN_KEY,
  },
  {
    file: 'server/src/people/sign-in/refusals.store.ts',
    line: 'where r.org_id = $1 returning 1`);',
    was: 'r.org_id = $1',
    why: OWN_KEY,
  },
  {
    file: 'server/src/tracing/holdings.store.ts',
    line: "const stock = new Filter('b.org_id = $1 and b.product_code = $2', [tx.orgId, productCode, today]);",
    was: 'b.org_id = $1',
    why: OWN_ROWS,
  },
  {
    file: 'server/src/tracing/holdings.store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: 'const own = `m.org_id = $1 and m.product_code = $2${batchPlace}${untilPlace}`;',
    was: 'm.org_id = $1',
    why: OWN_ROWS,
  },
  {
    file: 'server/src/tracing/trace.store.ts',
    line: `const received = new Filter("m.org_id = $1 and m.product_code = $2 and m.counterparty_type = 'supplier'", [`,
    was: 'm.org_id = $1',
    why: OWN_ROWS,
  },
  {
    file: 'server/src/stock/reservation.store.ts',
    line: 'join batches t on t.org_id = $1 and t.org_id = g.org_id and t.product_code = r.product_code and t.batch_no = r.batch_no',
    was: 't.org_id = g.org_id',
    why: GIVEN_AS_WELL,
  },
  {
    file: 'server/src/stock/stock-change.store.ts',
    line: 'join balances b on b.org_id = $1 and b.org_id = t.org_id and b.product_code = t.product_code and b.batch_no = t.batch_no',
    was: 'b.org_id = t.org_id',
    why: GIVEN_AS_WELL,
  },
  {
    file: 'server/src/stock/balance.store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: "left join balances o on ${isOfBatch('o')} and o.org_id = n.org_id and o.warehouse = n.warehouse",
    was: 'o.org_id = n.org_id',
    why: GIVEN_AS_WELL,
  },
  {
    file: 'server/src/stock/balance.store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: "from ${organizationRow('h')}) s on s.org_id = n.org_id`;",
    was: 's.org_id = n.org_id',
    why: GIVEN_AS_WELL,
  },
  {
    file: 'server/src/stock/balance.store.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of code as it stands
    line: "join batches t on ${isOfBatch('t')} and t.org_id = b.org_id",
    was: 't.org_id = b.org_id',
    why: GIVEN_AS_WELL,
  },
];
