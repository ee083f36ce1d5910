import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useList, useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { recordPath } from '../../app/record-path.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { WrittenReason } from '../../ui/written-reason.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { Expiry } from '../stock/expiry.js';
import { useHoldColumns } from '../stock/hold-columns.js';
import { BatchLink } from '../stock/inventory-record.js';
import { dispositionWords } from './disposition-words.js';
import { goodsOfEntry } from './proposal.js';
import { ProposeButton } from './propose-disposition.js';
import { DISPOSITION_STATUSES, entryStatus, type Nonconformity } from './quality.types.js';
import { RecordId } from './record-id.js';
import { registerWords } from './register-words.js';

export default function NonconformityPage() {
  const words = useWords(registerWords);
  const ncId = useParam('ncId');
  const query = useResource('/v2/quality/nonconformities/{ncId}', { path: { ncId } });
  const entry = query.data;
  return (
    <Page
      title={entry ? [entry.productName, entry.batchNo].filter(Boolean).join(' · ') : words.register}
      status={entry && <StatusBadge status={entryStatus(entry)} />}
      above={{ to: '/quality/nonconformities', name: words.register }}
      actions={
        entry &&
        entry.openQuantity > 0 && (
          <ProposeButton key={entry.version} goods={[goodsOfEntry(entry)]} variant="filled" />
        )
      }
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/quality/nonconformities' }}>
        {(data) => (
          <Stack>
            <Figures entry={data} />
            <Panel title={words.goods}>
              <EntryFacts entry={data} />
            </Panel>
            <Dispositions dispositionIds={data.dispositionIds} />
            {data.inStock && <Holds entry={data} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** The location of each unit of the entry; omits empty locations. */
function Figures({ entry }: { entry: Nonconformity }) {
  const words = useWords(registerWords);
  const format = useFormat();
  const figures = [
    [words.quantity, entry.quantity, undefined],
    [words.open, entry.openQuantity, words.openHint],
    [words.proposed, entry.proposedQuantity, undefined],
    [words.approved, entry.approvedQuantity, undefined],
    [words.executed, entry.executedQuantity, undefined],
    [words.released, entry.releasedQuantity, words.releasedHint],
    [words.adjusted, entry.adjustedQuantity, words.adjustedHint],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, xs: 4, lg: 7 }} spacing="sm" component="dl" m={0}>
      {figures
        .filter(([, value], at) => at === 0 || value > 0)
        .map(([name, value, hint]) => (
          <Paper key={name} withBorder p="sm" title={hint}>
            <Text size="sm" c="dimmed" component="dt">
              {name}
            </Text>
            <Text fz="xl" fw={650} component="dd" m={0}>
              {format.number(value)}
            </Text>
          </Paper>
        ))}
    </SimpleGrid>
  );
}

function EntryFacts({ entry }: { entry: Nonconformity }) {
  const words = useWords(registerWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const personName = usePersonName();
  const { supplierCode, customerCode } = entry;
  const facts: [string, ReactNode][] = [
    [
      words.product,
      <PageLink key="product" to="/products/$productCode" params={{ productCode: entry.productCode }}>
        {entry.productName} · <CodeText>{entry.productCode}</CodeText>
      </PageLink>,
    ],
    [words.batch, <BatchLink key="batch" productCode={entry.productCode} batchNo={entry.batchNo} />],
    [words.expiry, <Expiry key="expiry" date={entry.expiryDate} />],
    ...(entry.serials.length > 0
      ? [
          [words.serials, <CodeText key="serials">{entry.serials.join(', ')}</CodeText>] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    [words.warehouse, <WarehouseText key="warehouse" code={entry.warehouse} />],
    [words.source, <Source key="source" source={entry.source} />],
    [common.reason, <WrittenReason key="reason" reason={entry.reason} />],
    [words.enteredAt, `${format.instant(entry.createdAt)} · ${personName(entry.createdBy)}`],
  ];
  if (!entry.inStock) facts.push([words.stock, words.neverInStock]);
  if (supplierCode) facts.push([words.supplier, <Partner key="supplier" code={supplierCode} />]);
  if (customerCode) facts.push([words.customer, <Partner key="customer" code={customerCode} />]);
  if (entry.closedAt) facts.push([words.closedAt, format.instant(entry.closedAt)]);
  facts.push([words.recordId, <RecordId key="id" id={entry.ncId} />]);
  return <Facts facts={facts} />;
}

const Partner = ({ code }: { code: string }) => (
  <PageLink to="/partners/$partnerCode" params={{ partnerCode: code }}>
    <CodeText>{code}</CodeText>
  </PageLink>
);

/** The document that brought the goods. */
function Source({ source: { kind, id, no, line } }: { source: Nonconformity['source'] }) {
  const words = useWords(registerWords);
  const path = id === null ? null : recordPath('receipt', id);
  return (
    <>
      {words.sources[kind]}
      {path && (
        <>
          {' · '}
          <PageLink to={path}>
            <CodeText>{no ?? id}</CodeText>
          </PageLink>
        </>
      )}
      {line !== null && ` · ${words.sourceLine(line)}`}
    </>
  );
}

function Dispositions({ dispositionIds }: { dispositionIds: readonly string[] }) {
  const words = useWords(registerWords);
  return (
    <Panel title={words.dispositions}>
      <Stack gap="xs">
        {dispositionIds.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.noDispositions}
          </Text>
        )}
        {dispositionIds.map((dispositionId) => (
          <DispositionRow key={dispositionId} dispositionId={dispositionId} />
        ))}
      </Stack>
    </Panel>
  );
}

function DispositionRow({ dispositionId }: { dispositionId: string }) {
  const words = useWords(dispositionWords);
  const format = useFormat();
  const personName = usePersonName();
  const { data } = useResource('/v2/quality/dispositions/{dispositionId}', { path: { dispositionId } });
  return (
    <Group gap="sm" wrap="wrap">
      <PageLink to="/quality/dispositions/$dispositionId" params={{ dispositionId }}>
        {data ? `${data.dispositionNo} · ${words.kinds[data.kind]}` : dispositionId}
      </PageLink>
      {data && <StatusBadge status={DISPOSITION_STATUSES[data.status]} />}
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {data
          ? [`${words.proposedBy} ${personName(data.proposedBy)}`, format.instant(data.proposedAt)].join(
              ' · ',
            )
          : NOTHING}
      </Text>
    </Group>
  );
}

const HOLDS_MAX = 200;

/** The active holds on the goods. */
function Holds({ entry: { ncId, productCode, batchNo } }: { entry: Nonconformity }) {
  const words = useWords(registerWords);
  const may = useMay();
  const list = useList('/v2/stock/holds', {
    query: { productCode, ...(batchNo === '' ? {} : { batchNo }), status: 'active', limit: HOLDS_MAX },
    enabled: may('inventory:read'),
  });
  const columns = useHoldColumns({ ofOneBatch: true });
  const holds = list.data?.pages.flatMap((page) => page.items).filter((hold) => hold.ncId === ncId) ?? [];
  if (!may('inventory:read')) return null;
  return (
    <Panel title={words.holds}>
      <ItemTable
        label={words.holds}
        items={holds}
        rowKey={(hold) => hold.holdId}
        empty={{ title: words.noHolds, isCompact: true }}
        columns={columns}
      />
    </Panel>
  );
}
