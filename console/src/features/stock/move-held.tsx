import type { Item } from '@lotward/client';
import { Stack, Text } from '@mantine/core';
import { api, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { choiceField, numberField, serialsOf, textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { QuantityInput, ReasonInput, SerialsInput } from './goods-fields.js';
import { operationWords } from './operation-words.js';

type Hold = Item<'/v2/stock/holds'>;

interface Draft {
  from: string | null;
  to: string | null;
  quantity: number | null;
  serials: string;
  reason: string;
}

/** Moves goods under a hold, such as to the quarantine warehouse. */
export function MoveHeldWindow({
  hold,
  opened,
  onClose,
}: {
  hold: Hold;
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords(operationWords);
  const product = useResource('/v2/products/{id}', { path: { id: hold.productCode }, enabled: opened });
  const bySerial = hold.extent === 'serials' || product.data?.tracking === 'serial';
  const initial: Draft = {
    from: hold.warehouse,
    to: null,
    quantity: hold.quantity,
    serials: hold.serials.join('\n'),
    reason: '',
  };
  const run = (draft: Draft) => {
    const serials = serialsOf(draft.serials);
    return api.post('/v2/stock/transfers', {
      body: {
        productCode: hold.productCode,
        batchNo: hold.batchNo,
        from: draft.from ?? '',
        to: draft.to ?? '',
        holdId: hold.holdId,
        reason: textOrNull(draft.reason),
        ...(bySerial ? { quantity: serials.length, serials } : { quantity: draft.quantity ?? 0 }),
      },
    });
  };
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.moveHeld}
      draft={`move-held:${hold.holdId}`}
      submitLabel={words.moveHeld}
      initial={initial}
      run={run}
      done={words.heldMoved}
    >
      {(form) => (
        <Stack>
          <Text size="sm">{words.moveHeldHint}</Text>
          <WarehousePicker {...choiceField(form, 'from')} label={words.from} required />
          <WarehousePicker {...choiceField(form, 'to')} label={words.to} required />
          {bySerial ? (
            <SerialsInput {...form.text('serials')} />
          ) : (
            <QuantityInput {...numberField(form, 'quantity')} />
          )}
          <ReasonInput {...form.text('reason')} />
        </Stack>
      )}
    </FormWindow>
  );
}
