import { Group, Stack, Text, type TextProps } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleMinus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { useExplainIssue } from '../../ui/problem.js';
import { Expiry } from '../stock/expiry.js';
import { BatchLink } from '../stock/inventory-record.js';
import type { Order } from './order.types.js';
import { licencesOf, type Readiness, type ReadyLine } from './readiness.js';
import { readinessWords } from './readiness-words.js';

const colorOf = (name: 'teal' | 'red' | 'orange'): string =>
  `light-dark(var(--mantine-color-${name}-light-color), var(--mantine-color-${name}-4))`;

/** A state by icon, word and color; the color alone says nothing. */
function State({
  icon: Icon,
  color,
  children,
}: { icon: LucideIcon; color: string; children: ReactNode } & TextProps) {
  return (
    <Group gap={4} wrap="nowrap" c={color}>
      <Icon size={16} aria-hidden style={{ flex: 'none' }} />
      <Text size="sm" fw={600}>
        {children}
      </Text>
    </Group>
  );
}

/** The stock that reserving would assign to a line now. */
export function StockState({ line }: { line: ReadyLine }) {
  const words = useWords(readinessWords);
  const format = useFormat();
  return (
    <Stack gap={2}>
      {line.missingQuantity > 0 && (
        <State icon={CircleAlert} color={colorOf('red')}>
          {words.short(format.number(line.missingQuantity))}
        </State>
      )}
      {line.missingQuantity === 0 ? (
        <State icon={CircleCheck} color={colorOf('teal')}>
          {words.available(format.number(line.availableQuantity))}
        </State>
      ) : (
        <Text size="sm">{words.available(format.number(line.availableQuantity))}</Text>
      )}
      {line.batches.map((batch) => (
        <Text key={batch.batchNo} size="xs" component="div">
          {format.number(batch.quantity)} ×{' '}
          <BatchLink productCode={line.productCode} batchNo={batch.batchNo} />{' '}
          <Expiry date={batch.expiryDate} />
        </Text>
      ))}
    </Stack>
  );
}

/** Whether the licences of customer and product cover the line. */
export function LicenceState({
  order,
  productCode,
  certificates,
}: {
  order: Order;
  productCode: string;
  certificates: NonNullable<Readiness['certificates']>;
}) {
  const words = useWords(readinessWords);
  const explain = useExplainIssue();
  const may = useMay();
  const { issues, inForce } = licencesOf(certificates, productCode);
  return (
    <Stack gap={2}>
      {issues.length > 0 ? (
        <State icon={CircleAlert} color={colorOf(certificates.gate === 'refuse' ? 'red' : 'orange')}>
          {words.licencesLack(issues.length)}
        </State>
      ) : inForce > 0 ? (
        <State icon={CircleCheck} color={colorOf('teal')}>
          {words.licencesInForce}
        </State>
      ) : (
        <State icon={CircleMinus} color="dimmed">
          {words.licencesNone}
        </State>
      )}
      {issues.map((issue) => (
        <Text key={issue.message} size="xs">
          {explain({ path: null, ...issue })}
        </Text>
      ))}
      {may('certificates:read') && (
        <Group gap="xs">
          <PageLink
            size="xs"
            to="/certificates"
            search={{ subjectType: 'customer', subjectCode: order.customerCode }}
          >
            {words.ofCustomer}
          </PageLink>
          <PageLink
            size="xs"
            to="/certificates"
            search={{ subjectType: 'product', subjectCode: productCode }}
          >
            {words.ofProduct}
          </PageLink>
        </Group>
      )}
    </Stack>
  );
}
