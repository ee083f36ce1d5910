import { statement, type Tx } from '../../platform/database/index.js';

const setNext = statement('update users set totp_next_sealed = $3 where org_id = $1 and user_id = $2');
const confirm = statement(`
  update users set totp_sealed = totp_next_sealed, totp_next_sealed = null, totp_confirmed_at = $3, totp_last_step = $4
  where org_id = $1 and user_id = $2`);
const clear = statement(`
  update users set totp_sealed = null, totp_next_sealed = null, totp_confirmed_at = null, totp_last_step = null
  where org_id = $1 and user_id = $2`);
const takeStep = statement(`
  update users set totp_last_step = $3
  where org_id = $1 and user_id = $2 and (totp_last_step is null or totp_last_step < $3) returning user_id`);
const insertCodes = statement(`
  insert into recovery_codes (org_id, user_id, code_hash) select $1, $2, unnest($3::bytea[])`);
const deleteCodes = statement('delete from recovery_codes where org_id = $1 and user_id = $2');
const useCode = statement(`
  update recovery_codes set used_at = $4
  where org_id = $1 and user_id = $2 and code_hash = $3 and used_at is null returning user_id`);

export async function saveNextTotp(tx: Tx, userId: string, sealed: string): Promise<void> {
  await tx.query(setNext, [tx.orgId, userId, sealed]);
}

/** Activates the pending secret; its first code was of `step`. */
export async function saveTotpConfirmed(tx: Tx, userId: string, step: number): Promise<void> {
  await tx.query(confirm, [tx.orgId, userId, tx.now, step]);
}

export async function clearTotp(tx: Tx, userId: string): Promise<void> {
  await tx.query(clear, [tx.orgId, userId]);
  await tx.query(deleteCodes, [tx.orgId, userId]);
}

/** False when a code of this or a later step was used before. True for exactly one of two concurrent calls. */
export async function takeTotpStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  return (await tx.query(takeStep, [tx.orgId, userId, step])).length > 0;
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.query(deleteCodes, [tx.orgId, userId]);
  await tx.query(insertCodes, [tx.orgId, userId, hashes]);
}

/** False when the code is unknown or was used before. */
export async function takeRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  return (await tx.query(useCode, [tx.orgId, userId, hash, tx.now])).length > 0;
}
