import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Truck } from 'lucide-react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { FormWindow } from '../../ui/form.js';
import type { Order } from './order.types.js';
import { orderWords } from './order-words.js';

/** Quantities by line number. */
type Draft = Record<string, number>;

const leftOf = (line: Order['lines'][number]): number =>
  line.quantity - line.dispatchedQuantity - line.closedQuantity;

/** Creates a dispatch for the rest of an order, or part of it. */
export function CreateDispatch({ order }: { order: Order }) {
  const words = useWords(orderWords);
  const format = useFormat();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  const lines = order.lines.filter((line) => leftOf(line) > 0);
  const initial: Draft = Object.fromEntries(lines.map((line) => [line.lineNo, leftOf(line)]));
  const run = (draft: Draft) => {
    const isAll = lines.every((line) => draft[line.lineNo] === leftOf(line));
    const chosen = lines
      .map(({ lineNo }) => ({ lineNo, quantity: draft[lineNo] ?? 0 }))
      .filter(({ quantity }) => quantity > 0);
    // Without lines, the dispatch gets everything that no other open dispatch has taken.
    return api.post('/v2/dispatches', {
      body: { orderId: order.orderId, ...(isAll ? {} : { lines: chosen }) },
    });
  };
  return (
    <>
      <Button leftSection={<Truck size={16} />} onClick={open}>
        {words.createDispatch}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.createDispatch}
        draft={`dispatch:${order.orderId}`}
        submitLabel={words.createDispatch}
        initial={initial}
        run={run}
        done={words.dispatchCreated}
        onDone={(dispatch) =>
          navigate({ to: '/dispatches/$dispatchId', params: { dispatchId: dispatch.dispatchId } })
        }
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.createDispatchHint}</Text>
            {lines.map((line) => (
              <NumberInput
                key={line.lineNo}
                label={line.productName}
                description={words.left(format.number(leftOf(line)))}
                min={0}
                max={leftOf(line)}
                allowDecimal={false}
                value={form.values[line.lineNo] ?? 0}
                onChange={(value) => form.set({ [line.lineNo]: Number(value) })}
              />
            ))}
          </Stack>
        )}
      </FormWindow>
    </>
  );
}
