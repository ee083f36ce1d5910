import { Stack, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { Expiry } from '../stock/expiry.js';
import { BatchLink } from '../stock/inventory-record.js';
import { ApprovalNotice, DispositionActions } from './disposition-actions.js';
import { useDispositionName } from './disposition-columns.js';
import { DispositionSteps } from './disposition-steps.js';
import { dispositionWords } from './disposition-words.js';
import { DISPOSITION_STATUSES, type Disposition } from './quality.types.js';
import { RecordId } from './record-id.js';

export default function DispositionPage() {
  const words = useWords(dispositionWords);
  const nameOf = useDispositionName();
  const dispositionId = useParam('dispositionId');
  const query = useResource('/v2/quality/dispositions/{dispositionId}', { path: { dispositionId } });
  return (
    <Page
      title={query.data ? nameOf(query.data) : words.disposition}
      status={query.data && <StatusBadge status={DISPOSITION_STATUSES[query.data.status]} />}
      above={{ to: '/quality/dispositions', name: words.dispositions }}
      actions={
        query.data && (
          <>
            <ButtonLink
              to="/quality/dispositions/$dispositionId/record"
              params={{ dispositionId }}
              variant="default"
              leftSection={<Printer size={16} />}
            >
              {words.printRecord}
            </ButtonLink>
            <DispositionActions disposition={query.data} />
          </>
        )
      }
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/quality/dispositions' }}>
        {(disposition) => (
          <Stack>
            <ApprovalNotice disposition={disposition} />
            <Panel title={words.people}>
              <DispositionSteps disposition={disposition} />
            </Panel>
            <Panel title={words.disposition}>
              <DispositionFacts disposition={disposition} />
            </Panel>
            <Lines disposition={disposition} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function DispositionFacts({ disposition }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const { supplierCode, supplierName, rejectReason, carrier, trackingNo } = disposition;
  const facts: [string, ReactNode][] = [
    [words.kind, words.kinds[disposition.kind]],
    [words.reason, disposition.reason],
  ];
  if (supplierCode)
    facts.push([
      words.supplier,
      <PageLink key="supplier" to="/partners/$partnerCode" params={{ partnerCode: supplierCode }}>
        {supplierName} · <CodeText>{supplierCode}</CodeText>
      </PageLink>,
    ]);
  if (rejectReason) facts.push([words.rejectReason, rejectReason]);
  if (carrier) facts.push([words.carrier, carrier]);
  if (trackingNo) facts.push([words.trackingNo, <CodeText key="tracking">{trackingNo}</CodeText>]);
  facts.push([words.recordId, <RecordId key="id" id={disposition.dispositionId} />]);
  return <Facts facts={facts} />;
}

type Line = Disposition['lines'][number];

function Lines({ disposition }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const format = useFormat();
  return (
    <Panel title={words.goods}>
      <ItemTable
        label={words.goods}
        items={disposition.lines}
        rowKey={(line) => String(line.lineNo)}
        columns={[
          { name: words.product, show: (line) => <Product line={line} /> },
          {
            name: words.batch,
            show: (line) => <BatchLink productCode={line.productCode} batchNo={line.batchNo} />,
          },
          { name: words.expiry, show: (line) => <Expiry date={line.expiryDate} />, wide: true },
          { name: words.warehouse, show: (line) => <WarehouseText code={line.warehouse} />, wide: true },
          { name: words.quantity, show: (line) => format.number(line.quantity), align: 'right' },
          { name: words.origin, show: (line) => <Origin line={line} />, wide: true },
        ]}
      />
    </Panel>
  );
}

function Product({ line }: { line: Line }) {
  const words = useWords(dispositionWords);
  const format = useFormat();
  return (
    <>
      <PageLink to="/products/$productCode" params={{ productCode: line.productCode }}>
        {line.productName}
      </PageLink>
      {line.serials.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {words.serials}
          {format.colon}
          <CodeText>{line.serials.join(', ')}</CodeText>
        </Text>
      )}
    </>
  );
}

/** The register entry that the goods belong to, otherwise their hold. */
function Origin({ line: { ncId, productCode, batchNo } }: { line: Line }) {
  const words = useWords(dispositionWords);
  const may = useMay();
  if (ncId !== null)
    return (
      <PageLink to="/quality/nonconformities/$ncId" params={{ ncId }}>
        {words.ofRegister}
      </PageLink>
    );
  if (!may('inventory:read')) return words.ofHold;
  return (
    <PageLink to="/holds" search={{ productCode, ...(batchNo === '' ? {} : { batchNo }), status: 'all' }}>
      {words.ofHold}
    </PageLink>
  );
}
