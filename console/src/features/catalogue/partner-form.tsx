import { MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { api, ifStill } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField, textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { useStatusChoices } from '../../ui/status.js';
import { type Partner, type PartnerDraft, ROLES } from './partner.types.js';
import { PartnerAddresses } from './partner-addresses.js';
import { partnerWords } from './partner-words.js';

const NEW: PartnerDraft = {
  version: null,
  code: '',
  name: '',
  roles: [],
  status: 'active',
  contactName: null,
  email: null,
  phone: null,
  address: null,
  gln: null,
  registrationCode: null,
  addresses: [],
};

const draftOf = ({
  version,
  code,
  name,
  roles,
  status,
  contact,
  gln,
  registrationCode,
  addresses,
}: Partner): PartnerDraft => ({
  version,
  code,
  name,
  roles,
  status,
  gln,
  registrationCode,
  addresses: addresses.map((address) => ({ ...address, key: address.code })),
  contactName: contact?.name ?? null,
  email: contact?.email ?? null,
  phone: contact?.phone ?? null,
  address: contact?.address ?? null,
});

const save = (draft: PartnerDraft) =>
  api.put('/v2/partners/{code}', {
    path: { code: draft.code.trim() },
    ...ifStill(draft.version),
    body: {
      name: draft.name.trim(),
      roles: draft.roles,
      status: draft.status,
      gln: textOrNull(draft.gln),
      registrationCode: textOrNull(draft.registrationCode),
      addresses: draft.addresses.map(({ code, name, address, contact, gln }) => ({
        code: code.trim(),
        name: name.trim(),
        address: textOrNull(address),
        contact: textOrNull(contact),
        gln: textOrNull(gln),
      })),
      contact: {
        name: textOrNull(draft.contactName),
        email: textOrNull(draft.email),
        phone: textOrNull(draft.phone),
        address: textOrNull(draft.address),
      },
    },
  });

/** Creates or edits a partner. */
export function PartnerForm(props: {
  partner?: Partner;
  opened: boolean;
  onClose: () => void;
  onDone?: (partner: Partner) => void;
}) {
  const words = useWords(partnerWords);
  const common = useWords(commonWords);
  const statuses = useStatusChoices(['active', 'suspended']);
  const { partner } = props;
  return (
    <FormWindow
      opened={props.opened}
      onClose={props.onClose}
      title={partner ? words.editPartner : words.newPartner}
      submitLabel={partner ? undefined : words.newPartner}
      draft={`partner:${partner?.code ?? ''}`}
      initial={partner ? draftOf(partner) : NEW}
      run={save}
      done={(saved) => words.saved(saved.name)}
      onDone={props.onDone}
    >
      {(form) => (
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={words.code}
              {...CODE_INPUT}
              required
              readOnly={!!partner}
              maxLength={64}
              {...form.text('code')}
            />
            <TextInput label={words.name} required maxLength={300} {...form.text('name')} />
            <MultiSelect
              label={words.roles}
              required
              data={ROLES.map((value) => ({ value, label: words.roleNames[value] }))}
              value={form.values.roles}
              error={form.error('/roles')}
              onChange={(roles) => form.set({ roles: roles as Partner['roles'] })}
            />
            <Select
              label={common.status}
              data={statuses}
              allowDeselect={false}
              {...choiceField(form, 'status')}
            />
            <TextInput
              label={words.contactName}
              maxLength={200}
              {...form.text('contactName', '/contact/name')}
            />
            <TextInput
              label={words.email}
              type="email"
              maxLength={254}
              {...form.text('email', '/contact/email')}
            />
            <TextInput
              label={words.phone}
              type="tel"
              maxLength={64}
              {...form.text('phone', '/contact/phone')}
            />
            <TextInput label={words.address} maxLength={500} {...form.text('address', '/contact/address')} />
            <TextInput
              label={words.registrationCode}
              description={words.registrationCodeHint}
              maxLength={32}
              {...form.text('registrationCode')}
            />
            <TextInput label={words.gln} description={words.glnHint} maxLength={32} {...form.text('gln')} />
          </SimpleGrid>
          <PartnerAddresses form={form} />
        </Stack>
      )}
    </FormWindow>
  );
}
