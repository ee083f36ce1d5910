import { useList, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { type Choice, type PickerProps, RemotePicker, usePickerSearch } from '../../ui/picker.js';
import { couldBeCode } from './code-shape.js';
import { PartnerText } from './partner-name.js';
import { pickerWords } from './picker-words.js';

const FOUND_MAX = 20;
const WAREHOUSES_MAX = 200;
const productChoice = (product: { productCode: string; productName: string }): Choice => ({
  value: product.productCode,
  label: `${product.productName} · ${product.productCode}`,
});
const namedChoice = (named: { code: string; name: string }): Choice => ({
  value: named.code,
  label: `${named.name} · ${named.code}`,
});

/** Finds a product by a part of its name, or by its code. */
function PickProduct(props: PickerProps) {
  const words = useWords(pickerWords);
  const search = usePickerSearch();
  const chosen = useResource('/v2/products/{id}', {
    path: { id: props.value ?? '' },
    enabled: !!props.value,
  });
  const chosenChoice = props.value && chosen.data ? productChoice(chosen.data) : undefined;
  const sought = search.sought === chosenChoice?.label ? '' : search.sought;
  const byName = useList('/v2/products', {
    query: { limit: FOUND_MAX, ...(sought === '' ? {} : { name: sought }) },
    keepsPrevious: true,
  });
  const byCode = useList('/v2/products', {
    query: { limit: FOUND_MAX, productCode: sought },
    enabled: couldBeCode(sought),
  });
  const found = [byCode, byName].flatMap((list) => list.data?.pages.flatMap((page) => page.items) ?? []);
  return (
    <RemotePicker
      label={words.product}
      placeholder={words.productHint}
      nothingFoundMessage={words.nothing}
      {...props}
      search={search}
      loading={byName.isFetching && sought !== ''}
      chosen={chosenChoice ?? (props.value ? { value: props.value, label: props.value } : undefined)}
      choices={unique(found.map(productChoice))}
    />
  );
}

const ProductName = ({ value }: { value: string }) =>
  useResource('/v2/products/{id}', { path: { id: value } }).data?.productName ?? value;

export const ProductPicker = Object.assign(PickProduct, { Chosen: ProductName });

/** Finds a supplier, customer or manufacturer by a part of its name, or by its code. */
export function PartnerPicker({
  role,
  ...props
}: PickerProps & { role: 'supplier' | 'customer' | 'manufacturer' }) {
  const words = useWords(pickerWords);
  const search = usePickerSearch();
  const chosen = useResource('/v2/partners/{code}', {
    path: { code: props.value ?? '' },
    enabled: !!props.value,
  });
  const chosenChoice = props.value && chosen.data ? namedChoice(chosen.data) : undefined;
  const sought = search.sought === chosenChoice?.label ? '' : search.sought;
  const byName = useList('/v2/partners', {
    query: { role, limit: FOUND_MAX, ...(sought === '' ? {} : { name: sought }) },
    keepsPrevious: true,
  });
  const byCode = useResource('/v2/partners/{code}', { path: { code: sought }, enabled: couldBeCode(sought) });
  const found = [
    ...(byCode.data?.roles.includes(role) ? [byCode.data] : []),
    ...(byName.data?.pages.flatMap((page) => page.items) ?? []),
  ];
  return (
    <RemotePicker
      label={words[role]}
      placeholder={words.partnerHint}
      nothingFoundMessage={words.nothing}
      {...props}
      search={search}
      loading={byName.isFetching && sought !== ''}
      chosen={chosenChoice ?? (props.value ? { value: props.value, label: props.value } : undefined)}
      choices={unique(found.map(namedChoice))}
    />
  );
}

const SUPPLIER = 'supplier';
const CUSTOMER = 'customer';

const PartnerName = ({ value }: { value: string }) => <PartnerText code={value} />;

export const SupplierPicker = Object.assign(
  (props: PickerProps) => <PartnerPicker {...props} role={SUPPLIER} />,
  { Chosen: PartnerName },
);
export const CustomerPicker = Object.assign(
  (props: PickerProps) => <PartnerPicker {...props} role={CUSTOMER} />,
  { Chosen: PartnerName },
);

function PickWarehouse(props: PickerProps) {
  const words = useWords(pickerWords);
  const search = usePickerSearch();
  const list = useList('/v2/warehouses', { query: { limit: WAREHOUSES_MAX } });
  const choices = list.data?.pages.flatMap((page) => page.items.map(namedChoice)) ?? [];
  const chosen = choices.find((each) => each.value === props.value);
  const sought = search.text === chosen?.label ? '' : search.text.trim().toLowerCase();
  return (
    <RemotePicker
      label={words.warehouse}
      nothingFoundMessage={words.nothing}
      {...props}
      search={search}
      loading={list.isPending}
      chosen={chosen ?? (props.value ? { value: props.value, label: props.value } : undefined)}
      choices={choices.filter((each) => each.label.toLowerCase().includes(sought))}
    />
  );
}

const WarehouseName = ({ value }: { value: string }) =>
  useResource('/v2/warehouses/{code}', { path: { code: value } }).data?.name ?? value;

export const WarehousePicker = Object.assign(PickWarehouse, { Chosen: WarehouseName });

const unique = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((each) => [each.value, each])).values(),
];
