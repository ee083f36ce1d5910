import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { StockOfProduct } from '../stock/stock-of-product.js';
import { CertificatesOf } from './certificates-of.js';
import { PartnerText } from './partner-name.js';
import { type Product, ProductForm } from './product-form.js';
import { productWords } from './product-words.js';
import { rangeText } from './storage-text.js';

export default function ProductPage() {
  const words = useWords(productWords);
  const common = useWords(commonWords);
  const code = useParam('productCode');
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  const query = useResource('/v2/products/{id}', { path: { id: code } });
  return (
    <Page
      title={query.data?.productName ?? code}
      above={{ to: '/products', name: words.products }}
      actions={
        query.data &&
        may('products:write') && (
          <Button variant="default" leftSection={<Pencil size={16} />} onClick={open}>
            {common.edit}
          </Button>
        )
      }
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/products' }}>
        {(product) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Basics product={product} />
              <Stack>
                <Storage product={product} />
                <Packaging product={product} />
              </Stack>
            </SimpleGrid>
            {may('inventory:read') && (
              <StockOfProduct productCode={product.productCode} nearDays={product.nearExpiryDays} />
            )}
            {may('certificates:read') && (
              <CertificatesOf subjectType="product" subjectCode={product.productCode} />
            )}
            <ProductForm product={product} opened={opened} onClose={close} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Basics({ product }: { product: Product }) {
  const words = useWords(productWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const yesNo = (is: boolean) => (is ? common.yes : common.no);
  return (
    <Panel title={words.facts}>
      <Facts
        facts={[
          [words.code, <CopyText key="code" text={product.productCode} label={words.code} />],
          [common.status, <StatusBadge key="status" status={product.status} />],
          [words.specification, product.specification ?? NOTHING],
          [words.model, product.model ?? NOTHING],
          [words.manufacturer, product.manufacturer ?? NOTHING],
          [words.category, product.category ?? NOTHING],
          [words.riskClass, product.riskClass ? words.riskClasses[product.riskClass] : NOTHING],
          [words.registrationNo, product.registrationNo ?? NOTHING],
          [
            words.supplier,
            product.supplierCode ? (
              <PageLink
                key="supplier"
                to="/partners/$partnerCode"
                params={{ partnerCode: product.supplierCode }}
              >
                <PartnerText code={product.supplierCode} />
              </PageLink>
            ) : (
              NOTHING
            ),
          ],
          [words.sterile, yesNo(product.sterile)],
          [words.implantable, yesNo(product.implantable)],
          [words.updatedAt, format.instant(product.updatedAt)],
        ]}
      />
    </Panel>
  );
}

function Storage({ product }: { product: Product }) {
  const words = useWords(productWords);
  const format = useFormat();
  const { temperatureMin, temperatureMax, humidityMin, humidityMax } = product.storage;
  return (
    <Panel title={words.handling}>
      <Facts
        facts={[
          [words.tracking, words.trackings[product.tracking]],
          [words.temperature, rangeText(temperatureMin, temperatureMax, '°C', format) ?? NOTHING],
          [words.humidity, rangeText(humidityMin, humidityMax, '%', format) ?? NOTHING],
          [
            words.shelfLife,
            product.shelfLifeDays === null ? NOTHING : words.days(format.number(product.shelfLifeDays)),
          ],
          [words.nearExpiry, words.days(format.number(product.nearExpiryDays))],
          [words.safetyStock, [format.number(product.safetyStock), product.unit].filter(Boolean).join(' ')],
        ]}
      />
    </Panel>
  );
}

function Packaging({ product }: { product: Product }) {
  const words = useWords(productWords);
  const format = useFormat();
  const base = {
    udiDi: product.udiDi ?? NOTHING,
    level: product.unit ?? words.unit,
    quantity: 1,
  };
  return (
    <Panel title={words.packaging}>
      <ItemTable
        label={words.packaging}
        items={[base, ...product.packaging]}
        rowKey={(row) => `${row.level} ${row.udiDi}`}
        columns={[
          { name: words.udiDi, show: (row) => row.udiDi },
          { name: words.level, show: (row) => row.level },
          { name: words.unitsInside, show: (row) => format.number(row.quantity), align: 'right' },
        ]}
      />
    </Panel>
  );
}
