import { Button, Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { Download } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { type Status, StatusBadge } from '../../ui/status.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { BatchLink } from '../stock/inventory-record.js';
import { CloseRecall } from './close-form.js';
import { Consignees } from './consignees.js';
import { RecallProgress } from './recall-progress.js';
import { recallWords } from './recall-words.js';
import { Extent, type Recall } from './recalls.js';

export default function RecallPage() {
  const words = useWords(recallWords);
  const { language } = useLanguage();
  const recallId = useParam('recallId');
  const recall = useResource('/v2/recalls/{recallId}', { path: { recallId } });
  const may = useMay();
  const isOpen = recall.data?.status === 'open';
  return (
    <Page
      title={recall.data?.recallNo ?? words.recalls}
      above={{ to: '/recalls', name: words.recalls }}
      actions={
        recall.data && (
          <>
            <Button
              component="a"
              href={`/exports/recalls/${encodeURIComponent(recallId)}.csv?language=${language}`}
              download
              variant="default"
              leftSection={<Download size={16} />}
            >
              {words.exportCsv}
            </Button>
            {isOpen && may('recalls:write') && <CloseRecall recall={recall.data} />}
          </>
        )
      }
    >
      <Loaded query={recall} missing={{ title: words.notFound, to: '/recalls' }}>
        {(data) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Panel>
                <RecallFacts recall={data} />
              </Panel>
              <RecallProgress recall={data} />
            </SimpleGrid>
            <Consignees recall={data} />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <StockPanel recall={data} />
              <DispatchPanel recall={data} />
            </SimpleGrid>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function RecallFacts({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const personName = usePersonName();
  const named = recall.extent === 'batches' ? recall.batchNos : recall.serials;
  return (
    <Facts
      facts={[
        [common.status, <StatusBadge key="status" status={recall.status} />],
        [
          words.product,
          <PageLink key="product" to="/products/$productCode" params={{ productCode: recall.productCode }}>
            {recall.productName} · <CodeText>{recall.productCode}</CodeText>
          </PageLink>,
        ],
        [words.extent, <Extent key="extent" recall={recall} />],
        ...(named.length > 0
          ? [
              [
                recall.extent === 'batches' ? words.batches : words.serials,
                <Group key="named" gap={4}>
                  {named.map((each) => (
                    <Code key={each}>{each}</Code>
                  ))}
                </Group>,
              ] as const,
            ]
          : []),
        [words.recallClass, words.classNames[recall.class]],
        [words.reason, recall.reason],
        [words.opened, words.openedBy(personName(recall.openedBy), format.instant(recall.openedAt))],
        ...(recall.closedAt
          ? [
              [
                words.closed,
                words.openedBy(personName(recall.closedBy ?? ''), format.instant(recall.closedAt)),
              ] as const,
              [words.closeReason, recall.closeReason] as const,
            ]
          : []),
      ]}
    />
  );
}

function StockPanel({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const format = useFormat();
  const may = useMay();
  return (
    <Panel
      title={words.stock}
      actions={
        may('quality:read') &&
        may('inventory:read') && (
          <PageLink
            to="/holds"
            search={{ productCode: recall.productCode, category: 'recall', status: 'active' }}
          >
            {words.heldStock}
          </PageLink>
        )
      }
    >
      <ItemTable
        items={recall.affectedStock}
        label={words.stock}
        rowKey={(stock) => `${stock.warehouse} ${stock.batchNo}`}
        empty={{ title: words.noStock }}
        columns={[
          { name: words.warehouse, show: (stock) => <WarehouseText code={stock.warehouse} /> },
          {
            name: words.batch,
            show: (stock) => <BatchLink productCode={recall.productCode} batchNo={stock.batchNo} />,
          },
          { name: words.quantity, show: (stock) => format.number(stock.quantity), align: 'right' },
        ]}
      />
    </Panel>
  );
}

function DispatchPanel({ recall }: { recall: Recall }) {
  const words = useWords(recallWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return (
    <Panel title={words.dispatches}>
      <ItemTable
        items={recall.openDispatches}
        label={words.dispatches}
        rowKey={(dispatch) => dispatch.dispatchId}
        empty={{ title: words.noDispatches }}
        columns={[
          {
            name: words.order,
            show: (dispatch) => (
              <PageLink to="/dispatches/$dispatchId" params={{ dispatchId: dispatch.dispatchId }}>
                <CodeText>{dispatch.orderNo}</CodeText>
              </PageLink>
            ),
          },
          { name: words.customer, show: (dispatch) => dispatch.customerCode, wide: true },
          { name: words.quantity, show: (dispatch) => format.number(dispatch.quantity), align: 'right' },
          {
            name: common.status,
            // The API description says `string`, but the dispatch can only have the usual statuses.
            show: (dispatch) => <StatusBadge status={dispatch.status as Status} />,
          },
        ]}
      />
    </Panel>
  );
}
