import type { Body } from '@lotward/client';
import { client } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { ImportPage } from './import-page.js';
import { importWords } from './import-words.js';
import { PRODUCT_COLUMNS } from './product-columns.js';
import { productWords } from './product-words.js';

async function* codes() {
  for await (const product of client.each('/v2/products', { query: { limit: 200 } }))
    yield product.productCode;
}

export default function ImportProducts() {
  const words = useWords(importWords);
  return (
    <ImportPage
      kind={{
        title: words.importProducts,
        above: { to: '/products', name: useWords(productWords).products },
        path: '/v2/products',
        file: 'products.csv',
        columns: PRODUCT_COLUMNS,
        codes,
        // The service validates each row.
        send: (code, body) =>
          client.put('/v2/products/{id}', {
            path: { id: code },
            body: body as unknown as Body<'/v2/products/{id}', 'put'>,
          }),
      }}
    />
  );
}
