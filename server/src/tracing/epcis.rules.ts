import { isGtin } from '@lotward/udi';
import type { ChainItem, Party, ReceivedPackage, Step, TracedProduct } from './trace.js';

/** Converts a history to EPCIS 2.0 events with the Core Business Vocabulary (CBV). */

/** Corrections of dates are left out: EPCIS has no event type and CBV no business step for them. */
type Event = ChainItem & { step: Exclude<Step, 'corrected'> };
const isEvent = (item: ChainItem): item is Event => item.step !== 'corrected';

const VOCABULARY: Record<
  Event['step'],
  { action: 'ADD' | 'OBSERVE' | 'DELETE'; bizStep: string; disposition: string }
> = {
  received: { action: 'ADD', bizStep: 'receiving', disposition: 'in_progress' },
  added: { action: 'ADD', bizStep: 'stock_taking', disposition: 'sellable_accessible' },
  returned: { action: 'OBSERVE', bizStep: 'receiving', disposition: 'returned' },
  moved_out: { action: 'OBSERVE', bizStep: 'shipping', disposition: 'in_transit' },
  moved_in: { action: 'OBSERVE', bizStep: 'receiving', disposition: 'in_progress' },
  held: { action: 'OBSERVE', bizStep: 'holding', disposition: 'non_sellable_other' },
  recalled: { action: 'OBSERVE', bizStep: 'holding', disposition: 'recalled' },
  released: { action: 'OBSERVE', bizStep: 'storing', disposition: 'sellable_accessible' },
  dispatched: { action: 'OBSERVE', bizStep: 'shipping', disposition: 'in_transit' },
  delivered: { action: 'OBSERVE', bizStep: 'accepting', disposition: 'in_progress' },
  removed: { action: 'DELETE', bizStep: 'decommissioning', disposition: 'inactive' },
  destroyed: { action: 'DELETE', bizStep: 'destroying', disposition: 'destroyed' },
  returned_to_supplier: { action: 'OBSERVE', bizStep: 'shipping', disposition: 'returned' },
};

const LEAVING: readonly Step[] = ['dispatched', 'moved_out', 'removed', 'destroyed', 'returned_to_supplier'];

const CONTEXT = [
  'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
  { lotward: 'urn:x-lotward:' },
];

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const urn = (kind: string, ...parts: readonly string[]): string =>
  `urn:x-lotward:${[kind, ...parts.map(encoded)].join(':')}`;

/** The GTIN of the unit of use, or null if it has none. */
function gtinOf({ udiDi, productCode }: TracedProduct): string | null {
  const code = udiDi ?? productCode;
  return isGtin(code) ? code.padStart(14, '0') : null;
}

/** Identifies a serialized unit by a GS1 Digital Link if its device has a GTIN, else by a URN. */
function unitId(product: TracedProduct, serialNo: string): string {
  const gtin = gtinOf(product);
  return gtin === null
    ? urn('serial', product.productCode, serialNo)
    : `https://id.gs1.org/01/${gtin}/21/${encoded(serialNo)}`;
}

function batchId(product: TracedProduct, batchNo: string): string {
  const gtin = gtinOf(product);
  if (gtin === null) return urn('batch', product.productCode, batchNo);
  return `https://id.gs1.org/01/${gtin}${batchNo === '' ? '' : `/10/${encoded(batchNo)}`}`;
}

/** Documents of a kind that CBV does not define are listed without a type. */
function transactionsOf({ step, document }: ChainItem): object[] {
  if (!document) return [];
  const { type, id, no } = document;
  const own = { bizTransaction: urn(type, id) };
  if (step === 'received') return [{ type: 'recadv', ...own }];
  if (step === 'returned') return [{ type: 'rma', ...own }];
  if (type !== 'dispatch') return [own];
  return [
    { type: 'desadv', ...own },
    ...(no === null ? [] : [{ type: 'po', bizTransaction: urn('order', no) }]),
  ];
}

