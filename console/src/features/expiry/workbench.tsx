import { Button, Group } from '@mantine/core';
import { Download, Tag } from 'lucide-react';
import { useMemo } from 'react';
import { api, useList, useResource } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { DataTable } from '../../ui/list/data-list.js';
import { FilterPills } from '../../ui/list/filter-pills.js';
import { useSelection } from '../../ui/list/selection.js';
import {
  choiceFilter,
  type ListFilter,
  linkFilter,
  pickerFilter,
  useListFilters,
} from '../../ui/list-filters.js';
import { Page, Panel } from '../../ui/page.js';
import { useAction } from '../../ui/use-action.js';
import { ProductPicker, WarehousePicker } from '../catalogue/pickers.js';
import { BandTabs } from './band-tabs.js';
import { countOf, monthsFrom, periodOf } from './bands.js';
import { batchKey, type ExpiringBatch } from './bulk.js';
import { BulkActions } from './bulk-actions.js';
import { useExpiryColumns } from './expiry-columns.js';
import { expiryWords } from './expiry-words.js';
import { saveBatches, saveOffer } from './files.js';

/** Batches by days left, with their expected use, and actions on many of them together. */
export default function Workbench() {
  const words = useWords(expiryWords);
  const filters = useListFilters({
    band: linkFilter(words.title),
    month: useMonthFilter(),
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
  const count = countOf(filters.values, useResource('/v2/overview').data?.stock?.byExpiry);
  const list = {
    ...useList('/v2/stock/expiring', { query }),
    ...(count === undefined ? {} : { total: { count, isExact: true } }),
  };
  const isOfExpired = band === 'expired' && month === undefined;
  const selection = useSelection(batchKey, (batch: ExpiringBatch) =>
    words.batchOf(batch.productName, batch.batchNo),
  );
  return (
    <Page title={words.title} hint={words.hint} actions={<Exports query={query} isOffered={!isOfExpired} />}>
      <BandTabs
        chosen={month ? null : (band ?? 'soon')}
        onChoose={(next) => change({ band: next, month: null })}
      />
      <Panel>
        {/* The band is omitted, because the tabs show it. */}
        <FilterPills filters={{ ...filters, all: filters.all.filter(({ name }) => name !== 'band') }} />
        <BulkActions selection={selection} warehouse={warehouse ?? null} />
        <DataTable
          list={list}
          label={words.title}
          rowKey={batchKey}
          columns={useExpiryColumns(warehouse, isOfExpired)}
          noun={words.noun}
          selection={selection}
          empty={{ title: words.none, hint: words.noneHint }}
          filtered={filters.isFiltered}
          onClearFilters={filters.clear}
        />
      </Panel>
    </Page>
  );
}

const MONTHS_OFFERED = 24;

/** The month of expiry, by name. A link may set one that is not offered. */
function useMonthFilter(): ListFilter {
  const { month: label } = useWords(expiryWords);
  const { language } = useLanguage();
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const nameOf = (month: string) => {
    const at = Date.parse(`${month}-01`);
    return Number.isNaN(at) ? month : name.format(at);
  };
  const months = monthsFrom(new Date(), MONTHS_OFFERED).map((value) => ({ value, label: nameOf(value) }));
  return { ...choiceFilter(label, months), shown: nameOf };
}

/** Exports everything that matches the filters. Expired stock is not offered to customers. */
function Exports({ query, isOffered }: { query: object; isOffered: boolean }) {
  const words = useWords(expiryWords);
  const { language } = useLanguage();
  const save = useAction({
    async run(write: typeof saveBatches) {
      const batches: ExpiringBatch[] = [];
      for await (const batch of api.each('/v2/stock/expiring', { query: { ...query, limit: 200 } }))
        batches.push(batch);
      return write(batches, language);
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
      {isOffered && (
        <Button
          variant="default"
          leftSection={<Tag size={16} />}
          title={words.offerHint}
          loading={save.isPending}
          onClick={() => save.mutate(saveOffer)}
        >
          {words.offer}
        </Button>
      )}
    </Group>
  );
}
