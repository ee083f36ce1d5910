import type { Body, Item } from '@lotward/client';
import {
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { api, ifStill } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField, numberField, switchField, textOrNull } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { FormRows, newRowKey } from '../../ui/form-rows.js';
import { useStatusChoices } from '../../ui/status.js';
import { SupplierPicker } from './pickers.js';
import { productWords } from './product-words.js';

export type Product = Item<'/v2/products'>;

type Storage = Product['storage'];
type Draft = Omit<Product, 'id' | 'version' | 'updatedAt' | 'storage' | 'packaging'> &
  Storage & {
    /** Null for a new product. */
    version: number | null;
    packaging: (Product['packaging'][number] & { key: string })[];
  };

const NEW: Draft = {
  version: null,
  productCode: '',
  productName: '',
  specification: null,
  model: null,
  manufacturer: null,
  category: null,
  riskClass: null,
  udiDi: null,
  registrationNo: null,
  unit: null,
  shelfLifeDays: null,
  supplierCode: null,
  packaging: [],
  temperatureMin: null,
  temperatureMax: null,
  humidityMin: null,
  humidityMax: null,
  sterile: false,
  implantable: false,
  tracking: 'batch',
  safetyStock: 0,
  nearExpiryDays: 180,
  status: 'active',
};

function draftOf(product: Product): Draft {
  const { id: _id, updatedAt: _updatedAt, storage, packaging, ...rest } = product;
  return { ...rest, ...storage, packaging: packaging.map((each) => ({ ...each, key: each.udiDi })) };
}

function bodyOf(draft: Draft): Body<'/v2/products/{id}', 'put'> {
  const { productCode: _code, version: _version, ...content } = draft;
  const { temperatureMin, temperatureMax, humidityMin, humidityMax, ...rest } = content;
  return {
    ...rest,
    productName: draft.productName.trim(),
    specification: textOrNull(draft.specification),
    model: textOrNull(draft.model),
    manufacturer: textOrNull(draft.manufacturer),
    category: textOrNull(draft.category),
    udiDi: textOrNull(draft.udiDi),
    registrationNo: textOrNull(draft.registrationNo),
    unit: textOrNull(draft.unit),
    safetyStock: draft.safetyStock ?? 0,
    nearExpiryDays: draft.nearExpiryDays ?? NEW.nearExpiryDays,
    packaging: draft.packaging.map(({ key: _key, ...each }) => ({ ...each, udiDi: each.udiDi.trim() })),
    storage: { temperatureMin, temperatureMax, humidityMin, humidityMax },
  };
}

/** Creates or edits a product. */
export function ProductForm({
  product,
  opened,
  onClose,
  onDone,
}: {
  product?: Product;
  opened: boolean;
  onClose: () => void;
  onDone?: (product: Product) => void;
}) {
  const words = useWords(productWords);
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={product ? words.editProduct : words.newProduct}
      size="xl"
      submitLabel={product ? undefined : words.newProduct}
      draft={`product:${product?.productCode ?? ''}`}
      initial={product ? draftOf(product) : NEW}
      run={(draft) =>
        api.put('/v2/products/{id}', {
          path: { id: draft.productCode.trim() },
          body: bodyOf(draft),
          ...ifStill(draft.version),
        })
      }
      done={(saved) => words.saved(saved.productName)}
      onDone={onDone}
    >
      {(form) => (
        <Stack>
          <Basics form={form} isNew={!product} />
          <Handling form={form} />
          <Storing form={form} />
          <Packaging form={form} />
        </Stack>
      )}
    </FormWindow>
  );
}

