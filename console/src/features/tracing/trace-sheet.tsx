import { Box, Text } from '@mantine/core';
import { useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Person } from '../../ui/person.js';
import {
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetInstant,
  SheetLines,
  SheetTable,
} from '../../ui/print-sheet.js';
import { UNITS, withUnit } from '../environment/limits.js';
import { documentsOf, type Stay } from './custody.js';
import { custodyWords } from './custody-words.js';
import type { Step, Trace } from './trace-query.js';
import styles from './trace-sheet.module.css';
import { traceWords } from './trace-words.js';
import type { BatchDates } from './use-batch-dates.js';
import type { Condition } from './use-conditions.js';

/** The printed trace, for an inspector: in full as text, in the organization's time zone. */
export function TraceSheet(props: {
  code: string;
  trace: Trace;
  dates: BatchDates;
  steps: readonly Step[];
  stays: readonly Stay[];
  conditions: ReadonlyMap<string, Condition[]>;
  isPartial: boolean;
}) {
  const words = useWords(traceWords);
  const custody = useWords(custodyWords);
  const format = useOrganizationFormat();
  const { udi, product, recalls } = props.trace;
  return (
    <div className={styles.paper} aria-hidden="true">
      {/* The paper has a title of its own. */}
      <style>{'@media print { h1 { display: none } }'}</style>
      <PrintSheet>
        <Text fw={700} size="lg">
          {custody.record}
          {format.colon}
          {product.productName}
        </Text>
        {recalls.map((recall) => (
          <Box key={recall.recallId} className={styles.recall}>
            {custody.recall} {recall.recallNo} · {words.recallClass(recall.class)} ·{' '}
            <SheetInstant at={recall.openedAt} /> · {recall.reason}
          </Box>
        ))}
        <SheetFacts
          facts={[
            [words.productCode, <SheetCode key="product" code={product.productCode} />],
            [words.manufacturer, product.manufacturer],
            [words.registrationNo, product.registrationNo],
            [words.specification, product.specification ?? product.model],
            [custody.batch, udi.batchNo],
            [custody.serial, udi.serialNo],
            [custody.manufactured, <SheetDay key="manufactured" day={props.dates.manufactureDate} />],
            [custody.expiry, <SheetDay key="expiry" day={props.dates.expiryDate} />],
          ]}
        />
        <SheetFacts cols={1} facts={[[custody.code, <SheetCode key="code" code={props.code} />]]} />
        <StayTable stays={props.stays} conditions={props.conditions} />
        <StepTable steps={props.steps} />
        {props.isPartial && <Text size="sm">{custody.incomplete}</Text>}
      </PrintSheet>
    </div>
  );
}

function StayTable({
  stays,
  conditions,
}: {
  stays: readonly Stay[];
  conditions: ReadonlyMap<string, Condition[]>;
}) {
  const words = useWords(traceWords);
  const custody = useWords(custodyWords);
  const format = useOrganizationFormat();
  const documents: Readonly<Record<string, string>> = words.documents;
  const keptAt = ({ point, temperature, alerts }: Condition) =>
    [
      `${point.name}${format.colon.trimEnd()}`,
      temperature === null
        ? custody.noReadings
        : custody.readings(
            format.number(temperature.min),
            withUnit(temperature.max, UNITS.temperature, format),
          ),
      alerts.length > 0 && `(${custody.alertsOf(alerts.length)})`,
    ]
      .filter(Boolean)
      .join(' ');
  return (
    <SheetTable
      dense
      label={custody.custody}
      items={stays}
      rowKey={(stay) => stay.key}
      columns={[
        {
          name: custody.who,
          show: ({ party }) => party.name ?? party.code ?? words.kinds[party.kind],
        },
        { name: custody.from, show: (stay) => <SheetInstant at={stay.from} /> },
        {
          name: custody.to,
          show: (stay) => (stay.until === null ? custody.stillThere : <SheetInstant at={stay.until} />),
        },
        { name: custody.most, show: (stay) => format.number(stay.most), align: 'right' },
        {
          name: custody.documents,
          show: (stay) => (
            <SheetLines
              lines={documentsOf(stay).map(({ type, no, id }) => (
                <DocumentText key={id} name={documents[type] ?? type} no={no} />
              ))}
            />
          ),
        },
        {
          name: custody.kept,
          show: (stay) => <SheetLines lines={(conditions.get(stay.key) ?? []).map(keptAt)} />,
        },
      ]}
    />
  );
}

/** A document by its number, which does not wrap. */
const DocumentText = ({ name, no }: { name: string; no: string | null }) => (
  <>
    {name} {no && <SheetCode code={no} />}
  </>
);

function StepTable({ steps }: { steps: readonly Step[] }) {
  const words = useWords(traceWords);
  const custody = useWords(custodyWords);
  const format = useOrganizationFormat();
  const documents: Readonly<Record<string, string>> = words.documents;
  const nameOf = (end: Step['from']) => end && (end.name ?? end.code ?? words.kinds[end.kind]);
  return (
    <SheetTable
      dense
      label={words.chain}
      items={steps.map((step, n) => ({ ...step, n }))}
      rowKey={({ n }) => String(n)}
      columns={[
        { name: custody.when, show: (step) => <SheetInstant at={step.at} /> },
        {
          name: custody.step,
          show: (step) =>
            step.step === 'recalled' ? <strong>{words.steps.recalled}</strong> : words.steps[step.step],
        },
        {
          name: custody.way,
          show: (step) => [nameOf(step.from), nameOf(step.to)].filter(Boolean).join(' → ') || step.location,
        },
        { name: custody.most, show: (step) => format.number(step.quantity), align: 'right' },
        {
          name: custody.document,
          show: ({ document }) =>
            document && <DocumentText name={documents[document.type] ?? document.type} no={document.no} />,
        },
        {
          name: custody.by,
          show: (step) => step.actor && <Person email={step.actor} withEmail />,
        },
      ]}
    />
  );
}
