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
import { openFactor, sealFactor } from './sealed-factors.store.js';
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
    if (!(await takeRecoveryCode(tx, account.email, hashRecoveryCode(given.recoveryCode)))) return false;
    await mailNotice(tx, 'recovery_code_used', account, visitor.address);
    await recordAudit(tx, { action: 'user.use_recovery_code', entityType: 'user', entityId: account.userId });
    return true;
  }
  if (account.totpSealed === null) return false;
  const step = stepOfCode(openFactor(box, account, account.totpSealed), given.code, tx.now);
  return step !== null && (await takeTotpStep(tx, account.email, step));
}

export interface TotpSetup {
  secret: string;
  otpauthUri: string;
}

/** Generates a secret. The previous one stays valid until the first code of the new one is given. */
export async function beginTotp(tx: Tx, account: Account, box: SecretBox): Promise<TotpSetup> {
  const secret = newTotpSecret();
  await saveNextTotp(tx, account.email, sealFactor(box, account.email, secret));
  return setupOf(secret, account);
}

/** The setup in progress, or null. */
export const pendingTotp = (account: Account, box: SecretBox): TotpSetup | null =>
  account.totpNextSealed === null ? null : setupOf(openFactor(box, account, account.totpNextSealed), account);

const setupOf = (secret: string, account: Account): TotpSetup => ({
  secret,
  otpauthUri: otpauthUri(secret, account.email, account.orgName),
});

/** Returns the recovery codes, which are never shown again, and the new generation of the account. */
export async function confirmTotp(
  tx: Tx,
  account: Account,
  code: string,
  box: SecretBox,
  visitor: Visitor,
): Promise<{ recoveryCodes: string[]; generation: number }> {
  if (account.totpNextSealed === null) throw refusePerson('second_factor_not_due', null);
  const secret = openFactor(box, account, account.totpNextSealed);
  const step = stepOfCode(secret, code, tx.now);
  if (step === null) throw refuseSignIn('code_refused');
  const sealed = sealFactor(box, account.email, secret);
  const generation = await saveTotpConfirmed(tx, account.email, { sealed, step });
  await mailNotice(tx, 'second_factor_set', account, visitor.address);
  await recordAudit(tx, { action: 'user.set_second_factor', entityType: 'user', entityId: account.userId });
  return { recoveryCodes: await makeRecoveryCodes(tx, account), generation };
}

/** Returns the new generation of the account. */
export async function removeTotp(tx: Tx, account: Account, visitor: Visitor): Promise<number> {
  if (account.role === 'admin') throw refusePerson('second_factor_required', null);
  if (!account.secondFactor) throw refusePerson('no_second_factor', null);
  const generation = await clearTotp(tx, account.email);
  await mailNotice(tx, 'second_factor_removed', account, visitor.address);
  await recordAudit(tx, {
    action: 'user.remove_second_factor',
    entityType: 'user',
    entityId: account.userId,
  });
  return generation;
}

/** Invalidates all earlier recovery codes. */
export async function makeRecoveryCodes(tx: Tx, account: Account): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, account.email, codes.map(hashRecoveryCode));
  await recordAudit(tx, { action: 'user.make_recovery_codes', entityType: 'user', entityId: account.userId });
  return codes;
}
