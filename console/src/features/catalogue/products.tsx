import { useNavigate } from '@tanstack/react-router';
import { api, useCountedList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { choiceFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { StatusBadge, useStatusChoices } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { ExportButton } from './export-button.js';
import { ImportLink } from './import-link.js';
import { PRODUCT_COLUMNS } from './product-columns.js';
import { ProductForm } from './product-form.js';
import { productWords } from './product-words.js';

export default function Products() {
  const words = useWords(productWords);
  const common = useWords(commonWords);
  const navigate = useNavigate();
  const may = useMay();
  const task = useTaskFilter('products_low');
  const riskClasses = Object.entries(words.riskClasses).map(([value, label]) => ({ value, label }));
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(['active', 'suspended', 'discontinued'])),
      task: may('inventory:read') ? task : { ...task, control: null },
      riskClass: choiceFilter(words.riskClass, riskClasses),
    },
    { by: [words.name, words.code, 'UDI-DI'] },
  );
  return (
    <ListPage
      title={words.products}
      hint={words.hint}
      actions={
        <>
          <ExportButton
            file="products.csv"
            columns={PRODUCT_COLUMNS}
            each={() => api.each('/v2/products', { query: { ...filters.query, limit: 200 } })}
          />
          <ImportLink to="/products/import" />
        </>
      }
      create={{
        scope: 'products:write',
        label: words.newProduct,
        window: (window) => (
          <ProductForm
            {...window}
            onDone={({ productCode }) => navigate({ to: '/products/$productCode', params: { productCode } })}
          />
        ),
      }}
      filters={filters}
      list={useCountedList('/v2/products', filters)}
      noun={words.noun}
      usualSort="productCode"
      rowKey={(product) => product.id}
      empty={{ title: words.empty, hint: words.emptyHint }}
      columns={[
        {
          name: words.name,
          sort: 'productName',
          show: (product) => (
            <RowLink to="/products/$productCode" params={{ productCode: product.productCode }}>
              {product.productName}
            </RowLink>
          ),
        },
        {
          name: words.code,
          sort: 'productCode',
          show: (product) => <CodeText>{product.productCode}</CodeText>,
          wide: 'below',
        },
        { name: words.specification, show: (product) => product.specification, wide: true },
        { name: words.manufacturer, show: (product) => product.manufacturer, wide: 'below' },
        {
          name: words.riskClass,
          show: (product) => product.riskClass && words.riskClasses[product.riskClass],
          wide: true,
        },
        { name: words.tracking, show: (product) => words.trackings[product.tracking], wide: true },
        {
          name: common.status,
          show: (product) => <StatusBadge status={product.status} />,
        },
      ]}
    />
  );
}
