import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { dictionary, useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { DataTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';

const certificatesWords = dictionary(
  {
    certificates: 'Certificates',
    none: 'No certificates on record',
    no: 'Certificate no.',
    type: 'Type',
    validTo: 'Valid to',
    unlimited: 'No expiry',
  },
  {
    certificates: '资质证照',
    none: '暂无证照记录',
    no: '证照编号',
    type: '类型',
    validTo: '有效期至',
    unlimited: '长期有效',
  },
);

/** The certificates of a product or partner, shown on its page. */
export function CertificatesOf({
  subjectCode,
  subjectType,
}: {
  subjectCode: string;
  subjectType?: 'product';
}) {
  const words = useWords(certificatesWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const list = useList('/v2/certificates', {
    query: { subjectCode, ...(subjectType ? { subjectType } : {}) },
  });
  return (
    <Panel title={words.certificates}>
      <DataTable
        list={list}
        label={words.certificates}
        rowKey={(row) => row.certificateId}
        empty={{ title: words.none }}
        columns={[
          {
            name: words.no,
            show: (row) => (
              <RowLink to="/certificates/$certificateId" params={{ certificateId: row.certificateId }}>
                <CodeText>{row.certificateNo}</CodeText>
              </RowLink>
            ),
          },
          { name: words.type, show: (row) => row.type, wide: 'below' },
          {
            name: words.validTo,
            show: (row) => (row.validTo ? format.day(row.validTo) : words.unlimited),
            wide: 'below',
          },
          { name: common.status, show: (row) => <StatusBadge status={row.status} /> },
        ]}
      />
    </Panel>
  );
}
