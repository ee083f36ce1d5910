import { recordAudit } from '../audit/index.js';
import { partnerIssues, readNamedPartners } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { refuseAny, unknownReference } from '../platform/errors/index.js';
import { newId } from '../platform/ids/index.js';
import {
  batchKey,
  lockStockedProducts,
  readBatchDates,
  readHeldGoods,
  readHoldsNamed,
  readSuppliersOfBatches,
} from '../stock/index.js';
import type { Disposition, DispositionKind, DispositionLine } from './disposition.js';
import {
  type DispositionRequest,
  LINES_MAX,
  type NamedGoods,
  namedGoods,
  planLines,
} from './disposition.rules.js';
import { readClaims, saveNewDisposition } from './disposition.store.js';
import { readDisposition } from './load-disposition.js';
import type { Nonconformity } from './nonconformity.js';
import { lockNonconformities, shiftNonconformity } from './nonconformity.store.js';
import { refuseQuality } from './quality.errors.js';

export interface Proposal extends DispositionRequest {
  kind: DispositionKind;
  reason: string;
  supplierCode?: string | undefined;
}

/** Proposes a disposition for goods on hold or in the register. Until it is decided, nothing else can claim them. */
export async function proposeDisposition(tx: Tx, proposal: Proposal): Promise<Disposition> {
  const named = namedGoods(proposal);
  const ids = {
    holdIds: named.flatMap(({ holdId }) => holdId ?? []),
    ncIds: named.flatMap(({ ncId }) => ncId ?? []),
  };
  // The products are known before the lock, the remaining goods only under it.
  const holds = await readHoldsNamed(tx, ids);
  const products = await lockStockedProducts(tx, [...new Set(holds.map((hold) => hold.productCode))].sort());
  const entries = await lockNonconformities(tx, [
    ...new Set([...ids.ncIds, ...holds.flatMap((hold) => hold.ncId ?? [])]),
  ]);
  refuseAny(unknownGoods(named, new Set(holds.map((hold) => hold.holdId)), entries));
  const held = await readHeldGoods(tx, products, ids);
  const claims = await readClaims(tx, { holdIds: held.map(({ hold }) => hold.holdId), ncIds: ids.ncIds });
  const portions = planLines(named, { held, entries, claims });
  if (portions.length > LINES_MAX)
    throw refuseQuality('too_many_lines', '/lines', `at most ${LINES_MAX} lines`);
  const expiry = await readBatchDates(tx, portions);
  const lines: DispositionLine[] = portions.map((portion, i) => {
    const entry = portion.ncId === null ? undefined : entries.get(portion.ncId);
    const dates = expiry.get(batchKey(portion));
    return {
      ...portion,
      lineNo: i + 1,
      productName:
        products.get(portion.productCode)?.productName ?? entry?.productName ?? portion.productCode,
      expiryDate: dates?.expiryDate ?? entry?.expiryDate ?? null,
    };
  });
  const supplier =
    proposal.kind === 'return_to_supplier'
      ? await supplierOf(tx, proposal.supplierCode, lines, entries)
      : null;
  const dispositionId = newId('dpn', tx.now);
  const { kind, reason } = proposal;
  await saveNewDisposition(tx, {
    ...{ dispositionId, kind, reason, lines },
    supplierCode: supplier?.code ?? null,
    supplierName: supplier?.name ?? null,
  });
  for (const { ncId, quantity } of lines) if (ncId) shiftNonconformity(tx, ncId, { proposed: quantity });
  const proposed = await readDisposition(tx, dispositionId);
  await recordAudit(tx, {
    action: 'disposition.propose',
    entityType: 'disposition',
    entityId: dispositionId,
    reason,
    after: proposed,
  });
  return proposed;
}

function unknownGoods(
  named: readonly NamedGoods[],
  holds: ReadonlySet<string>,
  entries: ReadonlyMap<string, Nonconformity>,
) {
  return named.flatMap(({ path, holdId, ncId }) => {
    const at = (field: string) => (path.startsWith('/lines') ? `${path}/${field}` : path);
    if (holdId !== undefined && !holds.has(holdId))
      return [unknownReference(at('holdId'), `Hold ${holdId}`, 'List the holds with GET /v2/stock/holds.')];
    if (ncId !== undefined && !entries.has(ncId))
      return [
        unknownReference(
          at('ncId'),
          `Nonconformity ${ncId}`,
          'List the register with GET /v2/quality/nonconformities.',
        ),
      ];
    return [];
  });
}

/** The supplier named, or else the one from whom all the goods were received. */
async function supplierOf(
  tx: Tx,
  given: string | undefined,
  lines: readonly DispositionLine[],
  entries: ReadonlyMap<string, Nonconformity>,
): Promise<{ code: string; name: string }> {
  const code = given ?? (await receivedFrom(tx, lines, entries));
  const partner = (await readNamedPartners(tx, [code])).get(code);
  refuseAny(partnerIssues('/supplierCode', code, 'supplier', partner));
  if (!partner) throw new Error('an unknown partner was not refused');
  return { code, name: partner.name };
}

async function receivedFrom(
  tx: Tx,
  lines: readonly DispositionLine[],
  entries: ReadonlyMap<string, Nonconformity>,
): Promise<string> {
  const codes = new Set<string>();
  const batches = lines.filter(({ ncId }) => {
    const known = ncId === null ? null : (entries.get(ncId)?.supplierCode ?? null);
    if (known !== null) codes.add(known);
    return known === null;
  });
  for (const code of await readSuppliersOfBatches(tx, batches)) codes.add(code);
  const [only] = codes;
  if (only === undefined || codes.size > 1)
    throw refuseQuality(
      'supplier_required',
      '/supplierCode',
      codes.size > 1
        ? `received from ${[...codes].sort().join(', ')}`
        : 'no supplier is on record for these goods',
    );
  return only;
}
