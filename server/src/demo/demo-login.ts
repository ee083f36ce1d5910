import { randomInt } from 'node:crypto';
import type { Organization } from '../organizations/index.js';
import {
  firstAdministrator,
  givePassword,
  hashNewPassword,
  isPasswordOfUser,
  OURSELVES,
} from '../people/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { claimDemoStep } from './demo.store.js';
import { type DemoLogin, keepLogin, readKeptLogin } from './kept-keys.js';

const SYLLABLES = [...'bdfgklmnprstvz'].flatMap((consonant) =>
  [...'aeiou'].map((vowel) => consonant + vowel),
);
const WORDS = 5;
const SYLLABLES_PER_WORD = 2;

/** `tovi-lape-runo-dize-kamu`: 61 random bits that can be read from one screen and typed at another. */
const readablePassword = (): string =>
  Array.from({ length: WORDS }, () =>
    Array.from({ length: SYLLABLES_PER_WORD }, () => SYLLABLES[randomInt(SYLLABLES.length)]).join(''),
  ).join('-');

/**
 * Returns how to sign in to the demo. Users without a password get a generated one, once. It is kept in the file of the keys
 * and shown until the administrator changes it. Null if the password is not known.
 */
export async function demoLogin(
  database: Database,
  organization: Organization,
  others: readonly string[],
  { password, file }: { password: string | null; file: string | null },
): Promise<DemoLogin | null> {
  const principal = systemPrincipal(organization.orgId, others[0] ?? '', organization);
  return transact(database, principal, async (tx) => {
    if (await claimDemoStep(tx, 'logins')) {
      const login = { password: password ?? readablePassword(), emails: [] as string[] };
      const admin = (await firstAdministrator(tx)) ?? '';
      const about = { email: admin, organization: organization.name };
      const hash = await hashNewPassword(login.password, about, OURSELVES, 'LOTWARD_ADMIN_PASSWORD');
      for (const email of [admin, ...others])
        if (await givePassword(tx, email, hash)) login.emails.push(email);
      // Written before the commit, like the keys: a password that was never written down is lost.
      if (file !== null) keepLogin(file, login);
      return login;
    }
    const kept = file === null ? null : readKeptLogin(file);
    return kept && (await isPasswordOfUser(tx, kept.emails[0] ?? '', kept.password)) ? kept : null;
  });
}
