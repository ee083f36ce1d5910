import { Checkbox, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { api, ifStill } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { DateField } from '../../ui/date-field.js';
import { switchField, textOrNull } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { PartnerPicker, ProductPicker } from '../catalogue/pickers.js';
import type { Certificate } from './certificate-columns.js';
import { certificateWords } from './certificate-words.js';
import { CoverageFields, type CoverageValues, coverageOf, coverageRows } from './coverage-fields.js';
import { DocumentFields, type DocumentValues } from './document-fields.js';
import { TypeField } from './type-field.js';
import { useScan } from './use-scan.js';

type SubjectType = Certificate['subjectType'];

interface Content extends DocumentValues, CoverageValues {
  certificateNo: string;
  issuer: string;
  jurisdiction: string;
  scope: string;
  issuedOn: string;
  validFrom: string;
  validTo: string;
  /** Must be chosen: an empty date alone does not mean it. */
  neverExpires: boolean;
}

const contentOf = (certificate: Certificate | undefined): Content => ({
  certificateNo: certificate?.certificateNo ?? '',
  issuer: certificate?.issuer ?? '',
  jurisdiction: certificate?.jurisdiction ?? '',
  scope: certificate?.scope ?? '',
  issuedOn: certificate?.issuedOn ?? '',
  validFrom: certificate?.validFrom ?? '',
  validTo: certificate?.validTo ?? '',
  neverExpires: certificate?.validTo === null,
  documentUrl: certificate?.documentUrl ?? '',
  documentHash: certificate?.documentHash ?? '',
  coverage: coverageRows(certificate?.coverage ?? null),
});

const bodyOf = (values: Content) => ({
  certificateNo: values.certificateNo.trim(),
  issuer: values.issuer.trim(),
  jurisdiction: textOrNull(values.jurisdiction),
  scope: textOrNull(values.scope),
  issuedOn: textOrNull(values.issuedOn),
  validTo: values.neverExpires ? null : values.validTo,
  documentUrl: textOrNull(values.documentUrl),
  documentHash: textOrNull(values.documentHash),
  coverage: coverageOf(values.coverage),
});

interface WindowProps {
  opened: boolean;
  onClose: () => void;
  onDone?: (certificate: Certificate) => void;
}

export function EnterForm({ onDone, ...props }: WindowProps) {
  const words = useWords(certificateWords);
  const scan = useScan();
  return (
    <FormWindow
      {...props}
      title={words.enter}
      submitLabel={words.enter}
      draft="certificate"
      initial={{ ...contentOf(undefined), type: '', subjectType: 'supplier' as SubjectType, subjectCode: '' }}
      run={(values) =>
        scan.uploadAfter(
          api.post('/v2/certificates', {
            body: {
              ...bodyOf(values),
              validFrom: values.validFrom,
              type: values.type.trim(),
              subjectType: values.subjectType,
              subjectCode: values.subjectCode,
            },
          }),
        )
      }
      done={({ certificateNo }) => words.saved(certificateNo)}
      {...(onDone ? { onDone } : {})}
    >
      {(form) => (
        <>
          <SubjectFields form={form} />
          <TypeField
            subjectType={form.values.subjectType}
            label={words.type}
            description={words.typeHint}
            required
            maxLength={64}
            value={form.values.type}
            error={form.error('/type')}
            onChange={(type) => form.set({ type })}
          />
          <ContentFields form={form} isFromRequired />
          <DocumentFields form={form} {...scan.field} />
        </>
      )}
    </FormWindow>
  );
}

function SubjectFields<V extends { subjectType: SubjectType; subjectCode: string }>({
  form,
}: {
  form: FormState<V>;
}) {
  const words = useWords(certificateWords);
  const { subjectType, subjectCode } = form.values;
  const picker = {
    value: subjectCode || null,
    onChange: (code: string | null) => form.set({ subjectCode: code ?? '' } as Partial<V>),
    error: form.error('/subjectCode'),
    required: true,
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={words.subjectType}
        required
        allowDeselect={false}
        value={subjectType}
        data={(['supplier', 'product', 'customer'] as const).map((each) => ({
          value: each,
          label: words.subjectTypes[each],
        }))}
        onChange={(next) =>
          form.set({ subjectType: (next ?? 'supplier') as SubjectType, subjectCode: '' } as Partial<V>)
        }
      />
      {subjectType === 'product' ? (
        <ProductPicker {...picker} />
      ) : (
        <PartnerPicker key={subjectType} role={subjectType} {...picker} />
      )}
    </SimpleGrid>
  );
}

export function EditForm({ certificate, ...props }: WindowProps & { certificate: Certificate }) {
  const words = useWords(certificateWords);
  const scan = useScan();
  return (
    <FormWindow
      {...props}
      title={certificate.certificateNo}
      draft={`certificate:${certificate.certificateId}`}
      initial={{ ...contentOf(certificate), version: certificate.version }}
      run={(values) =>
        scan.uploadAfter(
          api.put('/v2/certificates/{certificateId}', {
            path: { certificateId: certificate.certificateId },
            ...ifStill(values.version),
            body: { ...bodyOf(values), validFrom: values.validFrom },
          }),
        )
      }
      done={({ certificateNo }) => words.saved(certificateNo)}
    >
      {(form) => (
        <>
          <ContentFields form={form} isFromRequired />
          <DocumentFields form={form} {...scan.field} />
        </>
      )}
    </FormWindow>
  );
}

/** The renewal takes over all fields of the certificate except its dates and document. */
export function RenewForm({ certificate, onDone, ...props }: WindowProps & { certificate: Certificate }) {
  const words = useWords(certificateWords);
  const scan = useScan();
  const initial = {
    ...contentOf(certificate),
    issuedOn: '',
    validFrom: '',
    validTo: '',
    neverExpires: false,
    documentUrl: '',
    documentHash: '',
  };
  return (
    <FormWindow
      {...props}
      title={words.renew}
      submitLabel={words.renew}
      draft={`certificate-renewal:${certificate.certificateId}`}
      initial={initial}
      run={(values) =>
        scan.uploadAfter(
          api.post('/v2/certificates/{certificateId}/renew', {
            path: { certificateId: certificate.certificateId },
            body: { ...bodyOf(values), ...(values.validFrom ? { validFrom: values.validFrom } : {}) },
          }),
        )
      }
      done={({ certificateNo }) => words.renewed(certificateNo)}
      {...(onDone ? { onDone } : {})}
    >
      {(form) => (
        <>
          <Text size="sm">{words.renewHint}</Text>
          <ContentFields form={form} />
          <DocumentFields form={form} {...scan.field} />
        </>
      )}
    </FormWindow>
  );
}

function ContentFields<V extends Content>({
  form,
  isFromRequired = false,
}: {
  form: FormState<V>;
  isFromRequired?: boolean;
}) {
  const words = useWords(certificateWords);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={words.no} required maxLength={64} {...form.text('certificateNo')} />
        <TextInput label={words.issuer} required maxLength={300} {...form.text('issuer')} />
        <TextInput label={words.jurisdiction} maxLength={100} {...form.text('jurisdiction')} />
        <DateField label={words.issuedOn} {...form.text('issuedOn')} />
        <DateField
          label={words.validFrom}
          description={isFromRequired ? undefined : words.validFromRenewHint}
          required={isFromRequired}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.text('validFrom')}
        />
        <Stack gap="xs">
          <DateField
            label={words.validTo}
            description={words.validToHint}
            required={!form.values.neverExpires}
            disabled={form.values.neverExpires}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.text('validTo')}
            {...(form.values.neverExpires ? { value: '' } : {})}
          />
          <Checkbox label={words.noEnd} {...switchField(form, 'neverExpires')} />
        </Stack>
      </SimpleGrid>
      <Textarea label={words.scope} autosize minRows={2} maxLength={2000} {...form.text('scope')} />
      <CoverageFields form={form} />
    </>
  );
}
