import { Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { CodeText } from '../../ui/code-text.js';
import { Loaded } from '../../ui/page.js';
import {
  PrintPage,
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetTable,
  type Signatory,
  Signatures,
} from '../../ui/print-sheet.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { quantityOf } from './disposition-columns.js';
import { dispositionWords } from './disposition-words.js';
import type { Disposition } from './quality.types.js';
import { recordWords } from './record-words.js';

/** The document of a disposition: a destruction record, a supplier return note, a release or a rework record. */
export default function DispositionRecord() {
  const words = useWords(recordWords);
  const names = useWords(dispositionWords);
  const dispositionId = useParam('dispositionId');
  const query = useResource('/v2/quality/dispositions/{dispositionId}', { path: { dispositionId } });
  return (
    <PrintPage
      title={query.data ? words.titles[query.data.kind] : names.disposition}
      above={{
        to: '/quality/dispositions/$dispositionId',
        params: { dispositionId },
        name: query.data ? names.kinds[query.data.kind] : names.disposition,
      }}
    >
      <Loaded query={query} missing={{ title: names.notFound, to: '/quality/dispositions' }}>
        {(disposition) => <Sheet disposition={disposition} />}
      </Loaded>
    </PrintPage>
  );
}

function Sheet({ disposition }: { disposition: Disposition }) {
  const words = useWords(recordWords);
  const names = useWords(dispositionWords);
  const format = useOrganizationFormat();
  const { status, kind, supplierCode, supplierName, carrier, trackingNo } = disposition;
  return (
    <PrintSheet>
      {status === 'rejected' && <Text fw={600}>{words.rejected}</Text>}
      {(status === 'proposed' || status === 'approved') && <Text fw={600}>{words.notExecuted}</Text>}
      <SheetFacts
        cols={2}
        facts={[
          [words.recordNo, <CodeText key="id">{disposition.dispositionId}</CodeText>],
          [names.kind, names.kinds[kind]],
          [names.reason, disposition.reason],
          ...(disposition.rejectReason === null
            ? []
            : [[names.rejectReason, disposition.rejectReason] as const]),
          ...(kind === 'return_to_supplier'
            ? ([
                [names.supplier, `${supplierName} · ${supplierCode}`],
                [names.carrier, carrier],
                [names.trackingNo, trackingNo],
              ] as const)
            : []),
        ]}
      />
      <Goods disposition={disposition} />
      <Text size="sm" ta="right">
        {words.total} <b>{format.number(quantityOf(disposition))}</b>
      </Text>
      <Signatures label={words.people} people={useSignatories(disposition)} />
    </PrintSheet>
  );
}

function useSignatories(disposition: Disposition): Signatory[] {
  const words = useWords(recordWords);
  const names = useWords(dispositionWords);
  const { kind, status } = disposition;
  const people: Signatory[] = [
    { role: names.proposedBy, name: disposition.proposedBy, at: disposition.proposedAt },
    { role: names.approvedBy, name: disposition.approvedBy, at: disposition.approvedAt },
  ];
  if (status === 'rejected')
    return [
      ...people.filter(({ name }) => name !== null),
      { role: names.rejectedBy, name: disposition.rejectedBy, at: disposition.rejectedAt },
    ];
  people.push({ role: names.executedBy, name: disposition.executedBy, at: disposition.executedAt });
  // The witness saw the goods destroyed when the disposition was executed.
  if (kind === 'destroy')
    people.push({ role: names.witness, name: disposition.witness, at: disposition.executedAt });
  if (kind === 'return_to_supplier') people.push({ role: words.receivedBySupplier, name: null, at: null });
  return people;
}

function Goods({ disposition: { lines } }: { disposition: Disposition }) {
  const words = useWords(recordWords);
  const format = useOrganizationFormat();
  return (
    <SheetTable
      label={words.goods}
      items={lines}
      rowKey={(line) => String(line.lineNo)}
      columns={[
        { name: words.line, show: (line) => line.lineNo },
        { name: words.product, show: (line) => line.productName },
        { name: words.productCode, show: (line) => <SheetCode code={line.productCode} /> },
        { name: words.batch, show: (line) => <SheetCode code={line.batchNo} /> },
        { name: words.expiry, show: (line) => <SheetDay day={line.expiryDate} />, fits: 'short' },
        { name: words.serials, show: (line) => <SheetCode code={line.serials.join(', ')} />, fits: 'long' },
        { name: words.warehouse, show: (line) => <WarehouseText code={line.warehouse} /> },
        { name: words.quantity, show: (line) => format.number(line.quantity), align: 'right' },
      ]}
    />
  );
}
