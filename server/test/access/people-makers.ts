import { SCOPES } from '../../src/access/index.js';
import { createClient, createKey } from '../../src/credentials/index.js';
import { saveArtifact } from '../../src/oauth/artifact.store.js';
import { saveGrantSettled } from '../../src/oauth/grant.store.js';
import { createOrganization } from '../../src/organizations/index.js';
import { type Tx, transact } from '../../src/platform/database/index.js';
import { newId } from '../../src/platform/ids/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { hashToken } from '../../src/platform/secrets/index.js';
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
  /** Refused since their person was removed. */
  disabledKey(): Promise<string>;
  disabledClient(): Promise<string>;
  /** Owned by the administrator. */
  ownKey(): Promise<string>;
  /** Given by the administrator. */
  grant(): Promise<string>;
  /** Opened past the limit of five. */
  sandbox(): Promise<string>;
  /** The one that all of these know. */
  administrator(): Promise<TestPerson>;
  /** Returns the cookie of the administrator. */
  session(): Promise<string>;
}

const DISABLED = "disabled_at = now(), disabled_reason = 'owner_ended'";

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
    withSecondFactor: async () => {
      const { userId, email } = await newPerson(db, orgId, 'viewer');
      await db.sql("update accounts set totp_sealed = 'sealed', totp_confirmed_at = now() where email = $1", [
        email,
      ]);
      return userId;
    },
    key: async () => (await during((tx) => createKey(tx, facts))).keyId,
    client: async () => (await during((tx) => createClient(tx, facts))).clientId,
    disabledKey: async () => {
      const { keyId } = await during((tx) => createKey(tx, facts));
      await db.sql(`update api_keys set ${DISABLED} where key_id = $1`, [keyId]);
      return keyId;
    },
    disabledClient: async () => {
      const { clientId } = await during((tx) => createClient(tx, facts));
      await db.sql(`update oauth_clients set ${DISABLED} where client_id = $1`, [clientId]);
      return clientId;
    },
    ownKey: async () => {
      const { email } = await administrator();
      return (await during((tx) => createKey(tx, { ...facts, owner: email }))).keyId;
    },
    grant: async () => {
      const { userId } = await administrator();
      const { clientId } = await during((tx) => createClient(tx, facts));
      const grantId = newId('grant', db.clock.now());
      const expiresAt = new Date(db.clock.now().getTime() + 86_400_000);
      await saveArtifact(db.database.app, {
        model: 'Grant',
        idHash: hashToken(grantId),
        payload: { accountId: userId, clientId, resources: { 'urn:lotward:api': 'products:read' } },
        clientId,
        grantHash: null,
        expiresAt,
      });
      await during((tx) => saveGrantSettled(tx, hashToken(grantId), 1));
      return hashToken(grantId).toString('base64url');
    },
    sandbox: async () => {
      const code = newId('sandbox', db.clock.now());
      const input = { code, name: word, sandboxOf: orgId };
      const made = await createOrganization(db.database, 'operator@test.example', input);
      await db.sql("insert into sandboxes values ($1, $2, $3, $4, 'empty', now(), 'somebody', now())", [
        orgId,
        made.orgId,
        code,
        word,
      ]);
      return made.orgId;
    },
    administrator,
    session: async () => (await newSession(db, orgId, { person: await administrator() })).sessionId,
  };
}
