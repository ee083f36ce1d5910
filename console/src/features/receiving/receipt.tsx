import { Stack } from '@mantine/core';
import { Printer, X } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import type { LabelGoods } from '../../ui/labels/label-goods.js';
import { useLabelSelection } from '../../ui/labels/label-selection.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { receiptStatus, StatusBadge } from '../../ui/status.js';
import { Warnings } from '../../ui/warnings.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { Expiry } from '../stock/expiry.js';
import { BatchLink } from '../stock/inventory-record.js';
import { Acceptance } from './acceptance.js';
import type { Receipt } from './receipt.types.js';
import { receiptWords } from './receipt-words.js';
import { RejectedGoods } from './rejected-goods.js';
import { verdictReasons } from './verdict-reasons.js';

export default function ReceiptPage() {
  const words = useWords(receiptWords);
  const receiptId = useParam('receiptId');
  const may = useMay();
  const query = useResource('/v2/receipts/{receiptId}', { path: { receiptId } });
  return (
    <Page
      title={query.data?.receiptNo ?? words.head}
      above={{ to: '/receipts', name: words.receipts }}
      actions={
        query.data?.status === 'pending_acceptance'
          ? may('receipts:write') && <Cancel receiptId={receiptId} />
          : query.data?.acceptedAt && (
              <ButtonLink
                to="/receipts/$receiptId/record"
                params={{ receiptId }}
                variant="default"
                leftSection={<Printer size={16} />}
              >
                {words.record}
              </ButtonLink>
            )
      }
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/receipts' }}>
        {(receipt) => (
          <Stack>
            <ReceiptFacts receipt={receipt} />
            {receipt.status === 'pending_acceptance' && may('receipts:write') ? (
              <Acceptance key={receipt.version} receipt={receipt} />
            ) : (
              <Lines receipt={receipt} />
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Cancel({ receiptId }: { receiptId: string }) {
  const words = useWords(receiptWords);
  return (
    <AskedButton
      label={words.cancel}
      question={words.cancelQuestion}
      reason="required"
      danger
      icon={<X size={16} />}
      run={(reason) => api.post('/v2/receipts/{receiptId}/cancel', { path: { receiptId }, body: { reason } })}
      done={words.cancelledDone}
    />
  );
}

function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const personName = usePersonName();
  const partner = receipt.supplierCode ?? receipt.customerCode;
  return (
    <Panel title={words.facts}>
      <Facts
        facts={[
          [common.status, <StatusBadge key="status" status={receiptStatus(receipt.status)} />],
          [words.kind, words.kinds[receipt.kind]],
          [
            receipt.kind === 'purchase' ? words.supplier : words.customer,
            partner ? (
              <PageLink key="partner" to="/partners/$partnerCode" params={{ partnerCode: partner }}>
                {receipt.supplierName ?? receipt.customerName}
              </PageLink>
            ) : (
              NOTHING
            ),
          ],
          [words.warehouse, <WarehouseText key="warehouse" code={receipt.warehouse} />],
          [words.createdAt, `${format.instant(receipt.createdAt)} · ${personName(receipt.createdBy)}`],
          ...(receipt.acceptedAt
            ? [
                [
                  words.acceptedAt,
                  `${format.instant(receipt.acceptedAt)} · ${personName(receipt.acceptedBy ?? '')}`,
                ] as const,
              ]
            : []),
          ...useHeaderFacts(receipt),
          [words.remark, receipt.remark ?? NOTHING],
        ]}
      />
      <Warnings mt="sm" title={words.warnings} warnings={receipt.warnings} />
    </Panel>
  );
}

/** The details of the arrival and, of a cancelled receipt, the reason. */
function useHeaderFacts(receipt: Receipt): [string, string][] {
  const words = useWords(receiptWords);
  const format = useFormat();
  const facts: [string, string][] = [];
  if (receipt.purchaseOrderNo) facts.push([words.purchaseOrderNo, receipt.purchaseOrderNo]);
  if (receipt.arrivedAt) facts.push([words.arrivedAt, format.instant(receipt.arrivedAt)]);
  if (receipt.transportTemperature !== null)
    facts.push([words.transportTemperature, `${format.number(receipt.transportTemperature)} °C`]);
  if (receipt.sampled !== null) facts.push([words.sampled, receipt.sampled ? words.yes : words.no]);
  if (receipt.unmatched)
    facts.push([words.unmatched, `${receipt.unmatched.reason} · ${receipt.unmatched.allowedBy}`]);
  if (receipt.cancelledAt)
    facts.push([
      words.cancelled,
      `${format.instant(receipt.cancelledAt)} · ${receipt.cancelledBy} · ${receipt.cancelReason}`,
    ]);
  return facts;
}

type Line = Receipt['lines'][number];

/** One label per batch, or one per serialized unit. */
function labelsOfLine({ productCode, productName, batchNo, expiryDate, serials }: Line): LabelGoods[] {
  const units = serials.length > 0 ? serials : [null];
  return units.map((serialNo) => ({ productCode, productName, batchNo, expiryDate, serialNo }));
}

function Lines({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const format = useFormat();
  const labels = useLabelSelection<Line>(
    ({ lineNo }) => String(lineNo),
    ({ productName, batchNo }) => [productName, batchNo].filter(Boolean).join(' · '),
    labelsOfLine,
  );
  return (
    <Panel title={words.lines}>
      {labels.bar}
      <ItemTable
        label={words.lines}
        items={receipt.lines}
        rowKey={(line) => String(line.lineNo)}
        selection={labels.selection}
        columns={[
          {
            name: words.product,
            show: (line) => (
              <PageLink to="/products/$productCode" params={{ productCode: line.productCode }}>
                {line.productName}
              </PageLink>
            ),
          },
          {
            name: words.batch,
            show: (line) => <BatchLink productCode={line.productCode} batchNo={line.batchNo} />,
            wide: 'below',
          },
          { name: words.expiry, show: (line) => <Expiry date={line.expiryDate} />, wide: true },
          { name: words.quantity, show: (line) => format.number(line.quantity), align: 'right', wide: true },
          { name: words.accepted, show: (line) => format.number(line.acceptedQuantity), align: 'right' },
          { name: words.rejected, show: (line) => format.number(line.rejectedQuantity), align: 'right' },
          ...(receipt.lines.some((line) => verdictReasons(line, words).length > 0)
            ? [
                {
                  name: words.verdictReason,
                  show: (line: Line) => verdictReasons(line, words).join('; '),
                  wide: 'below' as const,
                },
              ]
            : []),
        ]}
      />
      <RejectedGoods receipt={receipt} />
    </Panel>
  );
}
