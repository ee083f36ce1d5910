import type { Item } from '@lotward/client';
import { Text } from '@mantine/core';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  CalendarCog,
  type LucideIcon,
  MoveLeft,
  MoveRight,
  OctagonPause,
  PackageCheck,
  Play,
  Scale,
  Trash2,
  Undo2,
} from 'lucide-react';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { recordPath } from '../../app/record-path.js';
import { CodeText } from '../../ui/code-text.js';
import { PageLink } from '../../ui/links.js';
import { Person } from '../../ui/person.js';
import { WrittenReason } from '../../ui/written-reason.js';
import { PartnerText } from '../catalogue/partner-name.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { movementWords } from './movement-words.js';

export type Movement = Item<'/v2/stock/movements'>;

export const KIND_ICONS: Readonly<Record<Movement['kind'], LucideIcon>> = {
  receipt: ArrowDownToLine,
  return: Undo2,
  dispatch: ArrowUpFromLine,
  delivery: PackageCheck,
  adjustment: Scale,
  hold: OctagonPause,
  release: Play,
  transfer_out: MoveRight,
  transfer_in: MoveLeft,
  correction: CalendarCog,
  destruction: Trash2,
  supplier_return: Undo2,
};

export function DocumentLink({
  document,
  inText,
}: {
  document: Movement['document'];
  /** Underlined within text, where color alone does not mark a link. */
  inText?: boolean;
}) {
  const { documents } = useWords(movementWords);
  if (!document) return NOTHING;
  // Ids are for programs, so a document without a number is named by its type.
  const name = document.no ?? documents[document.type] ?? document.id;
  const path = recordPath(document.type, document.id);
  if (path === null) return <span title={document.id}>{name}</span>;
  return (
    <PageLink to={path} underline={inText ? 'always' : 'hover'}>
      {name}
    </PageLink>
  );
}

/** `+5`, `−3`; a movement that does not change the balance shows its plain quantity. */
export function useSignedQuantity(): (movement: Movement) => string {
  const format = useFormat();
  return ({ quantityDelta, quantity }) => {
    if (quantityDelta === 0) return format.number(quantity);
    return `${quantityDelta > 0 ? '+' : '−'}${format.number(Math.abs(quantityDelta))}`;
  };
}

function CounterpartyText({
  counterparty: { type, code },
}: {
  counterparty: NonNullable<Movement['counterparty']>;
}) {
  const { counterparties } = useWords(movementWords);
  return (
    <>
      {counterparties[type]}{' '}
      {type === 'warehouse' ? <WarehouseText code={code} /> : <PartnerText code={code} />}
    </>
  );
}

/** A movement in a few lines. */
export function MovementText({ movement }: { movement: Movement }) {
  const words = useWords(movementWords);
  const format = useFormat();
  const signed = useSignedQuantity();
  const quantity = signed(movement);
  return (
    <>
      <Text size="sm">
        <b>{movement.quantityDelta === 0 ? words.quantityOf(quantity) : quantity}</b> ·{' '}
        <WarehouseText code={movement.warehouse} />
        {movement.counterparty && (
          <>
            {' · '}
            <CounterpartyText counterparty={movement.counterparty} />
          </>
        )}
        {' · '}
        <DocumentLink document={movement.document} inText />
      </Text>
      {movement.reason && (
        <Text size="sm">
          <WrittenReason reason={movement.reason} />
        </Text>
      )}
      {movement.unmatched && <Text size="sm">{words.unmatched}</Text>}
      {movement.correction && <CorrectedDates correction={movement.correction} />}
      {movement.serials.length > 0 && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {words.serials}
          {format.colon}
          <CodeText>{movement.serials.join(', ')}</CodeText>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {format.instant(movement.occurredAt)} · <Person email={movement.actor} />
      </Text>
    </>
  );
}

/** Each date that a correction changed, before and after. */
export function CorrectedDates({ correction }: { correction: NonNullable<Movement['correction']> }) {
  const words = useWords(movementWords);
  const { expiryDate, manufactureDate } = correction;
  const shown = (date: string | null) => date ?? NOTHING;
  return (
    <>
      {expiryDate.before !== expiryDate.after && (
        <Text size="sm">{words.expiryChanged(shown(expiryDate.before), shown(expiryDate.after))}</Text>
      )}
      {manufactureDate.before !== manufactureDate.after && (
        <Text size="sm">
          {words.manufactureChanged(shown(manufactureDate.before), shown(manufactureDate.after))}
        </Text>
      )}
    </>
  );
}
