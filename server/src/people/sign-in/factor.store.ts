import { statement, type Tx } from '../../platform/database/index.js';

const setNext = statement('update accounts set totp_next_sealed = $2 where email = $1');
const confirm = statement(`
  update accounts set totp_sealed = $2, totp_next_sealed = null, totp_confirmed_at = $3, totp_last_step = $4,
    sealed_for_org = null, sealed_for_user = null, generation = generation + 1
  where email = $1 returning generation`);
const clear = statement(`
  update accounts set totp_sealed = null, totp_next_sealed = null, totp_confirmed_at = null, totp_last_step = null,
    sealed_for_org = null, sealed_for_user = null, generation = generation + 1
  where email = $1 returning generation`);
const takeStep = statement(`
  update accounts set totp_last_step = $2
  where email = $1 and (totp_last_step is null or totp_last_step < $2) returning 1`);
const insertCodes = statement(`
  insert into account_recovery_codes (email, code_hash) select $1, unnest($2::bytea[])`);
const deleteCodes = statement('delete from account_recovery_codes where email = $1');
const useCode = statement(`
  update account_recovery_codes set used_at = $3
  where email = $1 and code_hash = $2 and used_at is null returning 1`);

export async function saveNextTotp(tx: Tx, email: string, sealed: string): Promise<void> {
  tx.send(setNext, [email, sealed]);
}

/** Activates the secret, whose first code was of `step`. Returns the new generation of the account. */
export async function saveTotpConfirmed(
  tx: Tx,
  email: string,
  { sealed, step }: { sealed: string; step: number },
): Promise<number> {
  const [row] = await tx.query<{ generation: number }>(confirm, [email, sealed, tx.now, step]);
  return row?.generation ?? 0;
}

/** Returns the new generation of the account. */
export async function clearTotp(tx: Tx, email: string): Promise<number> {
  tx.send(deleteCodes, [email]);
  const [row] = await tx.query<{ generation: number }>(clear, [email]);
  return row?.generation ?? 0;
}

/** False when a code of this or a later step was used before. True for exactly one of two concurrent calls. */
export async function takeTotpStep(tx: Tx, email: string, step: number): Promise<boolean> {
  return (await tx.query(takeStep, [email, step])).length > 0;
}

export async function replaceRecoveryCodes(tx: Tx, email: string, hashes: readonly Buffer[]): Promise<void> {
  tx.send(deleteCodes, [email]);
  tx.send(insertCodes, [email, hashes]);
}

/** False when the code is unknown or was used before. */
export async function takeRecoveryCode(tx: Tx, email: string, hash: Buffer): Promise<boolean> {
  return (await tx.query(useCode, [email, hash, tx.now])).length > 0;
}
