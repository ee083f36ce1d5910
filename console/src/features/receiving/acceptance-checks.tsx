import { List, Stack, Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { PageLink } from '../../ui/links.js';
import { StatusBadge } from '../../ui/status.js';
import { checkWords } from './check-words.js';
import type { Receipt } from './receipt.types.js';
import type { TransportCheck } from './transport-check.js';

/** The checks before goods enter the stock, next to the recorded facts. */
export function AcceptanceChecks({ receipt, transport }: { receipt: Receipt; transport: TransportCheck }) {
  const words = useWords(checkWords);
  const format = useFormat();
  const { supplierCode, transportTemperature } = receipt;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {words.title}
      </Text>
      <List size="sm" spacing={4}>
        {supplierCode !== null && (
          <List.Item>
            {words.licence}
            <Licences supplierCode={supplierCode} />
          </List.Item>
        )}
        <List.Item>{words.registration}</List.Item>
        <List.Item>{words.expiry}</List.Item>
        <List.Item>
          <Text
            component="span"
            size="sm"
            {...(transport.result === 'outside' ? { c: 'red', fw: 600 } : {})}
            {...(transport.result === 'not_recorded' ? { fw: 600 } : {})}
          >
            {words.temperature[transport.result]}
          </Text>{' '}
          {transportTemperature !== null && (
            <b>{words.transported(`${format.number(transportTemperature)} °C`)}</b>
          )}
        </List.Item>
        <List.Item>{words.packaging}</List.Item>
      </List>
    </Stack>
  );
}

function Licences({ supplierCode }: { supplierCode: string }) {
  const words = useWords(checkWords);
  const format = useFormat();
  const may = useMay();
  const list = useList('/v2/certificates', {
    query: { subjectType: 'supplier', subjectCode: supplierCode },
    enabled: may('certificates:read'),
  });
  const licences = (list.data?.pages[0]?.items ?? []).filter(({ status }) => status !== 'superseded');
  if (list.data && licences.length === 0)
    return (
      <Text size="sm" fw={600}>
        {words.noLicence}
      </Text>
    );
  return (
    <Stack gap={2} mt={2}>
      {licences.map(({ certificateId, certificateNo, type, validTo, status }) => (
        <Text key={certificateId} component="div" size="sm">
          <PageLink to="/certificates/$certificateId" params={{ certificateId }}>
            {type} {certificateNo}
          </PageLink>{' '}
          {validTo === null ? words.noEnd : words.validTo(format.day(validTo))}{' '}
          <StatusBadge status={status} />
        </Text>
      ))}
    </Stack>
  );
}
