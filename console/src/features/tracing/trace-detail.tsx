import { Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { FileJson, OctagonAlert, Printer } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Facts, Panel } from '../../ui/page.js';
import { saveFile } from '../../ui/save-file.js';
import { StatusBadge } from '../../ui/status.js';
import { useAction } from '../../ui/use-action.js';
import { productWords } from '../catalogue/product-words.js';
import { useProducts } from '../catalogue/use-products.js';
import { Chain } from './chain.js';
import { staysOf } from './custody.js';
import { CustodyPanel } from './custody-panel.js';
import { custodyWords } from './custody-words.js';
import { Holders } from './holders.js';
import { LabelPanel } from './label-panel.js';
import { type Trace, type TraceQuery, wholeEpcis } from './trace-query.js';
import { TraceSheet } from './trace-sheet.js';
import { traceWords } from './trace-words.js';
import { type BatchDates, useBatchDates } from './use-batch-dates.js';
import { useConditions } from './use-conditions.js';

export function TraceDetail({ code, trace }: { code: string; trace: TraceQuery }) {
  const pages = trace.data?.pages ?? [];
  const [first] = pages;
  if (!first) return null;
  return <TraceRecord code={code} trace={trace} first={first} pages={pages} />;
}

function TraceRecord({
  code,
  trace,
  first,
  pages,
}: {
  code: string;
  trace: TraceQuery;
  first: Trace;
  pages: readonly Trace[];
}) {
  const words = useWords(traceWords);
  const [now] = useState(Date.now);
  const steps = useMemo(() => pages.flatMap((page) => page.chain.items), [pages]);
  const stays = useMemo(() => staysOf(steps), [steps]);
  const { productCode } = first.product;
  const conditions = useConditions(stays, useProducts([productCode])(productCode)?.storage, now);
  const dates = useBatchDates(first);
  const { recalls } = first;
  return (
    <>
      <TraceSheet
        {...{ code, trace: first, dates, steps, stays, conditions }}
        isPartial={trace.hasNextPage}
      />
      <Stack className="no-print">
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <ProductPanel code={code} trace={first} dates={dates} />
          <LabelPanel code={code} agency={first.udi.issuingAgency} name={first.product?.productName} />
        </SimpleGrid>
        <CustodyPanel {...{ stays, steps, recalls, conditions, now }} />
        <Holders holders={first.holders} steps={steps} isPartial={trace.hasNextPage} />
        <Panel title={words.chain}>
          <Chain
            steps={steps}
            hasMore={trace.hasNextPage}
            isLoading={trace.isFetchingNextPage}
            onMore={() => trace.fetchNextPage()}
          />
        </Panel>
        <CertificatePanel trace={first} />
        <RecallPanel trace={first} />
      </Stack>
    </>
  );
}

