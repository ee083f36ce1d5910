import type { Body } from '@lotward/client';
import { client } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { ImportPage } from './import-page.js';
import { importWords } from './import-words.js';
import { PARTNER_COLUMNS } from './partner-columns.js';
import { partnerWords } from './partner-words.js';

async function* codes() {
  for await (const partner of client.each('/v2/partners', { query: { limit: 200 } })) yield partner.code;
}

export default function ImportPartners() {
  const words = useWords(importWords);
  return (
    <ImportPage
      kind={{
        title: words.importPartners,
        above: { to: '/partners', name: useWords(partnerWords).partners },
        path: '/v2/partners',
        file: 'partners.csv',
        columns: PARTNER_COLUMNS,
        codes,
        // The service validates each row.
        send: (code, body) =>
          client.put('/v2/partners/{code}', {
            path: { code },
            body: body as unknown as Body<'/v2/partners/{code}', 'put'>,
          }),
      }}
    />
  );
}
