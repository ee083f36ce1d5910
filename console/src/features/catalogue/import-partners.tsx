import { useWords } from '../../app/language.js';
import { ImportPage } from './import-page.js';
import { importWords } from './import-words.js';
import { PARTNER_COLUMNS } from './partner-columns.js';
import { partnerWords } from './partner-words.js';

export default function ImportPartners() {
  const words = useWords(importWords);
  return (
    <ImportPage
      kind={{
        title: words.importPartners,
        above: { to: '/partners', name: useWords(partnerWords).partners },
        path: '/v2/partners',
        kind: 'partners',
        file: 'partners.csv',
        columns: PARTNER_COLUMNS,
      }}
    />
  );
}