function Basics({ form, isNew }: { form: FormState<Draft>; isNew: boolean }) {
  const words = useWords(productWords);
  const common = useWords(commonWords);
  return (
    <Fieldset legend={words.basics}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={words.code}
          {...CODE_INPUT}
          description={isNew ? words.codeHint : undefined}
          required
          readOnly={!isNew}
          maxLength={64}
          {...form.text('productCode', '/id')}
        />
        <TextInput
          label={words.name}
          required
          maxLength={300}
          {...form.text('productName')}
          {...(isNew ? { description: '\u00a0' } : {})}
        />
        <TextInput label={words.specification} maxLength={300} {...form.text('specification')} />
        <TextInput label={words.model} maxLength={200} {...form.text('model')} />
        <TextInput label={words.manufacturer} maxLength={300} {...form.text('manufacturer')} />
        <TextInput label={words.category} maxLength={200} {...form.text('category')} />
        <TextInput
          label={words.registrationNo}
          {...CODE_INPUT}
          maxLength={200}
          {...form.text('registrationNo')}
        />
        <Select
          label={words.riskClass}
          data={Object.entries(words.riskClasses).map(([value, label]) => ({ value, label }))}
          clearable
          {...choiceField(form, 'riskClass')}
        />
        <SupplierPicker {...choiceField(form, 'supplierCode')} />
        <Select
          label={common.status}
          data={useStatusChoices(['active', 'suspended', 'discontinued'])}
          allowDeselect={false}
          {...choiceField(form, 'status')}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

function Handling({ form }: { form: FormState<Draft> }) {
  const words = useWords(productWords);
  const trackings = (['none', 'batch', 'serial'] as const).map((value) => ({
    value,
    label: words.trackings[value],
  }));
  return (
    <Fieldset legend={words.handling}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={words.tracking}
          data={trackings}
          allowDeselect={false}
          {...choiceField(form, 'tracking')}
        />
        <TextInput label={words.unit} maxLength={32} {...form.text('unit')} />
        <NumberInput
          label={words.shelfLifeDays}
          min={1}
          allowDecimal={false}
          {...numberField(form, 'shelfLifeDays')}
        />
        <NumberInput
          label={words.nearExpiryDays}
          min={0}
          allowDecimal={false}
          {...numberField(form, 'nearExpiryDays')}
        />
        <NumberInput
          label={words.safetyStock}
          min={0}
          allowDecimal={false}
          {...numberField(form, 'safetyStock')}
        />
        <Group mt={{ base: 0, sm: 26 }}>
          <Switch label={words.sterile} {...switchField(form, 'sterile')} />
          <Switch label={words.implantable} {...switchField(form, 'implantable')} />
        </Group>
      </SimpleGrid>
    </Fieldset>
  );
}

function Storing({ form }: { form: FormState<Draft> }) {
  const words = useWords(productWords);
  return (
    <Fieldset legend={words.storage}>
      <SimpleGrid cols={2}>
        {(['temperatureMin', 'temperatureMax', 'humidityMin', 'humidityMax'] as const).map((name) => (
          <NumberInput key={name} label={words[name]} {...numberField(form, name, `/storage/${name}`)} />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

function Packaging({ form }: { form: FormState<Draft> }) {
  const words = useWords(productWords);
  return (
    <Fieldset legend={words.packaging}>
      <Stack gap="sm">
        <TextInput
          label={words.udiDi}
          {...CODE_INPUT}
          description={words.udiDiHint}
          maxLength={128}
          {...form.text('udiDi')}
        />
        <Text size="sm" c="dimmed">
          {words.packagingHint}
        </Text>
        <FormRows
          form={form}
          name="packaging"
          addLabel={words.addPackage}
          removeLabel={words.removePackage}
          newRow={() => ({ key: newRowKey(), udiDi: '', level: 'box', quantity: 10 })}
        >
          {({ row, change, error, text }) => (
            <>
              <TextInput
                label={words.packageDi}
                required
                style={{ flex: '1 1 180px' }}
                maxLength={128}
                {...text('udiDi')}
              />
              <TextInput label={words.level} required w={130} maxLength={32} {...text('level')} />
              <NumberInput
                label={words.unitsInside}
                required
                w={130}
                min={1}
                allowDecimal={false}
                value={row.quantity}
                error={error('quantity')}
                onChange={(value) => change({ quantity: Number(value) })}
              />
            </>
          )}
        </FormRows>
      </Stack>
    </Fieldset>
  );
}
