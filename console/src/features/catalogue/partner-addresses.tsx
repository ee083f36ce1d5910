import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import { useWords } from '../../app/language.js';
import type { FormState } from '../../ui/form.js';
import { FormRows, newRowKey } from '../../ui/form-rows.js';
import type { PartnerDraft } from './partner.types.js';
import { partnerWords } from './partner-words.js';

const FIELDS = [
  { name: 'code', required: true, maxLength: 64 },
  { name: 'name', required: true, maxLength: 200 },
  { name: 'address', required: false, maxLength: 500 },
  { name: 'contact', required: false, maxLength: 200 },
  { name: 'gln', required: false, maxLength: 32 },
] as const;

/** The delivery addresses of a partner. */
export function PartnerAddresses({ form }: { form: FormState<PartnerDraft> }) {
  const words = useWords(partnerWords);
  const labels = {
    code: words.addressCode,
    name: words.addressName,
    address: words.address,
    contact: words.contactName,
    gln: words.gln,
  };
  return (
    <Fieldset legend={words.addresses}>
      <FormRows
        form={form}
        name="addresses"
        addLabel={words.addAddress}
        removeLabel={words.removeAddress}
        emptyText={words.noAddresses}
        newRow={() => ({ key: newRowKey(), code: '', name: '', address: null, contact: null, gln: null })}
      >
        {({ text }) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ flex: 1 }}>
            {FIELDS.map(({ name, required, maxLength }) => (
              <TextInput
                key={name}
                label={labels[name]}
                required={required}
                maxLength={maxLength}
                {...text(name)}
              />
            ))}
          </SimpleGrid>
        )}
      </FormRows>
    </Fieldset>
  );
}