function ProductPanel({
  code,
  trace: { udi, product, status, recalls, holders },
  dates,
}: {
  code: string;
  trace: Trace;
  dates: BatchDates;
}) {
  const words = useWords(traceWords);
  const common = useWords(commonWords);
  const custody = useWords(custodyWords);
  const riskClasses: Readonly<Record<string, string>> = useWords(productWords).riskClasses;
  const format = useFormat();
  const may = useMay();
  const held = holders.map(({ kind, code: holder, name, quantity }) =>
    words.holderOf(name ?? holder ?? words.kinds[kind], format.number(quantity)),
  );
  const facts: [string, string | null][] = [
    [custody.who, held.length === 0 ? null : format.list(held)],
    [custody.batch, udi.batchNo],
    [custody.serial, udi.serialNo],
    [custody.expiry, dates.expiryDate && format.day(dates.expiryDate)],
    [custody.manufactured, dates.manufactureDate && format.day(dates.manufactureDate)],
    [words.specification, product.specification],
    [words.model, product.model],
    [words.manufacturer, product.manufacturer],
    [words.registrationNo, product.registrationNo],
    [words.riskClass, product.riskClass && (riskClasses[product.riskClass] ?? product.riskClass)],
    [
      words.package,
      product.package && words.packageOf(product.package.level, format.number(product.package.quantity)),
    ],
  ];
  return (
    <Panel title={words.product}>
      <Stack>
        <Facts
          facts={[
            [words.product, product.productName],
            [
              words.productCode,
              <PageLink key="code" to="/products/$productCode" params={{ productCode: product.productCode }}>
                <CodeText>{product.productCode}</CodeText>
              </PageLink>,
            ],
            [common.status, <StatusBadge key="status" status={status} />],
            ...facts.filter(([, value]) => value !== null),
          ]}
        />
        <Group gap="xs">
          <Button variant="default" leftSection={<Printer size={16} />} onClick={() => window.print()}>
            {custody.print}
          </Button>
          <EpcisButton code={code} />
          {may('recalls:write') && !recalls.some((recall) => recall.status === 'open') && (
            <ButtonLink
              to="/recalls/new"
              search={
                {
                  productCode: product.productCode,
                  ...(udi.batchNo === null ? {} : { batchNo: udi.batchNo }),
                  ...(udi.serialNo === null ? {} : { serialNo: udi.serialNo }),
                } as never
              }
              variant="light"
              color="red"
              leftSection={<OctagonAlert size={16} />}
            >
              {words.recall}
            </ButtonLink>
          )}
        </Group>
      </Stack>
    </Panel>
  );
}

function EpcisButton({ code }: { code: string }) {
  const words = useWords(traceWords);
  const save = useAction({
    run: async () =>
      saveFile('epcis.jsonld', JSON.stringify(await wholeEpcis(code), null, 2), 'application/ld+json'),
    done: words.epcisDone,
  });
  return (
    <Button
      variant="default"
      leftSection={<FileJson size={16} />}
      loading={save.isPending}
      onClick={() => save.mutate(undefined)}
    >
      {words.epcis}
    </Button>
  );
}

function CertificatePanel({ trace }: { trace: Trace }) {
  const words = useWords(traceWords);
  const common = useWords(commonWords);
  const format = useFormat();
  return (
    <Panel title={words.certificates}>
      <ItemTable
        items={trace.certificates}
        label={words.certificates}
        rowKey={(certificate) => certificate.certificateId}
        empty={{ title: words.noCertificates }}
        columns={[
          {
            name: words.certificateNo,
            show: (certificate) => (
              <PageLink
                to="/certificates/$certificateId"
                params={{ certificateId: certificate.certificateId }}
              >
                <CodeText>{certificate.certificateNo}</CodeText>
              </PageLink>
            ),
          },
          { name: words.certificateType, show: (certificate) => certificate.type, wide: true },
          {
            name: words.validTo,
            show: (certificate) => (certificate.validTo ? format.day(certificate.validTo) : words.noEnd),
            wide: 'below',
            below: ({ validTo }) =>
              validTo ? `${words.validTo}${format.colon}${format.day(validTo)}` : words.noEnd,
          },
          { name: common.status, show: (certificate) => <StatusBadge status={certificate.status} /> },
        ]}
      />
    </Panel>
  );
}

function RecallPanel({ trace: { recalls } }: { trace: Trace }) {
  const words = useWords(traceWords);
  return (
    <Panel title={words.recalls}>
      {recalls.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noRecalls}
        </Text>
      )}
      <Stack gap="sm">
        {recalls.map((recall) => (
          <div key={recall.recallId}>
            <Group gap="xs">
              <PageLink to="/recalls/$recallId" params={{ recallId: recall.recallId }}>
                <CodeText>{recall.recallNo}</CodeText>
              </PageLink>
              <Badge variant="light" color="gray" tt="none">
                {words.recallClass(recall.class)}
              </Badge>
              <StatusBadge status={recall.status} />
            </Group>
            <Text size="sm" c="dimmed">
              {recall.reason}
            </Text>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
