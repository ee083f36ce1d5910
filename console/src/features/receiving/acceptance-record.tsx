import { useResource } from '../../app/api.js';
import { NOTHING, useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { Loaded } from '../../ui/page.js';
import { Person } from '../../ui/person.js';
import {
  PrintPage,
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetInstant,
  SheetLines,
  SheetTable,
  Signatures,
  useNamed,
} from '../../ui/print-sheet.js';
import { WarehouseWithCode } from '../catalogue/warehouse-name.js';
import { acceptanceRecordWords, isHeldOnArrival } from './acceptance-record-words.js';
import type { Receipt } from './receipt.types.js';
import { receiptWords } from './receipt-words.js';
import { verdictReasons } from './verdict-reasons.js';

/** The printed record of an acceptance, which is filed with the goods' papers. */
export default function AcceptanceRecord() {
  const words = useWords(receiptWords);
  const receiptId = useParam('receiptId');
  const query = useResource('/v2/receipts/{receiptId}', { path: { receiptId } });
  const no = query.data?.receiptNo;
  return (
    <PrintPage
      title={no ? `${words.record} ${no}` : words.record}
      above={{ to: '/receipts/$receiptId', params: { receiptId }, name: no ?? words.head }}
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/receipts' }}>
        {(receipt) => <Sheet receipt={receipt} />}
      </Loaded>
    </PrintPage>
  );
}

function Sheet({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const record = useWords(acceptanceRecordWords);
  const format = useOrganizationFormat();
  const { transportTemperature, sampled, unmatched } = receipt;
  const isPurchase = receipt.kind === 'purchase';
  return (
    <PrintSheet landscape>
      <SheetFacts
        facts={[
          [words.receiptNo, <SheetCode key="no" code={receipt.receiptNo} />],
          [words.kind, words.kinds[receipt.kind]],
          [isPurchase ? words.supplier : words.customer, receipt.supplierName ?? receipt.customerName],
          [words.warehouse, <WarehouseWithCode key="warehouse" code={receipt.warehouse} />],
          ...(isPurchase ? [[words.purchaseOrderNo, receipt.purchaseOrderNo] as const] : []),
          [words.arrivedAt, <SheetInstant key="arrived" at={receipt.arrivedAt} />],
          [
            words.transportTemperature,
            transportTemperature === null ? null : `${format.number(transportTemperature)} °C`,
          ],
          [words.sampled, sampled === null ? null : sampled ? words.yes : words.no],
          ...(unmatched
            ? ([
                [record.unmatchedReason, unmatched.reason],
                [record.allowedBy, <Person key="allowed" email={unmatched.allowedBy} />],
              ] as const)
            : []),
        ]}
      />
      <Lines receipt={receipt} />
      <Signatures
        label={words.signatures}
        people={[
          { role: words.receiver, name: receipt.createdBy, at: receipt.createdAt },
          { role: words.acceptor, name: receipt.acceptedBy, at: receipt.acceptedAt },
        ]}
      />
    </PrintSheet>
  );
}

type Line = Receipt['lines'][number];

function Lines({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const record = useWords(acceptanceRecordWords);
  const format = useOrganizationFormat();
  const named = useNamed();
  const isHeld = isHeldOnArrival(receipt);
  const resultOf = ({ acceptedQuantity, rejectedQuantity }: Line) => {
    if (!acceptedQuantity && rejectedQuantity) return words.failedAll;
    if (isHeld) return record.heldResult;
    return rejectedQuantity ? words.failed : words.passed;
  };
  const inUnits = (quantity: number | null, { unit }: Line) =>
    [format.number(quantity), unit].filter(Boolean).join(' ');
  return (
    <SheetTable
      dense
      label={words.lines}
      items={receipt.lines}
      rowKey={(line) => String(line.lineNo)}
      columns={[
        {
          name: words.product,
          show: (line) => (
            <SheetLines lines={[line.productName, <SheetCode key="code" code={line.productCode} />]} />
          ),
        },
        {
          name: words.specification,
          show: (line) => [line.specification, line.model].filter(Boolean).join(' · ') || NOTHING,
        },
        {
          name: words.manufacturer,
          show: (line) => (
            <SheetLines lines={[line.manufacturer, named(words.registrationNo, line.registrationNo)]} />
          ),
        },
        {
          name: words.batch,
          show: (line) => (
            <SheetLines lines={[<SheetCode key="batch" code={line.batchNo} />, line.serials.join(', ')]} />
          ),
          fits: 'long',
        },
        { name: words.manufactured, show: (line) => <SheetDay day={line.manufactureDate} />, fits: 'short' },
        { name: words.expiry, show: (line) => <SheetDay day={line.expiryDate} />, fits: 'short' },
        { name: words.quantity, show: (line) => inUnits(line.quantity, line), align: 'right', fits: 'short' },
        {
          name: isHeld ? record.takenIn : words.accepted,
          show: (line) => format.number(line.acceptedQuantity),
          align: 'right',
        },
        { name: words.rejected, show: (line) => format.number(line.rejectedQuantity), align: 'right' },
        {
          name: words.result,
          show: (line) => <SheetLines lines={[resultOf(line), ...verdictReasons(line, words)]} />,
        },
      ]}
    />
  );
}
