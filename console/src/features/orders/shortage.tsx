import { Box, List, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { BatchLink } from '../stock/inventory-record.js';
import { operationWords } from '../stock/operation-words.js';
import type { Order } from './order.types.js';
import type { Readiness, ReadyLine } from './readiness.js';
import { readinessWords } from './readiness-words.js';

type Kind = keyof ReadyLine['sources'];

/** Where the missing quantities could come from, line by line. */
export function Shortage({ order, readiness }: { order: Order; readiness: Readiness }) {
  const words = useWords(readinessWords);
  const short = (readiness.lines ?? []).filter((line) => line.missingQuantity > 0);
  if (short.length === 0) return null;
  return (
    <Panel title={words.shortage}>
      <Stack>
        {short.map((line) => (
          <ShortLine key={line.lineNo} order={order} line={line} />
        ))}
      </Stack>
    </Panel>
  );
}

function ShortLine({ order, line }: { order: Order; line: ReadyLine }) {
  const words = useWords(readinessWords);
  const format = useFormat();
  const name = order.lines.find(({ lineNo }) => lineNo === line.lineNo)?.productName ?? line.productCode;
  const { reservations, holds, receipts, warehouses } = line.sources;
  const groups = [
    ['reservations', reservations.length > 0 && <Reservations line={line} />],
    ['holds', holds.length > 0 && <Holds line={line} />],
    ['receipts', (receipts ?? []).length > 0 && <Receipts line={line} />],
    ['warehouses', warehouses.length > 0 && <Warehouses line={line} />],
  ] as const satisfies readonly (readonly [Kind, ReactNode])[];
  const shown = groups.filter(([, list]) => list);
  return (
    <Box>
      <Title order={3} size="h5">
        {name}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {words.missingOf(format.number(line.missingQuantity), format.number(line.neededQuantity))} ·{' '}
        <WarehouseText code={order.warehouse} />
      </Text>
      {shown.length === 0 && <Text size="sm">{words.noSources}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {shown.map(([kind, list]) => (
          <Source key={kind} kind={kind}>
            {list}
          </Source>
        ))}
      </SimpleGrid>
    </Box>
  );
}

function Source({ kind, children }: { kind: Kind; children: ReactNode }) {
  const words = useWords(readinessWords);
  return (
    <Paper withBorder p="sm">
      <Text size="sm" fw={600}>
        {words.sources[kind]}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {words.hints[kind]}
      </Text>
      <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
        {children}
      </List>
    </Paper>
  );
}

/** A quantity in bold, then where it is. */
const Item = ({ quantity, children }: { quantity: number; children: ReactNode }) => {
  const format = useFormat();
  return (
    <List.Item>
      <b>{format.number(quantity)}</b> {children}
    </List.Item>
  );
};

function Reservations({ line }: { line: ReadyLine }) {
  const words = useWords(readinessWords);
  const format = useFormat();
  return line.sources.reservations.map((each) => (
    <Item key={`${each.orderId} ${each.batchNo}`} quantity={each.quantity}>
      <PageLink to="/orders/$orderId" params={{ orderId: each.orderId }}>
        <CodeText>{each.orderNo}</CodeText>
      </PageLink>{' '}
      {each.customerName} ·{' '}
      {each.requestedDate === null ? words.noDate : words.requested(format.day(each.requestedDate))} ·{' '}
      <BatchLink productCode={line.productCode} batchNo={each.batchNo} />
    </Item>
  ));
}

function Holds({ line }: { line: ReadyLine }) {
  const categories = useWords(operationWords).categories;
  return line.sources.holds.map((each) => (
    <Item key={each.holdId} quantity={each.quantity}>
      <BatchLink productCode={line.productCode} batchNo={each.batchNo} /> ·{' '}
      <PageLink to="/holds" search={{ productCode: line.productCode, status: 'active' }}>
        {categories[each.category]}
      </PageLink>
      : {each.reason}
    </Item>
  ));
}

function Receipts({ line }: { line: ReadyLine }) {
  return (line.sources.receipts ?? []).map((each) => (
    <Item key={`${each.receiptId} ${each.batchNo}`} quantity={each.quantity}>
      <PageLink to="/receipts/$receiptId" params={{ receiptId: each.receiptId }}>
        <CodeText>{each.receiptNo}</CodeText>
      </PageLink>
      {each.batchNo !== '' && (
        <>
          {' '}
          · <CodeText>{each.batchNo}</CodeText>
        </>
      )}
    </Item>
  ));
}

function Warehouses({ line }: { line: ReadyLine }) {
  return line.sources.warehouses.map(({ warehouse, quantity }) => (
    <Item key={warehouse} quantity={quantity}>
      <PageLink to="/inventory" search={{ productCode: line.productCode, warehouse }}>
        {warehouse}
      </PageLink>
    </Item>
  ));
}