/** The source or destination of goods; null if the caller may not see it. */
function endOf(party: Party | null): { type: string; uri: string } | null {
  if (party?.code == null) return null;
  return party.kind === 'warehouse'
    ? { type: 'location', uri: urn('location', party.code) }
    : { type: 'possessing_party', uri: urn('party', party.code) };
}

const whenSome = <T>(name: string, list: readonly T[]) => (list.length > 0 ? { [name]: list } : {});

function eventOf(item: Event, product: TracedProduct): object {
  const { action, bizStep, disposition } = VOCABULARY[item.step];
  const { serialNo, batchNo, expiryDate } = item;
  const source = endOf(item.from);
  const destination = endOf(item.to);
  const location = item.location === null ? null : { id: urn('location', item.location) };
  // EPCIS defines bizLocation as where goods are after the event, so steps that leave a place omit it.
  const leaves = LEAVING.includes(item.step);
  return {
    type: 'ObjectEvent',
    eventID: urn('movement', item.movementId),
    eventTime: item.at.toISOString(),
    recordTime: item.recordedAt.toISOString(),
    eventTimeZoneOffset: '+00:00',
    action,
    bizStep,
    disposition,
    ...(serialNo === null
      ? { quantityList: [{ epcClass: batchId(product, batchNo), quantity: item.quantity }] }
      : { epcList: [unitId(product, serialNo)] }),
    ...(location === null ? {} : { readPoint: location }),
    ...(location === null || leaves ? {} : { bizLocation: location }),
    ...whenSome('bizTransactionList', transactionsOf(item)),
    ...(source === null ? {} : { sourceList: [{ type: source.type, source: source.uri }] }),
    ...(destination === null
      ? {}
      : { destinationList: [{ type: destination.type, destination: destination.uri }] }),
    ...(action === 'ADD'
      ? {
          ilmd: {
            ...(batchNo === '' ? {} : { 'cbvmda:lotNumber': batchNo }),
            ...(expiryDate === null ? {} : { 'cbvmda:itemExpirationDate': expiryDate }),
          },
        }
      : {}),
  };
}

/** The contents of a package at receipt. */
const packageEventOf = (item: ChainItem, product: TracedProduct, held: ReceivedPackage): object => ({
  type: 'AggregationEvent',
  eventTime: item.at.toISOString(),
  recordTime: item.recordedAt.toISOString(),
  eventTimeZoneOffset: '+00:00',
  parentID: isGtin(held.deviceIdentifier)
    ? `https://id.gs1.org/01/${held.deviceIdentifier.padStart(14, '0')}/21/${encoded(held.serialNo)}`
    : urn('serial', held.deviceIdentifier, held.serialNo),
  childQuantityList: [{ epcClass: batchId(product, held.batchNo), quantity: held.quantity }],
  action: 'OBSERVE',
  bizStep: 'receiving',
  disposition: 'in_progress',
  ...(item.location === null ? {} : { readPoint: { id: urn('location', item.location) } }),
});

export interface EpcisPage {
  items: readonly ChainItem[];
  nextCursor: string | null;
  at: Date;
}

export function epcisDocument(
  { product, packages }: { product: TracedProduct; packages: readonly ReceivedPackage[] },
  page: EpcisPage,
) {
  const inPackages = (item: ChainItem) =>
    packages
      .filter(({ receiptId, line }) => receiptId === item.document?.id && line === item.document.line)
      .map((held) => packageEventOf(item, product, held));
  return {
    '@context': CONTEXT,
    type: 'EPCISDocument',
    schemaVersion: '2.0',
    creationDate: page.at.toISOString(),
    epcisBody: {
      eventList: page.items.filter(isEvent).flatMap((item) => [eventOf(item, product), ...inPackages(item)]),
    },
    ...(page.nextCursor === null ? {} : { 'lotward:nextCursor': page.nextCursor }),
  };
}
