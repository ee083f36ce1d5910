import { ActionIcon, Button, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useWords } from '../../app/language.js';
import type { FormState } from '../../ui/form.js';
import type { PartnerDraft } from './partner-form.js';
import { partnerWords } from './partner-words.js';

type Address = PartnerDraft['addresses'][number];
const FIELDS = [
  { name: 'code', required: true, maxLength: 64 },
  { name: 'name', required: true, maxLength: 200 },
  { name: 'address', required: false, maxLength: 500 },
  { name: 'contact', required: false, maxLength: 200 },
  { name: 'gln', required: false, maxLength: 32 },
] as const;

/** Places of a partner to which goods are sent. */
export function PartnerAddresses({ form }: { form: FormState<PartnerDraft> }) {
  const words = useWords(partnerWords);
  const { addresses } = form.values;
  const labels = {
    code: words.addressCode,
    name: words.addressName,
    address: words.address,
    contact: words.contactName,
    gln: words.gln,
  };
  const change = (at: number, part: Partial<Address>) =>
    form.set({ addresses: addresses.map((each, i) => (i === at ? { ...each, ...part } : each)) });
  const empty = { code: '', name: '', address: null, contact: null, gln: null };
  return (
    <Fieldset legend={words.addresses}>
      <Stack gap="md">
        {addresses.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.noAddresses}
          </Text>
        )}
        {addresses.map((address, at) => (
          <Group key={address.key} align="flex-start" gap="xs" wrap="nowrap">
            <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ flex: 1 }}>
              {FIELDS.map(({ name, required, maxLength }) => (
                <TextInput
                  key={name}
                  label={labels[name]}
                  required={required}
                  maxLength={maxLength}
                  value={address[name] ?? ''}
                  error={form.error(`/addresses/${at}/${name}`)}
                  onChange={(event) => change(at, { [name]: event.currentTarget.value })}
                />
              ))}
            </SimpleGrid>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              mt={25}
              aria-label={words.removeAddress(at + 1)}
              onClick={() => form.set({ addresses: addresses.filter((_, i) => i !== at) })}
            >
              <Trash2 size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={16} />}
            onClick={() => form.set({ addresses: [...addresses, { ...empty, key: crypto.randomUUID() }] })}
          >
            {words.addAddress}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
