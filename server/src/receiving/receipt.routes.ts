import { Type } from 'typebox';
import { findMatches } from '../indexing/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  Code,
  forbidden,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { acceptReceipt } from './accept-receipt.js';
import { cancelReceipt } from './cancel-receipt.js';
import { RECEIPT_KINDS, RECEIPT_STATUSES } from './receipt.js';
import {
  AcceptanceBody,
  CancelReceiptBody,
  ReceiptBody,
  ReceiptView,
  SyncedReceiptView,
  toReceiptView,
} from './receipt.schemas.js';
import { findReceipt, listReceipts } from './receipt.store.js';
import { syncReceipt } from './sync-receipt.js';

const ById = Strict({ receiptId: Text(64) });
const tag = 'Receipts';

export function receiptRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listReceipts',
      path: '/v2/receipts',
      scope: 'receipts:read',
      tag,
      summary: 'List receipts, newest first',
      filters: {
        q: SearchText(
          'the receipt or purchase-order number or of the name or code of the supplier or customer',
        ),
        receiptNo: Type.Optional(Code()),
        status: Type.Optional(AnyOf(RECEIPT_STATUSES)),
        kind: Type.Optional(AnyOf(RECEIPT_KINDS)),
        supplierCode: Type.Optional(Code()),
      },
      item: ReceiptView,
      list: 'receipts',
      key: (receipt) => receipt.receiptId,
      updatedAt: (receipt) => receipt.updatedAt,
      sorts: { createdAt: null, receiptNo: (receipt) => receipt.receiptNo },
      isCounted: true,
      view: toReceiptView,
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        const matches = await findMatches(database, principal.orgId, q, ['receipt', 'partner']);
        return transact(database, principal, (tx) => listReceipts(tx, { ...filter, matches }, page));
      },
    }),
    readRoute({
      operationId: 'getReceipt',
      path: '/v2/receipts/:receiptId',
      scope: 'receipts:read',
      tag,
      summary: 'Read a receipt',
      params: ById,
      data: ReceiptView,
      async read({ principal, params }) {
        const receipt = await transact(database, principal, (tx) => findReceipt(tx, params.receiptId));
        if (!receipt) throw missing('receipt', 'receiptId');
        return toReceiptView(receipt);
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'createReceipt',
      path: '/v2/receipts',
      scope: 'receipts:write',
      tag,
      summary: 'Create or correct a receipt',
      description:
        'By `receiptNo`, as a full replacement, until acceptance. A return accepts only goods that the customer holds; ' +
        '`unmatched` needs the scope `quality:write`.',
      body: ReceiptBody,
      data: SyncedReceiptView,
      async execute(tx, { principal, body }) {
        const { receiptNo, ...input } = body;
        if (input.unmatched != null && !principal.scopes.has('quality:write'))
          throw forbidden('scope_missing', 'unmatched needs quality:write');
        const { receipt, result } = await syncReceipt(tx, receiptNo, input);
        return { ...toReceiptView(receipt), result };
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'recordReceiptAcceptance',
      path: '/v2/receipts/:receiptId/acceptance',
      scope: 'receipts:write',
      tag,
      summary: 'Accept or reject received goods',
      description: 'Can be done once. Accepted goods become stock; returned goods go on hold.',
      params: ById,
      body: AcceptanceBody,
      data: ReceiptView,
      execute: async (tx, { params, body }) =>
        toReceiptView(await acceptReceipt(tx, params.receiptId, body.lines)),
    }),
    cancelRoute(),
  ];
}

function cancelRoute(): Route {
  return writeRoute({
    method: 'POST',
    operationId: 'cancelReceipt',
    path: '/v2/receipts/:receiptId/cancel',
    scope: 'receipts:write',
    tag,
    summary: 'Cancel a receipt',
    description: 'The receipt number cannot be used again.',
    params: ById,
    body: CancelReceiptBody,
    data: ReceiptView,
    execute: async (tx, { params, body }) =>
      toReceiptView(await cancelReceipt(tx, params.receiptId, body.reason)),
  });
}
