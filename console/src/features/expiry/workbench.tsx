import { Button, Checkbox, Group, Text } from '@mantine/core';
import { Download, Send } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api, useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { FilterPills } from '../../ui/list/filter-pills.js';
import { linkFilter, pickerFilter, useListFilters } from '../../ui/list-filters.js';
import { Page, Panel } from '../../ui/page.js';
import { useAction } from '../../ui/use-action.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { BandTabs } from './band-tabs.js';
import { periodOf } from './bands.js';
import { batchKey, type ExpiringBatch } from './bulk.js';
import { BulkActions, type Selection } from './bulk-actions.js';
import { useExpiryColumns } from './expiry-columns.js';
import { expiryWords } from './expiry-words.js';
import { saveBatches, saveOffer } from './files.js';

/** Batches by the days they have left, with what becomes of them, and what can be done about many of them at once. */
export default function Workbench() {
  const words = useWords(expiryWords);
  const filters = useListFilters({
    band: linkFilter(words.title),
    month: linkFilter(words.month),
    productCode: pickerFilter(words.product, ProductPicker),
    warehouse: pickerFilter(words.warehouse, WarehousePicker),
  });
  const { change } = filters;
  const { band, month, productCode, warehouse } = filters.values;
  const query = useMemo(
    () => ({
      ...periodOf(band, month),
      ...(productCode ? { productCode } : {}),
      ...(warehouse ? { warehouse } : {}),
    }),
    [band, month, productCode, warehouse],
  );
  const list = useList('/v2/stock/expiring', { query });
  const selection = useSelection(JSON.stringify(query));
  return (
    <Page title={words.title} hint={words.hint} actions={<Exports query={query} />}>
      <BandTabs
        chosen={month ? null : (band ?? 'all')}
        onChoose={(next) => change({ band: next, month: null })}
      />
      <Panel>
        {/* The tabs show the band. */}
        <FilterPills filters={{ ...filters, all: filters.all.filter(({ name }) => name !== 'band') }} />
        <BulkActions selection={selection} warehouse={warehouse ?? null} />
        <DataTable
          list={list}
          label={words.title}
          rowKey={batchKey}
          columns={[selection.column, ...useExpiryColumns(warehouse)]}
          empty={{ title: words.none, hint: words.noneHint }}
          filtered={filters.isFiltered}
          onClearFilters={filters.clear}
        />
      </Panel>
    </Page>
  );
}

/** The chosen batches. Another filter begins with none. */
function useSelection(shown: string): Selection & { column: Column<ExpiringBatch> } {
  const words = useWords(expiryWords);
  const [state, setState] = useState<{ shown: string; batches: ReadonlyMap<string, ExpiringBatch> }>({
    shown,
    batches: new Map(),
  });
  const selected = state.shown === shown ? state.batches : new Map<string, ExpiringBatch>();
  const set = (batches: readonly ExpiringBatch[]) =>
    setState({ shown, batches: new Map(batches.map((batch) => [batchKey(batch), batch])) });
  const column: Column<ExpiringBatch> = {
    name: words.select,
    show: (batch) => (
      <Checkbox
        aria-label={words.selectBatch(batch.productName, batch.batchNo)}
        checked={selected.has(batchKey(batch))}
        onChange={(event) =>
          set(
            event.currentTarget.checked
              ? [...selected.values(), batch]
              : [...selected.values()].filter((each) => batchKey(each) !== batchKey(batch)),
          )
        }
      />
    ),
  };
  return { batches: [...selected.values()], set, column };
}

/** Everything that the filters let through, as a file. */
function Exports({ query }: { query: object }) {
  const words = useWords(expiryWords);
  const save = useAction({
    async run(write: (batches: readonly ExpiringBatch[]) => number) {
      const batches: ExpiringBatch[] = [];
      for await (const batch of api.each('/v2/stock/expiring', { query: { ...query, limit: 200 } }))
        batches.push(batch);
      return write(batches);
    },
    done: (count) => words.exported(count),
  });
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<Download size={16} />}
        loading={save.isPending}
        onClick={() => save.mutate(saveBatches)}
      >
        {words.exportFile}
      </Button>
      <Button
        variant="default"
        leftSection={<Send size={16} />}
        title={words.offerHint}
        loading={save.isPending}
        onClick={() => save.mutate(saveOffer)}
      >
        <Text component="span" inherit>
          {words.offer}
        </Text>
      </Button>
    </Group>
  );
}
