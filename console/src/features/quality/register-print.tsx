import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { NOTHING, useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Loaded } from '../../ui/page.js';
import { Person } from '../../ui/person.js';
import {
  PrintPage,
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetInstant,
  SheetLines,
  SheetTable,
  Signatures,
} from '../../ui/print-sheet.js';
import { useStatusName } from '../../ui/status.js';
import { WrittenReason } from '../../ui/written-reason.js';
import { useWarehouseName, WarehouseText } from '../catalogue/warehouse-name.js';
import { dispositionWords } from './disposition-words.js';
import {
  DISPOSITION_STATUSES,
  type Disposition,
  entryStatus,
  NONCONFORMITY_STATUSES,
  type Nonconformity,
} from './quality.types.js';
import { ENTRIES_MAX, type PrintedRegister, readRegister } from './read-register.js';
import { recordWords } from './record-words.js';
import { registerView, useRegisterFilters } from './register-filters.js';
import { registerWords } from './register-words.js';

/** The printed register, with the filters of the list. */
export default function RegisterPrint() {
  const words = useWords(recordWords);
  const { register } = useWords(registerWords);
  const filters = useRegisterFilters();
  const view = registerView(filters);
  const query = useQuery({
    queryKey: ['/v2/quality/nonconformities', 'print', filters.query],
    queryFn: () => readRegister(filters.query),
  });
  return (
    <PrintPage
      title={words.printRegister}
      above={{ to: '/quality/nonconformities', search: view, name: register }}
    >
      <Loaded query={query}>{(printed) => <Sheet printed={printed} filters={view} />}</Loaded>
    </PrintPage>
  );
}

type FilterValues = ReturnType<typeof registerView>;

function Sheet({ printed, filters }: { printed: PrintedRegister; filters: FilterValues }) {
  const words = useWords(recordWords);
  const { none, enteredBy } = useWords(registerWords);
  const format = useOrganizationFormat();
  return (
    <>
      {printed.isCut && (
        <Alert color="orange" className="no-print">
          {words.loadedMax(ENTRIES_MAX)}
        </Alert>
      )}
      <PrintSheet landscape>
        <SheetFacts facts={useFilterFacts(filters)} />
        {printed.entries.length === 0 ? <Empty title={none} /> : <Entries printed={printed} />}
        <Text size="sm" ta="right">
          {words.entries(format.number(printed.entries.length))}
        </Text>
        <Signatures
          label={words.signatures}
          people={[
            { role: enteredBy, name: null, at: null },
            { role: words.reviewed, name: null, at: null },
          ]}
        />
      </PrintSheet>
    </>
  );
}

/** The filtered part of the register. */
function useFilterFacts(filters: FilterValues): [string, string][] {
  const words = useWords(recordWords);
  const names = useWords(registerWords);
  const statusOf = useStatusName();
  const warehouseName = useWarehouseName();
  const facts: [string, string | undefined][] = [
    [words.text, filters.q],
    [
      words.status,
      filters.status && statusOf(NONCONFORMITY_STATUSES[filters.status as Nonconformity['status']]),
    ],
    [names.source, filters.source && names.sources[filters.source as Nonconformity['source']['kind']]],
    [words.productCode, filters.productCode],
    [names.batch, filters.batchNo],
    [names.warehouse, filters.warehouse && warehouseName(filters.warehouse)],
    [names.since, filters.since],
    [names.until, filters.until],
  ];
  const given = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
  return given.length > 0 ? given : [[words.filters, words.noFilters]];
}

function Entries({ printed: { entries, dispositions } }: { printed: PrintedRegister }) {
  const words = useWords(recordWords);
  const { sources } = useWords(registerWords);
  const format = useOrganizationFormat();
  const statusOf = useStatusName();
  return (
    <SheetTable
      dense
      label={words.printRegister}
      items={entries}
      rowKey={(entry) => entry.ncId}
      columns={[
        {
          name: words.entered,
          show: (entry) => (
            <SheetLines
              lines={[
                <SheetInstant key="at" at={entry.createdAt} />,
                <Person key="by" email={entry.createdBy} />,
              ]}
            />
          ),
        },
        {
          name: words.product,
          show: (entry) => (
            <SheetLines lines={[entry.productName, entry.productCode, entry.serials.join(', ')]} />
          ),
        },
        { name: words.batch, show: (entry) => <SheetCode code={entry.batchNo} /> },
        { name: words.expiry, show: (entry) => <SheetDay day={entry.expiryDate} />, fits: 'short' },
        { name: words.quantity, show: (entry) => format.number(entry.quantity), align: 'right' },
        { name: words.warehouse, show: (entry) => <WarehouseText code={entry.warehouse} /> },
        {
          name: words.source,
          show: ({ source, supplierCode, customerCode }) => (
            <SheetLines
              lines={[
                sources[source.kind],
                source.no && <SheetCode key="no" code={source.no} />,
                supplierCode ?? customerCode,
              ]}
            />
          ),
        },
        { name: words.reason, show: (entry) => <WrittenReason reason={entry.reason} /> },
        {
          name: words.disposition,
          show: (entry) => <Outcomes entry={entry} dispositions={dispositions} />,
        },
        // The same words as in the list.
        { name: words.status, show: (entry) => statusOf(entryStatus(entry)), fits: 'short' },
      ]}
    />
  );
}

/** The units of an entry in one disposition. */
const quantityIn = ({ lines }: Disposition, ncId: string): number =>
  lines.reduce((sum, line) => sum + (line.ncId === ncId ? line.quantity : 0), 0);

/** The outcome for the goods: each disposition that was not rejected, and units that left without one. */
function Outcomes({
  entry: { ncId, dispositionIds, releasedQuantity, adjustedQuantity },
  dispositions,
}: {
  entry: Nonconformity;
  dispositions: PrintedRegister['dispositions'];
}) {
  const words = useWords(recordWords);
  const { kinds } = useWords(dispositionWords);
  const statusOf = useStatusName();
  const format = useOrganizationFormat();
  const decided = dispositionIds
    .flatMap((dispositionId) => dispositions.get(dispositionId) ?? [])
    .filter(({ status }) => status !== 'rejected');
  return (
    <>
      {decided.map((disposition) => (
        <div key={disposition.dispositionId}>
          {words.outcome(
            `${disposition.dispositionNo} ${kinds[disposition.kind]}`,
            format.number(quantityIn(disposition, ncId)),
            statusOf(DISPOSITION_STATUSES[disposition.status]),
          )}{' '}
          <SheetInstant at={disposition.executedAt ?? disposition.approvedAt ?? disposition.proposedAt} />
        </div>
      ))}
      {releasedQuantity > 0 && <div>{words.released(format.number(releasedQuantity))}</div>}
      {adjustedQuantity > 0 && <div>{words.adjusted(format.number(adjustedQuantity))}</div>}
      {decided.length === 0 && releasedQuantity === 0 && adjustedQuantity === 0 && NOTHING}
    </>
  );
}
