import { useNavigate } from '@tanstack/react-router';
import { useCountedList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceFilter, linkFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { useStatusChoices } from '../../ui/status.js';
import { useCertificateColumns } from './certificate-columns.js';
import { EnterForm } from './certificate-form.js';
import { typeName } from './certificate-types.js';
import { certificateWords } from './certificate-words.js';
import { useOfferedTypes } from './type-field.js';
import { ViewSwitch } from './view-switch.js';

const STATUSES = [
  'valid',
  'expiring',
  'expired',
  'not_yet_valid',
  'suspended',
  'revoked',
  'superseded',
] as const;
const SUBJECT_TYPES = ['supplier', 'product', 'customer'] as const;
const BY_EXPIRY = 'validTo';
const WITHIN_DAYS = [7, 15, 30, 90, 180, 365];

export default function Certificates() {
  const words = useWords(certificateWords);
  const common = useWords(commonWords);
  const navigate = useNavigate();
  const subjectTypes = SUBJECT_TYPES.map((value) => ({ value, label: words.subjectTypes[value] }));
  const types = useOfferedTypes(SUBJECT_TYPES).map((value) => ({ value, label: typeName(value) }));
  const periods = WITHIN_DAYS.map((days) => ({ value: String(days), label: words.within(days) }));
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, useStatusChoices(STATUSES)),
      subjectType: choiceFilter(words.subject, subjectTypes),
      subjectCode: linkFilter(words.subject),
      type: choiceFilter(words.type, types, { searchable: true }),
      expiringWithinDays: choiceFilter(words.expiringWithin, periods),
    },
    { by: [words.no, words.subjectNames] },
  );
  return (
    <ListPage
      title={words.certificates}
      hint={words.hint}
      actions={<ViewSwitch view="table" />}
      create={{
        scope: 'certificates:write',
        label: words.enter,
        window: (window) => (
          <EnterForm
            {...window}
            onDone={({ certificateId }) =>
              navigate({ to: '/certificates/$certificateId', params: { certificateId } })
            }
          />
        ),
      }}
      filters={filters}
      list={useCountedList('/v2/certificates', { ...filters, sort: filters.sort ?? BY_EXPIRY })}
      usualSort={BY_EXPIRY}
      noun={words.noun}
      rowKey={(certificate) => certificate.certificateId}
      empty={{ title: words.none, hint: words.noneHint }}
      columns={useCertificateColumns()}
    />
  );
}
