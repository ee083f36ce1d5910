import type { Body } from '@lotward/client';
import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
import { useWords } from '../../app/language.js';
import { ConfirmWindow } from '../../ui/action.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { type FormState, useForm } from '../../ui/form.js';
import { Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { AcceptanceChecks } from './acceptance-checks.js';
import { AcceptanceSummary } from './acceptance-summary.js';
import { LineFacts } from './line-facts.js';
import type { Decision, Receipt } from './receipt.types.js';
import { receiptWords } from './receipt-words.js';
import { TransportDeviation } from './transport-deviation.js';
import { useTransportCheck } from './use-transport-check.js';

type Line = Receipt['lines'][number];

interface Draft {
  lines: Decision[];
}

const REASON_MAX = 500;

/** `deviation`: why goods transported outside their conditions are accepted; stored with each of their lines. */
function bodyOf(
  receipt: Receipt,
  draft: Draft,
  deviation: { lines: ReadonlySet<number>; reason: string },
): Body<'/v2/receipts/{receiptId}/acceptance', 'post'> {
  return {
    lines: receipt.lines.map((line, at) => {
      const decision = draft.lines[at];
      const rejected = decision?.rejected ?? 0;
      const accepted = line.quantity - rejected;
      const deviates = accepted > 0 && deviation.lines.has(line.lineNo);
      const acceptedSerials = line.serials.filter((each) => !decision?.rejectedSerials.includes(each));
      return {
        lineNo: line.lineNo,
        acceptedQuantity: accepted,
        rejectedQuantity: rejected,
        ...(rejected > 0 ? { rejectReason: decision?.reason.trim() ?? '' } : {}),
        ...(deviates ? { deviationReason: deviation.reason.trim() } : {}),
        ...(line.serials.length > 0 && rejected > 0 && accepted > 0 ? { acceptedSerials } : {}),
      };
    }),
  };
}

/** The accepted and rejected quantity of each line. */
export function Acceptance({ receipt }: { receipt: Receipt }) {
  const words = useWords(receiptWords);
  const [asking, { open: ask, close }] = useDisclosure();
  const transport = useTransportCheck(receipt);
  const [deviationReason, setDeviationReason] = useState<string | null>(null);
  const initial = (): Draft => ({
    lines: receipt.lines.map(({ lineNo }) => ({ lineNo, rejected: 0, reason: '', rejectedSerials: [] })),
  });
  const draft = useDraft({ document: `acceptance:${receipt.receiptId}`, initial });
  const { form, action, retry } = useForm<Draft, unknown>({
    initial: initial(),
    draft,
    onDone: () => draft.finish(),
    run: (values) =>
      api.post('/v2/receipts/{receiptId}/acceptance', {
        path: { receiptId: receipt.receiptId },
        body: bodyOf(receipt, values, { lines: transport.outside, reason: deviationReason ?? '' }),
      }),
    done: words.recorded,
  });
  const deviating = receipt.lines.filter(
    ({ lineNo, quantity }, at) =>
      transport.outside.has(lineNo) && quantity > (form.values.lines[at]?.rejected ?? 0),
  );
  return (
    <Panel
      title={words.acceptance}
      hint={receipt.kind === 'return' ? `${words.acceptanceHint} ${words.returnHint}` : words.acceptanceHint}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Stack>
          <DraftNotice restoredFrom={draft.restoredFrom} onDiscard={() => form.set(draft.discard())} />
          <AcceptanceChecks receipt={receipt} transport={transport} />
          {receipt.lines.map((line, at) => (
            <AcceptanceLine
              key={line.lineNo}
              line={line}
              at={at}
              form={form}
              transportTemperature={receipt.transportTemperature}
            />
          ))}
          {action.isError && <Problem error={action.error} action={words.accept} onRetry={retry} />}
          <Group justify="flex-end">
            <Button type="submit" loading={action.isPending}>
              {words.accept}
            </Button>
          </Group>
        </Stack>
      </form>
      <ConfirmWindow
        opened={asking}
        onClose={close}
        title={words.confirmTitle(receipt.receiptNo)}
        confirmLabel={words.accept}
        onConfirm={() => {
          const isExplained = deviating.length === 0 || !!deviationReason?.trim();
          if (isExplained) action.mutate(form.values);
          else setDeviationReason('');
          return isExplained;
        }}
      >
        <AcceptanceSummary receipt={receipt} decisions={form.values.lines} />
        <TransportDeviation
          temperature={receipt.transportTemperature}
          lines={deviating}
          reason={deviationReason}
          onReason={setDeviationReason}
        />
      </ConfirmWindow>
    </Panel>
  );
}

function AcceptanceLine({
  line,
  at,
  form,
  transportTemperature,
}: {
  line: Line;
  at: number;
  form: FormState<Draft>;
  transportTemperature: number | null;
}) {
  const words = useWords(receiptWords);
  const decision = form.values.lines[at];
  if (!decision) return null;
  const change = (part: Partial<Decision>) =>
    form.set({ lines: form.values.lines.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  const reject = (quantity: number) =>
    change({ rejected: Math.min(line.quantity, Math.max(0, Math.round(quantity))) });
  const isSerialized = line.serials.length > 0;
  return (
    <Paper withBorder p="sm" component="fieldset" m={0}>
      <Text component="legend" size="sm" fw={600} px={4}>
        {words.line(line.lineNo)}
      </Text>
      <LineFacts line={line} transportTemperature={transportTemperature} />
      <SimpleGrid cols={{ base: 2, sm: 3 }} mt="xs" spacing="xs">
        <NumberInput
          label={words.accepted}
          min={0}
          max={line.quantity}
          allowDecimal={false}
          readOnly={isSerialized}
          value={line.quantity - decision.rejected}
          error={form.error(`/lines/${at}/acceptedQuantity`)}
          onChange={(value) => reject(line.quantity - Number(value))}
        />
        <NumberInput
          label={words.rejected}
          min={0}
          max={line.quantity}
          allowDecimal={false}
          readOnly={isSerialized}
          value={decision.rejected}
          error={form.error(`/lines/${at}/rejectedQuantity`)}
          onChange={(value) => reject(Number(value))}
        />
        {decision.rejected > 0 && (
          <TextInput
            label={words.rejectReason}
            required
            maxLength={REASON_MAX}
            value={decision.reason}
            error={form.error(`/lines/${at}/rejectReason`)}
            onChange={(event) => change({ reason: event.currentTarget.value })}
          />
        )}
      </SimpleGrid>
      {isSerialized && (
        <MultiSelect
          mt="xs"
          label={words.rejectedSerials}
          data={line.serials}
          searchable
          clearable
          value={decision.rejectedSerials}
          error={form.error(`/lines/${at}/acceptedSerials`)}
          onChange={(rejectedSerials) => change({ rejectedSerials, rejected: rejectedSerials.length })}
        />
      )}
    </Paper>
  );
}
