import { Box, List, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay, useSession } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { Empty } from '../../ui/empty.js';
import { Loaded } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import {
  PrintPage,
  PrintSheet,
  SheetFacts,
  SheetInstant,
  SheetLines,
  SheetRoom,
} from '../../ui/print-sheet.js';
import { COUNTS, type Consignee } from './answer-form.js';
import { noticeWords } from './notice-words.js';
import { recallWords } from './recall-words.js';
import { Extent, type Recall } from './recalls.js';

/** The printed notice of a recall to one consignee, with a reply form. */
export default function RecallNotice() {
  const words = useWords(noticeWords);
  const names = useWords(recallWords);
  const recallId = useParam('recallId');
  const customerCode = useParam('customerCode');
  const query = useResource('/v2/recalls/{recallId}', { path: { recallId } });
  return (
    <PrintPage
      title={query.data ? `${words.notice} ${query.data.recallNo}` : words.notice}
      above={{
        to: '/recalls/$recallId',
        params: { recallId },
        name: query.data?.recallNo ?? names.recalls,
      }}
    >
      <Loaded query={query} missing={{ title: names.notFound, to: '/recalls' }}>
        {(recall) => {
          const consignee = recall.consignees.find((each) => each.customerCode === customerCode);
          return consignee ? (
            <Sheet recall={recall} consignee={consignee} />
          ) : (
            <Empty title={words.notConsignee} />
          );
        }}
      </Loaded>
    </PrintPage>
  );
}

const ACTIONS = ['stop', 'inform', 'count', 'giveBack'] as const;

interface Addressed {
  recall: Recall;
  consignee: Consignee;
}

function Sheet({ recall, consignee }: Addressed) {
  const words = useWords(noticeWords);
  return (
    <PrintSheet letterhead={false}>
      <Parties recall={recall} consignee={consignee} />
      <Goods recall={recall} consignee={consignee} />
      <Box>
        <Title order={2} size="h4" mb="xs">
          {words.todoTitle}
        </Title>
        <List type="ordered" size="sm">
          {ACTIONS.map((each) => (
            <List.Item key={each}>{words.todo[each]}</List.Item>
          ))}
        </List>
      </Box>
      <Reply consignee={consignee} />
    </PrintSheet>
  );
}

function Parties({ recall, consignee }: Addressed) {
  const words = useWords(noticeWords);
  const may = useMay();
  const { organization } = useSession();
  const partner = useResource('/v2/partners/{code}', {
    path: { code: consignee.customerCode },
    enabled: may('products:read'),
  });
  const { contact } = partner.data ?? {};
  const openedBy = usePersonName()(recall.openedBy);
  const opener = openedBy === recall.openedBy ? openedBy : `${openedBy} · ${recall.openedBy}`;
  const addressee = [
    <b key="name">{consignee.customerName}</b>,
    <CodeText key="code">{consignee.customerCode}</CodeText>,
    contact?.address ?? null,
    contact?.name ?? null,
    contact?.phone ?? null,
  ];
  return (
    <SheetFacts
      cols={2}
      facts={[
        [
          words.from,
          <SheetLines key="sender" lines={[<b key="name">{organization.name}</b>, words.contact(opener)]} />,
        ],
        [words.to, <SheetLines key="addressee" lines={addressee} />],
      ]}
    />
  );
}

function Goods({ recall, consignee }: Addressed) {
  const words = useWords(noticeWords);
  const names = useWords(recallWords);
  const format = useFormat();
  const may = useMay();
  const product = useResource('/v2/products/{id}', {
    path: { id: recall.productCode },
    enabled: may('products:read'),
  });
  const quantity = [format.number(consignee.quantity), product.data?.unit].filter(Boolean).join(' ');
  const bySerial = recall.extent === 'serials';
  const recalled = bySerial ? consignee.serials : consignee.batchNos;
  return (
    <>
      <SheetFacts
        cols={3}
        facts={[
          [words.recallNo, recall.recallNo],
          [words.recallClass, names.classNames[recall.class]],
          [words.date, <SheetInstant key="date" at={recall.openedAt} />],
          [words.product, recall.productName],
          [words.productCode, <CodeText key="code">{recall.productCode}</CodeText>],
          [
            words.specification,
            [product.data?.specification, product.data?.model].filter(Boolean).join(' · ') || null,
          ],
          [words.registrationNo, product.data?.registrationNo],
          [words.manufacturer, product.data?.manufacturer],
          [names.extent, <Extent key="extent" recall={recall} />],
          [bySerial ? words.serials : words.batches, recalled.join(', ') || NOTHING],
          [words.quantity, <b key="quantity">{quantity}</b>],
          [words.documents, consignee.documents.map(({ no, id }) => no ?? id).join(', ')],
        ]}
      />
      <SheetFacts cols={1} facts={[[words.reason, recall.reason]]} />
    </>
  );
}

function Reply({ consignee }: Pick<Addressed, 'consignee'>) {
  const words = useWords(noticeWords);
  const format = useFormat();
  return (
    <Box className="signatures">
      <Title order={2} size="h4">
        {words.reply}
      </Title>
      <Text size="xs" c="dimmed" mb="xs">
        {words.replyHint}
      </Text>
      <Table withTableBorder withColumnBorders verticalSpacing="sm" aria-label={words.reply}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.part}</Table.Th>
            <Table.Th w={160}>{words.units}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {COUNTS.map((name) => (
            <Table.Tr key={name}>
              <Table.Td>{words.fates[name]}</Table.Td>
              <Table.Td />
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td>{words.total}</Table.Td>
            <Table.Td>{format.number(consignee.quantity)}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <SimpleGrid cols={2} mt="md">
        {[words.remark, words.signature].map((name) => (
          <Box key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <SheetRoom />
          </Box>
        ))}
      </SimpleGrid>
    </Box>
  );
}
