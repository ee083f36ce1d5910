import { recordAudit } from '../../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { refusePerson, refuseSignIn } from '../people.errors.js';
import { mailNotice } from '../people-mails.js';
import type { Account } from '../user.store.js';
import type { Visitor } from './console-session.js';
import {
  clearTotp,
  replaceRecoveryCodes,
  saveNextTotp,
  saveTotpConfirmed,
  takeRecoveryCode,
  takeTotpStep,
} from './factor.store.js';
import { factorPlace } from './sealed-factors.store.js';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, otpauthUri, stepOfCode } from './totp.js';

export type GivenFactor = { code: string } | { recoveryCode: string };

/** Consumes a code or a recovery code; false when it is not valid. */
export async function takeFactor(
  tx: Tx,
  account: Account,
  given: GivenFactor,
  box: SecretBox,
  visitor: Visitor,
): Promise<boolean> {
  if ('recoveryCode' in given) {
    if (!(await takeRecoveryCode(tx, account.userId, hashRecoveryCode(given.recoveryCode)))) return false;
    await mailNotice(tx, 'recovery_code_used', account, visitor.address);
    await recordAudit(tx, { action: 'user.use_recovery_code', entityType: 'user', entityId: account.userId });
    return true;
  }
  if (account.totpSealed === null) return false;
  const step = stepOfCode(
    box.open(account.totpSealed, factorPlace(tx.orgId, account.userId)),
    given.code,
    tx.now,
  );
  return step !== null && (await takeTotpStep(tx, account.userId, step));
}

export interface TotpSetup {
  secret: string;
  otpauthUri: string;
}

/** Generates a secret. The previous one stays valid until the first code of the new one is given. */
export async function beginTotp(tx: Tx, account: Account, box: SecretBox): Promise<TotpSetup> {
  const secret = newTotpSecret();
  await saveNextTotp(tx, account.userId, box.seal(secret, factorPlace(tx.orgId, account.userId)));
  return setupOf(secret, account);
}

/** The setup under way, or null. */
export const pendingTotp = (orgId: string, account: Account, box: SecretBox): TotpSetup | null =>
  account.totpNextSealed === null
    ? null
    : setupOf(box.open(account.totpNextSealed, factorPlace(orgId, account.userId)), account);

const setupOf = (secret: string, account: Account): TotpSetup => ({
  secret,
  otpauthUri: otpauthUri(secret, account.email, account.orgName),
});

/** Returns the recovery codes, which are never shown again. */
export async function confirmTotp(
  tx: Tx,
  account: Account,
  code: string,
  box: SecretBox,
  visitor: Visitor,
): Promise<string[]> {
  if (account.totpNextSealed === null) throw refusePerson('second_factor_not_due', null);
  const step = stepOfCode(
    box.open(account.totpNextSealed, factorPlace(tx.orgId, account.userId)),
    code,
    tx.now,
  );
  if (step === null) throw refuseSignIn('code_refused');
  await saveTotpConfirmed(tx, account.userId, step);
  await mailNotice(tx, 'second_factor_set', account, visitor.address);
  await recordAudit(tx, { action: 'user.set_second_factor', entityType: 'user', entityId: account.userId });
  return makeRecoveryCodes(tx, account);
}

export async function removeTotp(tx: Tx, account: Account, visitor: Visitor): Promise<void> {
  if (account.role === 'admin') throw refusePerson('second_factor_required', null);
  if (!account.secondFactor) throw refusePerson('no_second_factor', null);
  await clearTotp(tx, account.userId);
  await mailNotice(tx, 'second_factor_removed', account, visitor.address);
  await recordAudit(tx, {
    action: 'user.remove_second_factor',
    entityType: 'user',
    entityId: account.userId,
  });
}

/** Invalidates all earlier recovery codes. */
export async function makeRecoveryCodes(tx: Tx, account: Account): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, account.userId, codes.map(hashRecoveryCode));
  await recordAudit(tx, { action: 'user.make_recovery_codes', entityType: 'user', entityId: account.userId });
  return codes;
}
