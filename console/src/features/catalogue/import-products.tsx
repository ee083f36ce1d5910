import { useWords } from '../../app/language.js';
import { ImportPage } from './import-page.js';
import { importWords } from './import-words.js';
import { PRODUCT_COLUMNS } from './product-columns.js';
import { productWords } from './product-words.js';

export default function ImportProducts() {
  const words = useWords(importWords);
  return (
    <ImportPage
      kind={{
        title: words.importProducts,
        above: { to: '/products', name: useWords(productWords).products },
        path: '/v2/products',
        kind: 'products',
        file: 'products.csv',
        columns: PRODUCT_COLUMNS,
      }}
    />
  );
}
