import { ActionIcon, Badge, Group, Text } from '@mantine/core';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useCountedList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { When } from '../../ui/when.js';
import { PartnerText } from './partner-name.js';
import { type Warehouse, WarehouseForm } from './warehouse-form.js';
import { warehouseWords } from './warehouse-words.js';

const Zones = ({ zones }: { zones: Warehouse['zones'] }) => {
  const words = useWords(warehouseWords);
  if (zones.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.noZones}
      </Text>
    );
  return (
    <Group gap={4}>
      {zones.map((zone) => (
        <Badge key={zone.code} variant="default" tt="none" fw={500}>
          <CodeText>{zone.code}</CodeText> · {zone.name}
        </Badge>
      ))}
    </Group>
  );
};

export default function Warehouses() {
  const words = useWords(warehouseWords);
  const common = useWords(commonWords);
  const may = useMay();
  const mayWrite = may('products:write');
  const filters = useListFilters({}, { by: [words.name, words.code] });
  const [edited, setEdited] = useState<Warehouse | null>(null);
  return (
    <ListPage
      title={words.warehouses}
      hint={words.hint}
      create={{
        scope: 'products:write',
        label: words.newWarehouse,
        window: ({ opened, onClose }) => <WarehouseForm edited={opened ? 'new' : null} onClose={onClose} />,
      }}
      filters={filters}
      list={useCountedList('/v2/warehouses', filters)}
      noun={words.noun}
      rowKey={(warehouse) => warehouse.code}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.name,
          show: (warehouse) =>
            may('inventory:read') ? (
              <RowLink to="/inventory" search={{ warehouse: warehouse.code }}>
                {warehouse.name}
              </RowLink>
            ) : (
              warehouse.name
            ),
        },
        { name: words.code, show: (warehouse) => <CodeText>{warehouse.code}</CodeText>, wide: 'below' },
        {
          name: words.kind,
          show: ({ kind, customerCode }) =>
            customerCode === null ? (
              words.kinds[kind]
            ) : (
              <>
                {words.kinds[kind]} · <PartnerText code={customerCode} />
              </>
            ),
          wide: 'below',
        },
        { name: words.zones, show: (warehouse) => <Zones zones={warehouse.zones} />, wide: 'below' },
        { name: words.updatedAt, show: (warehouse) => <When at={warehouse.updatedAt} />, wide: true },
        ...(mayWrite
          ? [
              {
                name: common.actions,
                align: 'right' as const,
                show: (warehouse: Warehouse) => (
                  <ActionIcon
                    variant="subtle"
                    aria-label={words.edit(warehouse.name)}
                    onClick={() => setEdited(warehouse)}
                  >
                    <Pencil size={16} />
                  </ActionIcon>
                ),
              },
            ]
          : []),
      ]}
    >
      <WarehouseForm edited={edited} onClose={() => setEdited(null)} />
    </ListPage>
  );
}
