import type { Udi } from '@lotward/udi';
import { type TSchema, Type } from 'typebox';
import {
  CERTIFICATE_STATUSES,
  CERTIFICATE_SUBJECT_TYPES,
  certificateStatusOn,
} from '../certificates/index.js';
import {
  DateText,
  Instant,
  Model,
  Nullable,
  OneOf,
  PageOf,
  PageQuery,
  Quantity,
  Strict,
  toPage,
} from '../platform/http/index.js';
import { BatchChangeView } from '../stock/index.js';
import { type ChainItem, PARTY_KINDS, STEPS, TRACE_STATUSES } from './trace.js';
import type { Trace } from './trace-udi.js';

const Text = () => Nullable(Type.String());

const UdiView = Model('Udi', {
  raw: Type.String({ description: 'The code as it was given.' }),
  issuingAgency: OneOf(['GS1', 'HIBCC', 'ICCBBA', 'MA', 'AHM', 'IFA'] as const),
  deviceIdentifier: Text(),
  batchNo: Text(),
  serialNo: Text(),
  manufactureDate: Nullable(DateText()),
  expiryDate: Nullable(DateText()),
  quantity: Nullable(Type.Integer()),
  other: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Everything else in the code, by GS1 application identifier or by name.',
  }),
});

export const ReadingView = Model('UdiReading', { udi: UdiView });
export const toReadingView = (udi: Udi) => ({ udi: { ...udi, other: { ...udi.other } } });

const PartyView = () =>
  Type.Unsafe<ChainItem['from']>({
    ...Type.Object({ kind: OneOf(PARTY_KINDS), code: Text(), name: Text() }),
    type: ['object', 'null'],
  } as unknown as TSchema);

const DocumentView = () =>
  Type.Unsafe<ChainItem['document']>({
    ...Type.Object({ type: Type.String(), id: Type.String(), no: Text(), line: Nullable(Type.Integer()) }),
    type: ['object', 'null'],
  } as unknown as TSchema);

const PackageView = () =>
  Type.Unsafe<Trace['product']['package']>({
    ...Type.Object({ udiDi: Type.String(), level: Type.String(), quantity: Quantity(1) }),
    type: ['object', 'null'],
    description: 'The package that the code identifies; null if it identifies the unit of use.',
  } as unknown as TSchema);

const ChainItemView = Model('TraceStep', {
  step: OneOf(STEPS),
  at: Instant('When it happened.'),
  recordedAt: Instant('When it was entered.'),
  location: Text(),
  from: PartyView(),
  to: PartyView(),
  document: DocumentView(),
  productName: Type.String({
    description: 'As written in the document; the current name if the step has no document.',
  }),
  batchNo: Type.String(),
  serialNo: Text(),
  quantity: Quantity(),
  actor: Text(),
  correction: Nullable(BatchChangeView),
  certificates: Type.Array(Type.String(), {
    description: 'For a hand-over, the numbers of the certificates in force on that day.',
  }),
  notCovering: Type.Array(Type.String(), {
    description:
      'Those of `certificates` that did not cover the product, by their coverage then and the product as it is described now.',
  }),
});

export const TraceView = Model('Trace', {
  udi: UdiView,
  product: Type.Object({
    productCode: Type.String(),
    productName: Type.String(),
    specification: Text(),
    model: Text(),
    manufacturer: Text(),
    registrationNo: Text(),
    riskClass: Text(),
    unit: Text(),
    tracking: Type.String(),
    udiDi: Text(),
    package: PackageView(),
  }),
  status: OneOf(TRACE_STATUSES),
  holders: Type.Array(
    Type.Object({
      kind: OneOf(['warehouse', 'customer'] as const),
      code: Text(),
      name: Text(),
      quantity: Quantity(),
    }),
  ),
  chain: PageOf(ChainItemView),
  certificates: Type.Array(
    Type.Object({
      certificateId: Type.String(),
      certificateNo: Type.String(),
      type: Type.String(),
      subjectType: OneOf(CERTIFICATE_SUBJECT_TYPES),
      subjectCode: Type.String(),
      issuer: Type.String(),
      validFrom: DateText(),
      validTo: Nullable(DateText()),
      status: OneOf(CERTIFICATE_STATUSES),
    }),
  ),
  recalls: Type.Array(
    Type.Object({
      recallId: Type.String(),
      recallNo: Type.String(),
      class: Type.String(),
      status: OneOf(['open', 'closed'] as const),
      reason: Type.String(),
      openedAt: Instant(),
    }),
  ),
});

export const TRACE_LIST = 'trace';

const toProductView = ({ traits: _traits, ...product }: Trace['product']) => product;

export const toTraceView = (trace: Trace, limit: number) => ({
  ...toReadingView(trace.udi),
  product: toProductView(trace.product),
  status: trace.status,
  holders: trace.holders,
  chain: toPage(TRACE_LIST, trace.chain, limit, (item) => [String(item.position)], toChainItemView),
  certificates: trace.certificates.map((certificate) => {
    const {
      state: _state,
      supersededFrom: _from,
      changes: _changes,
      coverage: _coverage,
      coverageChanges: _coverageChanges,
      ...shown
    } = certificate;
    return { ...shown, status: certificateStatusOn(certificate, trace.day) };
  }),
  recalls: trace.recalls.map(({ covers: _covers, ...recall }) => ({
    ...recall,
    openedAt: recall.openedAt.toISOString(),
  })),
});

function toChainItemView(item: ChainItem) {
  const { movementId: _id, position: _position, expiryDate: _expiry, ...shown } = item;
  return { ...shown, at: item.at.toISOString(), recordedAt: item.recordedAt.toISOString() };
}

const traceQuery = {
  at: Type.Optional(Instant('As it was known at this instant.')),
  format: Type.Optional(OneOf(['lotward', 'epcis'] as const)),
  ...PageQuery,
};

/** Numeric names are part of a Digital Link, and so of the code. */
const withLinkParameters = <S extends TSchema>(schema: S): S =>
  ({ ...schema, patternProperties: { '^[0-9]+$': { type: 'string' } } }) as S;

const Code = () =>
  Type.String({ description: 'The code; `+` is a plus sign.', examples: ['(01)06901234567892(10)B1'] });

export const PathQuery = withLinkParameters(Strict(traceQuery));
export const CodeQuery = withLinkParameters(Strict({ code: Code(), ...traceQuery }));
export const ReadQuery = withLinkParameters(Strict({ code: Code() }));
