import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../../app/language.js';
import { Loaded, Panel } from '../../ui/page.js';
import { Quantities, useProductStock, WarehouseRecord } from './inventory-record.js';
import { stockWords } from './stock-words.js';

/** The stock of a product, over all and warehouse by warehouse. */
export function StockOfProduct({ productCode, nearDays }: { productCode: string; nearDays?: number }) {
  const words = useWords(stockWords);
  const query = useProductStock(productCode);
  return (
    <Panel
      title={words.stock}
      actions={
        <Button
          component={Link}
          to="/inventory"
          search={{ productCode } as never}
          variant="default"
          size="xs"
        >
          {words.toInventory}
        </Button>
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
                    <Anchor
                      component={Link}
                      to="/inventory"
                      search={{ warehouse: record.warehouse } as never}
                      inherit
                    >
                      {record.warehouse}
                    </Anchor>
                  </Title>
                  <WarehouseRecord record={record} nearDays={nearDays} />
                </Stack>
              ))}
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}
