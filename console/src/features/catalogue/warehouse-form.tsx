import type { Item } from '@lotward/client';
import { ActionIcon, Button, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { warehouseWords } from './warehouse-words.js';

export type Warehouse = Item<'/v2/warehouses'>;

interface Draft {
  code: string;
  name: string;
  zones: { key: string; code: string; name: string }[];
}

const NEW: Draft = { code: '', name: '', zones: [] };
const draftOf = ({ code, name, zones }: Warehouse): Draft => ({
  code,
  name,
  zones: zones.map((zone) => ({ ...zone, key: zone.code })),
});

const save = ({ code, name, zones }: Draft) =>
  api.put('/v2/warehouses/{code}', {
    path: { code: code.trim() },
    body: {
      name: name.trim(),
      zones: zones.map((zone) => ({ code: zone.code.trim(), name: zone.name.trim() })),
    },
  });

/** Enters a warehouse, or changes one and its zones. */
export function WarehouseForm({
  edited,
  onClose,
}: {
  edited: Warehouse | 'new' | null;
  onClose: () => void;
}) {
  const words = useWords(warehouseWords);
  const isNew = edited === 'new' || edited === null;
  return (
    <FormWindow
      opened={edited !== null}
      onClose={onClose}
      title={isNew ? words.newWarehouse : words.editWarehouse}
      initial={isNew ? NEW : draftOf(edited)}
      run={save}
      done={(saved) => words.saved(saved.name)}
    >
      {(form) => (
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={words.code}
              {...CODE_INPUT}
              required
              readOnly={!isNew}
              maxLength={64}
              {...form.text('code')}
            />
            <TextInput label={words.name} required maxLength={300} {...form.text('name')} />
          </SimpleGrid>
          <Zones form={form} />
        </Stack>
      )}
    </FormWindow>
  );
}

function Zones({ form }: { form: FormState<Draft> }) {
  const words = useWords(warehouseWords);
  const { zones } = form.values;
  const change = (at: number, part: Partial<Draft['zones'][number]>) =>
    form.set({ zones: zones.map((zone, i) => (i === at ? { ...zone, ...part } : zone)) });
  return (
    <Fieldset legend={words.zones}>
      <Stack gap="sm">
        {zones.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.noZones}
          </Text>
        )}
        {zones.map((zone, at) => (
          <Group key={zone.key} align="flex-start" gap="xs" wrap="nowrap">
            <TextInput
              label={words.zoneCode}
              required
              w={120}
              maxLength={64}
              value={zone.code}
              error={form.error(`/zones/${at}/code`)}
              onChange={(event) => change(at, { code: event.currentTarget.value })}
            />
            <TextInput
              label={words.zoneName}
              required
              style={{ flex: 1 }}
              maxLength={200}
              value={zone.name}
              error={form.error(`/zones/${at}/name`)}
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              mt={25}
              aria-label={words.removeZone(at + 1)}
              onClick={() => form.set({ zones: zones.filter((_, i) => i !== at) })}
            >
              <Trash2 size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={16} />}
            onClick={() => form.set({ zones: [...zones, { key: crypto.randomUUID(), code: '', name: '' }] })}
          >
            {words.addZone}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
