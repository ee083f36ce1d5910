import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { api, useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/filter-bar.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Page, Panel } from '../../ui/page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { ExportButton } from './export-button.js';
import { importWords } from './import-words.js';
import { PRODUCT_COLUMNS } from './product-columns.js';
import { ProductForm } from './product-form.js';
import { productWords } from './product-words.js';

const FILTERS = ['name', 'productCode', 'status', 'riskClass'] as const;
const RISK_CLASSES = ['I', 'II', 'III'].map((each) => ({ value: each, label: each }));

export default function Products() {
  const words = useWords(productWords);
  const common = useWords(commonWords);
  const [filters, change] = useFilters(FILTERS);
  const list = useList('/v2/products', { query: filters as object });
  return (
    <Page title={words.products} hint={words.hint} actions={<Actions filters={filters} />}>
      <Panel>
        <FilterBar>
          <SearchFilter label={words.name} value={filters.name} onChange={(name) => change({ name })} />
          <SearchFilter
            label={words.code}
            value={filters.productCode}
            onChange={(productCode) => change({ productCode })}
          />
          <ChoiceFilter
            label={common.status}
            value={filters.status}
            choices={useStatusChoices(['active', 'suspended', 'discontinued'])}
            onChange={(status) => change({ status })}
          />
          <ChoiceFilter
            label={words.riskClass}
            value={filters.riskClass}
            choices={RISK_CLASSES}
            onChange={(riskClass) => change({ riskClass })}
          />
        </FilterBar>
        <DataTable
          list={list}
          label={words.products}
          rowKey={(product) => product.id}
          filtered={Object.keys(filters).length > 0}
          onClearFilters={() => change({ name: null, productCode: null, status: null, riskClass: null })}
          empty={{ title: words.empty, hint: words.emptyHint }}
          columns={[
            {
              name: words.code,
              show: (product) => (
                <PageLink to="/products/$productCode" params={{ productCode: product.productCode }}>
                  <CodeText>{product.productCode}</CodeText>
                </PageLink>
              ),
            },
            { name: words.name, show: (product) => product.productName },
            { name: words.specification, show: (product) => product.specification, wide: true },
            { name: words.manufacturer, show: (product) => product.manufacturer, wide: true },
            {
              name: words.riskClass,
              show: (product) => product.riskClass && words.riskClasses[product.riskClass],
              wide: true,
            },
            { name: words.tracking, show: (product) => words.trackings[product.tracking], wide: true },
            {
              name: common.status,
              show: (product) => <StatusBadge status={product.status} />,
              wide: true,
            },
          ]}
        />
      </Panel>
    </Page>
  );
}

function Actions({ filters }: { filters: object }) {
  const words = useWords(productWords);
  const importing = useWords(importWords);
  const may = useMay();
  const navigate = useNavigate();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <ExportButton
        file="products.csv"
        columns={PRODUCT_COLUMNS}
        each={() => api.each('/v2/products', { query: { ...filters, limit: 200 } })}
      />
      {may('products:write') && (
        <>
          <ButtonLink to="/products/import" variant="default" leftSection={<Upload size={16} />}>
            {importing.importFile}
          </ButtonLink>
          <Button leftSection={<Plus size={16} />} onClick={open}>
            {words.newProduct}
          </Button>
          <ProductForm
            opened={opened}
            onClose={close}
            onDone={({ productCode }) => navigate({ to: '/products/$productCode', params: { productCode } })}
          />
        </>
      )}
    </>
  );
}
