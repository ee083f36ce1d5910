import './print-sheet.css';
import { Box, Button, Paper, Stack, Table, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { NOTHING, useOrganizationFormat } from '../app/format.js';
import { dictionary, useLanguage, useWords } from '../app/language.js';
import { useSession } from '../app/session.js';
import { zoneName } from '../app/zone.js';
import { CodeText } from './code-text.js';
import { type Above, Page } from './page.js';
import { Person } from './person.js';

const printWords = dictionary(
  {
    print: 'Print',
    printed: (when: string, who: string, zone: string) => `Printed ${when} by ${who}. Times are in ${zone}.`,
    name: 'Name',
    date: 'Date',
    signature: 'Signature',
    recordId: 'Record ID',
  },
  {
    print: '打印',
    printed: (when: string, who: string, zone: string) => `打印时间：${when}　打印人：${who}　时区：${zone}`,
    name: '姓名',
    date: '日期',
    signature: '签字',
    recordId: '记录 ID',
  },
);

/** Prints after all symbols are drawn, because a pending one would leave a gap on the paper. */
async function printDrawn(): Promise<void> {
  const symbols = [...document.querySelectorAll<HTMLImageElement>('.print-sheet img')];
  await Promise.allSettled(symbols.map((symbol) => symbol.decode()));
  window.print();
}

/** The page of a printable document. Only the title and the sheet are printed. */
export function PrintPage({
  title,
  above,
  isPrinted = true,
  children,
}: {
  title: string;
  above: Above;
  /** False if there is nothing to print. */
  isPrinted?: boolean;
  children: ReactNode;
}) {
  const words = useWords(printWords);
  return (
    <Page
      title={title}
      above={above}
      actions={
        isPrinted && (
          <Button className="no-print" leftSection={<Printer size={16} />} onClick={printDrawn}>
            {words.print}
          </Button>
        )
      }
    >
      {children}
    </Page>
  );
}

/** The sheet: the document, and below it who printed it and when. */
export function PrintSheet({
  landscape = false,
  letterhead = true,
  recordId,
  children,
}: {
  landscape?: boolean;
  /** The name of the organization at the top. */
  letterhead?: boolean;
  /** The id of a record without a number, in small print at the bottom. */
  recordId?: string;
  children: ReactNode;
}) {
  const words = useWords(printWords);
  const format = useOrganizationFormat();
  const { organization, user } = useSession();
  const zone = zoneName(useLanguage().language, organization.timeZone);
  return (
    <Paper
      withBorder
      p={{ base: 'sm', sm: 'xl' }}
      className="print-sheet"
      data-landscape={landscape || undefined}
    >
      <Stack>
        {letterhead && <Text fw={600}>{organization.name}</Text>}
        {children}
        {recordId && (
          <Text size="xs" c="dimmed" style={WRAPPING.short}>
            {words.recordId}
            {format.colon}
            <CodeText>{recordId}</CodeText>
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {words.printed(format.instant(new Date().toISOString()), user.name ?? user.email, zone)}
        </Text>
      </Stack>
    </Paper>
  );
}

/** Names and values, side by side. */
export const SheetFacts = ({
  facts,
  cols = 4,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  cols?: number;
}) => (
  <dl className="sheet-facts" style={{ '--sheet-facts': cols } as CSSProperties}>
    {facts.map(([name, value]) => (
      <Box key={name}>
        <Text component="dt" size="xs" c="dimmed">
          {name}
        </Text>
        <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {value || NOTHING}
        </Text>
      </Box>
    ))}
  </dl>
);

/** A mark that must not be overlooked, such as that the sheet is a draft. */
export const SheetMark = ({ children }: { children: ReactNode }) => (
  <Text fw={700} px="sm" py={6} style={{ border: '2px solid currentColor' }}>
    {children}
  </Text>
);

/** A space to write or stamp by hand. */
export const SheetRoom = () => (
  <Box h={56} style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }} />
);

/** An instant in the time zone of the organization. */
export function SheetInstant({ at }: { at: string | null }) {
  const format = useOrganizationFormat();
  return at === null ? NOTHING : <time dateTime={at}>{format.instant(at)}</time>;
}

/** A day that is not an instant: an expiry date. */
export function SheetDay({ day }: { day: string | null }) {
  const format = useOrganizationFormat();
  if (day === null) return NOTHING;
  return (
    <time dateTime={day} style={WRAPPING.short}>
      {format.day(day)}
    </time>
  );
}

/** A code, or a note that there is none. */
export const SheetCode = ({ code }: { code: string }) =>
  code === '' ? NOTHING : <CodeText>{code}</CodeText>;

/** A value with its name, for a cell with several values. Null without a value. */
export function useNamed(): (name: string, value: ReactNode) => ReactNode {
  const { colon } = useOrganizationFormat();
  return (name, value) =>
    value === null || value === undefined || value === false || value === '' ? null : (
      <>
        {name}
        {colon}
        {value}
      </>
    );
}

/** Several values in one cell, each on its own line; omits missing ones. */
export const SheetLines = ({ lines }: { lines: readonly ReactNode[] }) =>
  lines
    .filter((line) => line !== null && line !== '')
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a cell keep their order
    .map((line, at) => <div key={at}>{line}</div>);

interface SheetColumn<I> {
  name: string;
  show: (item: I) => ReactNode;
  align?: 'right';
  /** Short values stay on one line, long ones wrap anywhere, others between words. */
  fits?: 'short' | 'long';
}

const WRAPPING = { short: { whiteSpace: 'nowrap' }, long: { overflowWrap: 'anywhere' } } as const;

/** A table of the sheet. On screen it scrolls by itself, also by keyboard; on a phone each row is a block. */
export const SheetTable = <I,>({
  label,
  items,
  rowKey,
  columns,
  dense = false,
}: {
  label: string;
  items: readonly I[];
  rowKey: (item: I) => string;
  columns: readonly SheetColumn<I>[];
  /** Smaller, for many columns. */
  dense?: boolean;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: reached by keyboard to be scrolled
  <section className="print-table" tabIndex={0} aria-label={label}>
    <Table
      withTableBorder
      withColumnBorders
      fz={dense ? 'xs' : 'sm'}
      verticalSpacing={dense ? 4 : 'xs'}
      horizontalSpacing={dense ? 6 : 'xs'}
      aria-label={label}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ name, align }) => (
            <Table.Th key={name} data-align={align} style={{ wordBreak: 'keep-all' }}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={rowKey(item)}>
            {columns.map(({ name, show, align, fits }) => (
              <Table.Td
                key={name}
                data-name={name}
                data-align={align}
                data-fits={fits}
                style={fits && WRAPPING[fits]}
              >
                {show(item)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </section>
);

export interface Signatory {
  role: string;
  /** As the record has it: the e-mail address of a person, or a name. Null if not known yet, to be written by hand. */
  name: string | null;
  at: string | null;
}

/** The participants and times, with room for each to sign. */
export function Signatures({ label, people }: { label: string; people: readonly Signatory[] }) {
  const words = useWords(printWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: reached by keyboard to be scrolled
    <section className="print-table" tabIndex={0} aria-label={label}>
      <Table className="signatures" withTableBorder withColumnBorders verticalSpacing="md" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.date}</Table.Th>
            <Table.Th w="30%">{words.signature}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map(({ role, name, at }) => (
            <Table.Tr key={role}>
              <Table.Th scope="row" style={WRAPPING.short}>
                {role}
              </Table.Th>
              <Table.Td data-name={words.name}>{name && <Person email={name} withEmail />}</Table.Td>
              <Table.Td data-name={words.date}>{at && <SheetInstant at={at} />}</Table.Td>
              <Table.Td />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
