import { Button, Group, Text, Timeline } from '@mantine/core';
import {
  ArrowRightLeft,
  CalendarCog,
  Check,
  type LucideIcon,
  Minus,
  OctagonAlert,
  PackageCheck,
  Plus,
  Snowflake,
  Sun,
  Trash2,
  Truck,
  Undo2,
} from 'lucide-react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { CodeText } from '../../ui/code-text.js';
import { Empty } from '../../ui/empty.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Person } from '../../ui/person.js';
import { CorrectedDates } from '../stock/movement.js';
import type { Step } from './trace-query.js';
import { traceWords } from './trace-words.js';

const LOOKS: Readonly<Record<Step['step'], readonly [icon: LucideIcon, color: string]>> = {
  received: [PackageCheck, 'teal'],
  returned: [Undo2, 'grape'],
  added: [Plus, 'teal'],
  removed: [Minus, 'gray'],
  moved_out: [ArrowRightLeft, 'blue'],
  moved_in: [ArrowRightLeft, 'blue'],
  held: [Snowflake, 'orange'],
  recalled: [OctagonAlert, 'red'],
  released: [Sun, 'teal'],
  dispatched: [Truck, 'cyan'],
  delivered: [Check, 'teal'],
  corrected: [CalendarCog, 'yellow'],
  destroyed: [Trash2, 'red'],
  returned_to_supplier: [Undo2, 'gray'],
};

/** The history of the goods, oldest first. */
export function Chain(props: {
  steps: readonly Step[];
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
}) {
  const words = useWords(traceWords);
  const common = useWords(commonWords);
  if (props.steps.length === 0) return <Empty title={words.noChain} />;
  return (
    <>
      <Timeline active={props.steps.length} bulletSize={28} lineWidth={2}>
        {props.steps.map((step, n) => {
          const [Icon, color] = LOOKS[step.step];
          return (
            <Timeline.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: a chain only grows at its end
              key={n}
              bullet={<Icon size={15} aria-hidden />}
              color={color}
              title={words.steps[step.step]}
            >
              <StepFacts step={step} />
            </Timeline.Item>
          );
        })}
      </Timeline>
      <Group justify="space-between" mt="md">
        <Text size="xs" c="dimmed" aria-live="polite">
          {common.items(props.steps.length)}
        </Text>
        {props.hasMore && (
          <Button variant="default" size="xs" loading={props.isLoading} onClick={props.onMore}>
            {common.more}
          </Button>
        )}
      </Group>
    </>
  );
}

const LATER_MS = 60_000;

function StepFacts({ step }: { step: Step }) {
  const words = useWords(traceWords);
  const format = useFormat();
  const nameOf = (end: Step['from']) => end && (end.name ?? end.code ?? words.kinds[end.kind]);
  const way = [nameOf(step.from), nameOf(step.to)].filter(Boolean).join(' → ') || step.location;
  const what = [
    step.batchNo && words.batch(step.batchNo),
    step.serialNo && words.serial(step.serialNo),
    words.units(format.number(step.quantity)),
  ];
  const isLate = Date.parse(step.recordedAt) - Date.parse(step.at) > LATER_MS;
  return (
    <>
      {way && <Text size="sm">{way}</Text>}
      {step.correction && <CorrectedDates correction={step.correction} />}
      <Text size="sm" c="dimmed">
        {what.filter(Boolean).join(' · ')}
      </Text>
      <Text size="xs" c="dimmed">
        {format.instant(step.at)}
        {isLate && ` (${words.recordedLater(format.instant(step.recordedAt))})`}
        {step.actor && (
          <>
            {' · '}
            <Person email={step.actor} />
          </>
        )}
        {step.document && ' · '}
        {step.document && <DocumentLink document={step.document} />}
      </Text>
      {step.certificates.length > 0 && (
        <Text size="xs" c="dimmed">
          {words.certificatesThen(format.list(step.certificates))}
        </Text>
      )}
      {step.notCovering.length > 0 && (
        <Text size="xs" fw={600}>
          {words.notCovering(format.list(step.notCovering))}
        </Text>
      )}
    </>
  );
}

export function DocumentLink({ document }: { document: NonNullable<Step['document']> }) {
  const words = useWords(traceWords);
  const names: Readonly<Record<string, string>> = words.documents;
  const text = (
    <>
      {names[document.type] ?? document.type} {document.no && <CodeText>{document.no}</CodeText>}
    </>
  );
  const path = recordPath(document.type, document.id);
  if (path === null) return text;
  return (
    <PageLink to={path} size="xs" underline="always">
      {text}
    </PageLink>
  );
}
