import { SCOPES } from '../../src/access/index.js';
import { createClient, createKey } from '../../src/credentials/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { newPerson, newSession, type TestDatabase, type TestPerson } from '../harness/index.js';

/** Makes people and credentials of one organization that no test signs in with. */
export interface PeopleMakers {
  /** A user who only reads. */
  person(): Promise<string>;
  /** A user who has not accepted the invitation yet. */
  invited(): Promise<string>;
  withSecondFactor(): Promise<string>;
  key(): Promise<string>;
  client(): Promise<string>;
  /** The one that all of these know. */
  administrator(): Promise<TestPerson>;
  /** Returns the cookie of the administrator. */
  session(): Promise<string>;
}

export function peopleOf(db: TestDatabase, orgId: string, word: string): PeopleMakers {
  const during = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    transact(db.database, systemPrincipal(orgId, 'operator@test.example'), work);
  const person = async () => (await newPerson(db, orgId, 'viewer')).userId;
  let known: Promise<TestPerson> | undefined;
  const administrator = () => {
    known ??= newPerson(db, orgId, 'admin');
    return known;
  };
  const changed = async (change: string) => {
    const userId = await person();
    await db.sql(`update users set ${change} where user_id = $1`, [userId]);
    return userId;
  };
  const facts = { name: `${word} credential`, scopes: SCOPES, owner: `owner@${word}.example` };
  return {
    person,
    invited: () => changed("status = 'invited'"),
    withSecondFactor: () => changed("totp_sealed = 'sealed', totp_confirmed_at = now()"),
    key: async () => (await during((tx) => createKey(tx, facts))).keyId,
    client: async () => (await during((tx) => createClient(tx, facts))).clientId,
    administrator,
    session: async () => (await newSession(db, orgId, { person: await administrator() })).sessionId,
  };
}
