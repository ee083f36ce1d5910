import { Select } from '@mantine/core';
import { useWords } from '../../app/language.js';
import type { FormState } from '../../ui/form.js';
import { FormRows, newRowKey } from '../../ui/form-rows.js';
import { Panel } from '../../ui/page.js';
import { TypeField } from '../certificates/type-field.js';
import { organizationWords } from './organization-words.js';

const SUBJECTS = ['supplier', 'product', 'customer'] as const;

export interface Requirement {
  key: string;
  subjectType: (typeof SUBJECTS)[number];
  type: string;
}

export function RequiredCertificates<V extends { demandedCertificates: Requirement[] }>({
  form,
}: {
  form: FormState<V>;
}) {
  const words = useWords(organizationWords);
  return (
    <Panel title={words.demanded} hint={words.demandedHint}>
      <FormRows
        form={form as unknown as FormState<{ demandedCertificates: Requirement[] }>}
        name="demandedCertificates"
        addLabel={words.addDemand}
        removeLabel={words.removeDemand}
        emptyText={words.noDemands}
        newRow={() => ({ key: newRowKey(), subjectType: 'supplier' as const, type: '' })}
      >
        {({ row, change, text }) => (
          <>
            <Select
              label={words.subject}
              data={SUBJECTS.map((value) => ({ value, label: words.subjects[value] }))}
              allowDeselect={false}
              value={row.subjectType}
              onChange={(value) => change({ subjectType: value as Requirement['subjectType'] })}
              w={{ base: 120, sm: 180 }}
            />
            <TypeField
              subjectType={row.subjectType}
              label={words.type}
              required
              maxLength={64}
              style={{ flex: 1 }}
              maw={400}
              value={row.type}
              error={text('type').error}
              onChange={(type) => change({ type })}
            />
          </>
        )}
      </FormRows>
    </Panel>
  );
}
