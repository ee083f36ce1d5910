import type { Item } from '@lotward/client';
import { Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import type { Column } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { RowLink } from '../../ui/links.js';
import { StatusBadge } from '../../ui/status.js';
import { typeName } from './certificate-types.js';
import { certificateWords } from './certificate-words.js';

export type Certificate = Item<'/v2/certificates'>;

/** How long a certificate remains valid, or how long ago it expired. */
export function useLeftText(): (days: number) => string {
  const words = useWords(certificateWords);
  const format = useFormat();
  return (days) => (days < 0 ? words.expiredAgo : words.left)(format.number(Math.abs(days)));
}

/** The columns of every table of certificates. */
export function useCertificateColumns(): Column<Certificate>[] {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const leftText = useLeftText();
  return [
    {
      name: words.no,
      show: (certificate) => (
        <RowLink to="/certificates/$certificateId" params={{ certificateId: certificate.certificateId }}>
          <CodeText>{certificate.certificateNo}</CodeText>
        </RowLink>
      ),
    },
    { name: words.type, show: (certificate) => typeName(certificate.type), wide: 'below' },
    {
      name: words.subject,
      show: (certificate) => (
        <Stack gap={0}>
          <Text size="sm">{certificate.subjectName}</Text>
          <Text size="xs" c="dimmed">
            {words.subjectTypes[certificate.subjectType]} · {certificate.subjectCode}
          </Text>
        </Stack>
      ),
      wide: 'below',
    },
    {
      name: words.validTo,
      show: (certificate) => (certificate.validTo ? format.day(certificate.validTo) : words.noEnd),
      sort: 'validTo',
      wide: 'below',
      below: ({ validTo, daysRemaining }) =>
        validTo === null || daysRemaining === null
          ? words.noEnd
          : `${format.day(validTo)} · ${leftText(daysRemaining)}`,
    },
    {
      name: words.remaining,
      show: (certificate) =>
        certificate.daysRemaining === null ? null : leftText(certificate.daysRemaining),
      align: 'right',
      wide: true,
    },
    { name: common.status, show: (certificate) => <StatusBadge status={certificate.status} /> },
  ];
}
