import { Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { Loaded } from '../../ui/page.js';
import {
  PrintPage,
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetLines,
  SheetMark,
  SheetTable,
  type Signatory,
  Signatures,
  useNamed,
} from '../../ui/print-sheet.js';
import { useProducts } from '../catalogue/use-products.js';
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
      title={query.data ? `${words.titles[query.data.kind]} ${query.data.dispositionNo}` : names.disposition}
      above={{
        to: '/quality/dispositions/$dispositionId',
        params: { dispositionId },
        name: query.data?.dispositionNo ?? names.disposition,
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
  const may = useMay();
  const supplier = useResource('/v2/partners/{code}', {
    path: { code: supplierCode ?? '' },
    enabled: supplierCode !== null && may('products:read'),
  });
  const address = supplier.data?.contact?.address ?? null;
  return (
    <PrintSheet recordId={disposition.dispositionId}>
      {status === 'rejected' && <SheetMark>{words.rejected}</SheetMark>}
      {(status === 'proposed' || status === 'approved') && <SheetMark>{words.notExecuted}</SheetMark>}
      <SheetFacts
        cols={2}
        facts={[
          [names.kind, names.kinds[kind]],
          [names.reason, disposition.reason],
          ...(disposition.rejectReason === null
            ? []
            : [[names.rejectReason, disposition.rejectReason] as const]),
          ...(kind === 'return_to_supplier'
            ? ([
                [
                  names.supplier,
                  <SheetLines
                    key="supplier"
                    lines={[
                      <>
                        {supplierName} · <SheetCode code={supplierCode ?? ''} />
                      </>,
                      address,
                    ]}
                  />,
                ],
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
  const named = useNamed();
  const productOf = useProducts(lines.map((line) => line.productCode));
  const goods = lines.map((line) => ({ line, product: productOf(line.productCode) }));
  return (
    <SheetTable
      label={words.goods}
      items={goods}
      rowKey={({ line }) => String(line.lineNo)}
      columns={[
        { name: words.line, show: ({ line }) => line.lineNo },
        {
          name: words.product,
          show: ({ line, product }) => (
            <SheetLines
              lines={[
                <b key="name">{line.productName}</b>,
                <SheetCode key="code" code={line.productCode} />,
                named(
                  words.specification,
                  [product?.specification, product?.model].filter(Boolean).join(' · '),
                ),
                named(words.manufacturer, product?.manufacturer),
                named(words.registrationNo, product?.registrationNo),
              ]}
            />
          ),
          fits: 'long',
        },
        {
          name: words.batch,
          show: ({ line }) => (
            <SheetLines
              lines={[
                <SheetCode key="batch" code={line.batchNo} />,
                named(words.serials, line.serials.join(', ')),
              ]}
            />
          ),
        },
        { name: words.expiry, show: ({ line }) => <SheetDay day={line.expiryDate} />, fits: 'short' },
        { name: words.warehouse, show: ({ line }) => <WarehouseText code={line.warehouse} /> },
        {
          name: words.quantity,
          show: ({ line, product }) =>
            [format.number(line.quantity), product?.unit].filter(Boolean).join(' '),
          align: 'right',
          fits: 'short',
        },
      ]}
    />
  );
}
