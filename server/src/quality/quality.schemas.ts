import { Type } from 'typebox';
import { BatchNo, SERIALS_MAX, Serials } from '../catalogue/index.js';
import {
  Code,
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  Quantity,
  Strict,
  Text,
} from '../platform/http/index.js';
import { DISPOSITION_KINDS, DISPOSITION_STATUSES, type Disposition } from './disposition.js';
import { LINES_MAX } from './disposition.rules.js';
import { NONCONFORMITY_SOURCES, NONCONFORMITY_STATUSES, type NonconformityRecord } from './nonconformity.js';

const Reason = () => Text(500);

export const NonconformityBody = Strict({
  productCode: Code(),
  batchNo: Type.Optional(BatchNo()),
  warehouse: Code(),
  quantity: Quantity(1),
  serials: Type.Optional(Serials()),
  reason: Reason(),
});

export const NonconformityView = Model('Nonconformity', {
  ncId: Type.String(),
  source: Type.Object({
    kind: OneOf(NONCONFORMITY_SOURCES),
    id: Nullable(Type.String({ description: 'The receipt; null for an entry by hand.' })),
    no: Nullable(Type.String()),
    line: Nullable(Type.Integer()),
  }),
  productCode: Type.String(),
  productName: Type.String({ description: 'The name when it was entered.' }),
  batchNo: Type.String(),
  expiryDate: Nullable(DateText()),
  serials: Type.Array(Type.String()),
  quantity: Type.Integer(),
  warehouse: Type.String(),
  supplierCode: Nullable(Type.String()),
  customerCode: Nullable(Type.String()),
  inStock: Type.Boolean({ description: 'False for goods rejected at acceptance, which never became stock.' }),
  reason: Type.String(),
  status: OneOf(NONCONFORMITY_STATUSES),
  openQuantity: Type.Integer({ description: 'What no disposition names yet.' }),
  proposedQuantity: Type.Integer({ description: 'In dispositions that wait for approval.' }),
  approvedQuantity: Type.Integer({ description: 'In approved dispositions that are not executed yet.' }),
  executedQuantity: Type.Integer(),
  releasedQuantity: Type.Integer({ description: 'Released with its hold, without a disposition.' }),
  adjustedQuantity: Type.Integer({ description: 'Taken out of stock by an adjustment.' }),
  holdIds: Type.Array(Type.String(), { description: 'The active holds its goods stand under.' }),
  dispositionIds: Type.Array(Type.String()),
  createdAt: Instant(),
  createdBy: Type.String(),
  closedAt: Nullable(Instant()),
  version: Type.Integer(),
  updatedAt: Instant(),
});

const Ids = (description: string) =>
  Type.Optional(Type.Array(Text(64), { minItems: 1, maxItems: LINES_MAX, uniqueItems: true, description }));

export const DispositionBody = Strict({
  kind: OneOf(DISPOSITION_KINDS),
  lines: Type.Optional(
    Type.Array(
      Strict({
        holdId: Type.Optional(Text(64)),
        ncId: Type.Optional(Text(64)),
        warehouse: Type.Optional(Code()),
        quantity: Type.Optional(Quantity(1)),
        serials: Type.Optional(
          Type.Array(Text(64), { minItems: 1, maxItems: SERIALS_MAX, uniqueItems: true }),
        ),
      }),
      {
        minItems: 1,
        maxItems: LINES_MAX,
        description:
          'Each names a hold or an entry of the register; without `quantity` and `serials`, all of it.',
      },
    ),
  ),
  holdIds: Ids('All goods of these holds.'),
  ncIds: Ids('All goods of these entries of the register.'),
  reason: Reason(),
  supplierCode: Type.Optional(
    Code('For a return to the supplier. Default: the supplier from whom the goods were received.'),
  ),
});

export const ApprovalBody = Strict({});
export const RejectionBody = Strict({ reason: Reason() });
export const ExecutionBody = Strict({
  witness: Type.Optional(Nullable(Text(200, 'Who saw the goods destroyed; required for a destruction.'))),
  carrier: Type.Optional(Nullable(Text(200))),
  trackingNo: Type.Optional(Nullable(Text(200))),
});

export const DispositionView = Model('Disposition', {
  dispositionId: Type.String(),
  dispositionNo: Type.String({ description: 'For people; counted by organization.', examples: ['DP-12'] }),
  kind: OneOf(DISPOSITION_KINDS),
  status: OneOf(DISPOSITION_STATUSES),
  reason: Type.String(),
  lines: Type.Array(
    Type.Object({
      lineNo: Type.Integer(),
      holdId: Nullable(Type.String()),
      ncId: Nullable(Type.String()),
      productCode: Type.String(),
      productName: Type.String({ description: 'The name when it was proposed.' }),
      batchNo: Type.String(),
      expiryDate: Nullable(DateText()),
      warehouse: Type.String(),
      quantity: Type.Integer(),
      serials: Type.Array(Type.String()),
    }),
  ),
  supplierCode: Nullable(Type.String()),
  supplierName: Nullable(Type.String()),
  proposedAt: Instant(),
  proposedBy: Type.String(),
  approvedAt: Nullable(Instant()),
  approvedBy: Nullable(Type.String()),
  rejectedAt: Nullable(Instant()),
  rejectedBy: Nullable(Type.String()),
  rejectReason: Nullable(Type.String()),
  executedAt: Nullable(Instant()),
  executedBy: Nullable(Type.String()),
  witness: Nullable(Type.String()),
  carrier: Nullable(Type.String()),
  trackingNo: Nullable(Type.String()),
  version: Type.Integer(),
  updatedAt: Instant(),
});

export const toNonconformityView = (entry: NonconformityRecord) => ({
  ...entry,
  openQuantity:
    entry.quantity -
    entry.proposedQuantity -
    entry.approvedQuantity -
    entry.executedQuantity -
    entry.releasedQuantity -
    entry.adjustedQuantity,
  createdAt: entry.createdAt.toISOString(),
  closedAt: entry.closedAt?.toISOString() ?? null,
  updatedAt: entry.updatedAt.toISOString(),
});

export const toDispositionView = (disposition: Disposition) => ({
  ...disposition,
  proposedAt: disposition.proposedAt.toISOString(),
  approvedAt: disposition.approvedAt?.toISOString() ?? null,
  rejectedAt: disposition.rejectedAt?.toISOString() ?? null,
  executedAt: disposition.executedAt?.toISOString() ?? null,
  updatedAt: disposition.updatedAt.toISOString(),
});
