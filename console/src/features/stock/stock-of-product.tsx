import { Stack, Text, Title } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { Loaded, Panel } from '../../ui/page.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { Quantities, useProductStock, WarehouseRecord } from './inventory-record.js';
import { stockWords } from './stock-words.js';

/** The stock of a product, in total and by warehouse. */
export function StockOfProduct({ productCode, nearDays }: { productCode: string; nearDays?: number }) {
  const words = useWords(stockWords);
  const query = useProductStock(productCode);
  return (
    <Panel
      title={words.stock}
      actions={
        <ButtonLink to="/inventory" search={{ productCode }} variant="default" size="xs">
          {words.toInventory}
        </ButtonLink>
      }
    >
      <Loaded query={query}>
        {(answer) => {
          const stock = answer as NonNullable<typeof query.data>;
          return (
            <Stack>
              <Quantities record={stock} />
              {(stock.byWarehouse ?? []).length === 0 && <Text size="sm">{words.noStock}</Text>}
              {(stock.byWarehouse ?? []).map((record) => (
                <Stack key={record.warehouse} gap="xs">
                  <Title order={3} size="h4">
                    <PageLink to="/inventory" search={{ warehouse: record.warehouse }} inherit>
                      <WarehouseText code={record.warehouse} />
                    </PageLink>
                  </Title>
                  <WarehouseRecord
                    record={record}
                    nearDays={nearDays}
                    isOnly={stock.byWarehouse?.length === 1}
                  />
                </Stack>
              ))}
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}
