import { Box, Group, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay, useSession } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { PageLink } from '../../ui/links.js';
import { Person } from '../../ui/person.js';
import { PrintSheet, SheetFacts, SheetInstant } from '../../ui/print-sheet.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { DispatchSheet } from './dispatch-sheet.js';
import { NoteLine } from './note-line.js';
import { noteWords } from './note-words.js';
import type { Dispatch } from './pick-draft.js';

export default function DeliveryNote() {
  const words = useWords(noteWords);
  return (
    <DispatchSheet
      name={words.note}
      printLabel={words.print}
      above={(dispatchId) => (
        <PageLink to="/dispatches/$dispatchId/record" params={{ dispatchId }}>
          {words.record}
        </PageLink>
      )}
    >
      {(dispatch) => <Sheet dispatch={dispatch} />}
    </DispatchSheet>
  );
}

function Sheet({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const format = useFormat();
  const quantity = dispatch.lines.reduce((sum, line) => sum + line.quantity, 0);
  return (
    <PrintSheet letterhead={false}>
      {dispatch.dispatchedAt === null && <Text fw={600}>{words.notDispatched}</Text>}
      <Parties dispatch={dispatch} />
      <SheetFacts
        facts={[
          [words.orderNo, dispatch.orderNo],
          [words.date, <SheetInstant key="date" at={dispatch.dispatchedAt} />],
          [words.carrier, dispatch.carrier],
          [words.trackingNo, dispatch.trackingNo],
        ]}
      />
      <Lines dispatch={dispatch} />
      <Text size="sm" ta="right">
        {words.total}
        {format.colon}
        <b>{format.number(quantity)}</b>
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 4 }} className="signatures">
        <Signed name={words.pickedBy} by={dispatch.pickedBy} />
        <Signed name={words.recheckedBy} by={dispatch.recheckedBy} />
        <Room name={words.stamp} />
        <Room name={words.received} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {words.dispatchNo}
        {format.colon}
        <CodeText>{dispatch.dispatchId}</CodeText>
      </Text>
    </PrintSheet>
  );
}

/** To be written or stamped by hand. */
const Room = ({ name }: { name: string }) => (
  <Box>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Box h={56} style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }} />
  </Box>
);

const Signed = ({ name, by }: { name: string; by: string | null }) => (
  <Box>
    <Text size="xs" c="dimmed">
      {name}
    </Text>
    <Text size="sm" component="div">
      <Person email={by} withEmail />
    </Text>
  </Box>
);

function Parties({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const may = useMay();
  const { organization } = useSession();
  const partner = useResource('/v2/partners/{code}', {
    path: { code: dispatch.customerCode },
    enabled: may('products:read'),
  });
  return (
    <Group justify="space-between" align="flex-start">
      <Box>
        <Text size="xs" c="dimmed">
          {words.from}
        </Text>
        <Text fw={600}>{organization.name}</Text>
        <Text size="sm">
          <WarehouseText code={dispatch.warehouse} />
        </Text>
      </Box>
      <Box maw={360}>
        <Text size="xs" c="dimmed">
          {words.to}
        </Text>
        <Title order={2} size="h4">
          {dispatch.customerName}
        </Title>
        <Text size="sm">
          <CodeText>{dispatch.customerCode}</CodeText>
        </Text>
        {partner.data?.contact?.address && <Text size="sm">{partner.data.contact.address}</Text>}
        {partner.data?.contact?.name && <Text size="sm">{partner.data.contact.name}</Text>}
        {partner.data?.contact?.phone && <Text size="sm">{partner.data.contact.phone}</Text>}
      </Box>
    </Group>
  );
}

function Lines({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  return (
    <Table verticalSpacing="xs" horizontalSpacing="xs" aria-label={words.note}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.product}</Table.Th>
          <Table.Th>{words.batch}</Table.Th>
          <Table.Th ta="right">{words.quantity}</Table.Th>
          <Table.Th visibleFrom="xs">{words.code}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {dispatch.lines.flatMap((line) =>
          (line.picks.length > 0
            ? line.picks
            : line.toPick.map((each) => ({ ...each, serials: [] as string[] }))
          ).map((pick) => <NoteLine key={`${line.lineNo} ${pick.batchNo}`} line={line} pick={pick} />),
        )}
      </Table.Tbody>
    </Table>
  );
}
