import { Type } from 'typebox';
import { CERTIFICATE_SUBJECT_TYPES } from '../certificates/index.js';
import { CERTIFICATE_GATES } from '../organizations/index.js';
import { DateText, Model, Nullable, OneOf } from '../platform/http/index.js';
import { HOLD_CATEGORIES } from '../stock/index.js';
import type { LineReadiness, Readiness } from './read-readiness.js';

const goods = {
  batchNo: Type.String(),
  expiryDate: Nullable(DateText()),
  quantity: Type.Integer(),
};

const SourcesView = Type.Object(
  {
    reservations: Type.Array(
      Type.Object({
        orderId: Type.String(),
        orderNo: Type.String(),
        customerName: Type.String(),
        requestedDate: Nullable(DateText()),
        ...goods,
      }),
      {
        description:
          'Of orders with a later requested date, or the same and created later, that nobody picks yet: the latest first, at most 20 of a product.',
      },
    ),
    holds: Type.Array(
      Type.Object({
        holdId: Type.String(),
        category: OneOf(HOLD_CATEGORIES),
        reason: Type.String(),
        ...goods,
      }),
    ),
    receipts: Nullable(
      Type.Array(Type.Object({ receiptId: Type.String(), receiptNo: Type.String(), ...goods }), {
        description: 'Purchases that wait for acceptance; null without `receipts:read`.',
      }),
    ),
    warehouses: Type.Array(Type.Object({ warehouse: Type.String(), quantity: Type.Integer() }), {
      description: 'Available in other warehouses.',
    }),
  },
  { description: 'Where the missing quantity could come from; empty while nothing is missing.' },
);

const LineView = Type.Object({
  lineNo: Type.Integer(),
  productCode: Type.String(),
  neededQuantity: Type.Integer({ description: 'Ordered, and neither shipped nor reserved.' }),
  availableQuantity: Type.Integer({
    description:
      'Of batches that suit the line, in the warehouse of the order, less what the lines before it need.',
  }),
  missingQuantity: Type.Integer(),
  batches: Type.Array(Type.Object(goods), { description: 'What would be reserved now.' }),
  sources: SourcesView,
});

export const ReadinessView = Model('OrderReadiness', {
  orderId: Type.String(),
  suspensions: Type.Array(
    Type.Object({ path: Nullable(Type.String()), reason: Type.String(), message: Type.String() }),
    { description: 'A suspended customer or product, for which approval is refused.' },
  ),
  certificates: Nullable(
    Type.Object(
      {
        gate: OneOf(CERTIFICATE_GATES, 'Whether a lack refuses the approval or becomes a warning.'),
        subjects: Type.Array(
          Type.Object({
            subjectType: OneOf(CERTIFICATE_SUBJECT_TYPES),
            subjectCode: Type.String(),
            inForce: Type.Array(
              Type.Object({
                certificateNo: Type.String(),
                type: Type.String(),
                validTo: Nullable(DateText()),
              }),
            ),
            issues: Type.Array(
              Type.Object({
                reason: Type.String(),
                message: Type.String(),
                certificateType: Type.String(),
                productCode: Nullable(
                  Type.String({ description: 'The product that the certificates do not cover.' }),
                ),
              }),
            ),
          }),
        ),
      },
      { description: 'Null without `certificates:read`.' },
    ),
  ),
  lines: Nullable(
    Type.Array(LineView, { description: 'Lines that need stock; null without `inventory:read`.' }),
  ),
});

const toGoods = ({
  batchNo,
  expiryDate,
  quantity,
}: {
  batchNo: string;
  expiryDate: string | null;
  quantity: number;
}) => ({
  batchNo,
  expiryDate,
  quantity,
});

const toLineView = ({ line, available, missing, allocations, sources }: LineReadiness) => ({
  lineNo: line.lineNo,
  productCode: line.productCode,
  neededQuantity: line.quantity,
  availableQuantity: available,
  missingQuantity: missing,
  batches: allocations.map(toGoods),
  sources: {
    reservations: sources.reservations.map(({ orderId, orderNo, customerName, requestedDate, ...rest }) => ({
      ...{ orderId, orderNo, customerName, requestedDate },
      ...toGoods(rest),
    })),
    holds: sources.holds.map(({ holdId, category, reason, ...rest }) => ({
      ...{ holdId, category, reason },
      ...toGoods(rest),
    })),
    receipts:
      sources.receipts?.map(({ receiptId, receiptNo, ...rest }) => ({
        receiptId,
        receiptNo,
        ...toGoods(rest),
      })) ?? null,
    warehouses: sources.warehouses,
  },
});

export const toReadinessView = ({ orderId, suspensions, certificates, lines }: Readiness) => ({
  orderId,
  suspensions,
  certificates: certificates && {
    gate: certificates.gate,
    subjects: certificates.subjects.map(({ subject, inForce, issues }) => ({
      subjectType: subject.type,
      subjectCode: subject.code,
      inForce,
      issues,
    })),
  },
  lines: lines?.map(toLineView) ?? null,
});
