import type { Item } from '@lotward/client';
import { Fieldset, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { api, ifStill } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { choiceField, textOrNull } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { FormRows, newRowKey } from '../../ui/form-rows.js';
import { CustomerPicker } from './pickers.js';
import { warehouseWords } from './warehouse-words.js';

export type Warehouse = Item<'/v2/warehouses'>;
const KINDS = ['own', 'consignment'] as const;

interface Draft {
  /** Null for a new warehouse. */
  version: number | null;
  code: string;
  name: string;
  kind: Warehouse['kind'];
  customerCode: string | null;
  gln: string | null;
  address: string | null;
  zones: { key: string; code: string; name: string }[];
}

const NEW: Draft = {
  version: null,
  code: '',
  name: '',
  kind: 'own',
  customerCode: null,
  gln: null,
  address: null,
  zones: [],
};
const draftOf = ({ version, code, name, kind, customerCode, gln, address, zones }: Warehouse): Draft => ({
  version,
  code,
  name,
  kind,
  customerCode,
  gln,
  address,
  zones: zones.map((zone) => ({ ...zone, key: zone.code })),
});

const save = ({ version, code, name, kind, customerCode, gln, address, zones }: Draft) =>
  api.put('/v2/warehouses/{code}', {
    path: { code: code.trim() },
    ...ifStill(version),
    body: {
      name: name.trim(),
      kind,
      customerCode: kind === 'consignment' ? customerCode : null,
      gln: textOrNull(gln),
      address: textOrNull(address),
      zones: zones.map((zone) => ({ code: zone.code.trim(), name: zone.name.trim() })),
    },
  });

/** Creates or edits a warehouse and its zones. */
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
      submitLabel={isNew ? words.newWarehouse : undefined}
      draft={`warehouse:${isNew ? '' : (edited?.code ?? '')}`}
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
            <Select
              label={words.kind}
              data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
              allowDeselect={false}
              {...choiceField(form, 'kind')}
            />
            {form.values.kind === 'consignment' && (
              <CustomerPicker
                label={words.customer}
                required
                value={form.values.customerCode}
                error={form.error('/customerCode')}
                onChange={(customerCode) => form.set({ customerCode })}
              />
            )}
            <TextInput label={words.address} maxLength={500} {...form.text('address')} />
            <TextInput label={words.gln} description={words.glnHint} maxLength={32} {...form.text('gln')} />
          </SimpleGrid>
          <Zones form={form} />
        </Stack>
      )}
    </FormWindow>
  );
}

function Zones({ form }: { form: FormState<Draft> }) {
  const words = useWords(warehouseWords);
  return (
    <Fieldset legend={words.zones}>
      <FormRows
        form={form}
        name="zones"
        addLabel={words.addZone}
        removeLabel={words.removeZone}
        emptyText={words.noZones}
        newRow={() => ({ key: newRowKey(), code: '', name: '' })}
      >
        {({ text }) => (
          <>
            <TextInput label={words.zoneCode} required w={120} maxLength={64} {...text('code')} />
            <TextInput
              label={words.zoneName}
              required
              style={{ flex: 1 }}
              maxLength={200}
              {...text('name')}
            />
          </>
        )}
      </FormRows>
    </Fieldset>
  );
}
