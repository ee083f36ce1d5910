import type { Data } from '@lotward/client';
import { Button, Group, Radio, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DateField } from '../../ui/date-field.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField, switchField } from '../../ui/fields.js';
import { type FormState, useForm } from '../../ui/form.js';
import { newRowKey } from '../../ui/form-rows.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { organizationWords } from './organization-words.js';
import { RequiredCertificates, type Requirement } from './required-certificates.js';

type Settings = Data<'/v2/settings', 'get'>;
interface Draft {
  name: string;
  timeZone: string;
  samePersonRecheck: boolean;
  certificateGate: Settings['certificateGate'];
  demandedCertificates: Requirement[];
  booksFrom: string;
}

export default function Organization() {
  const words = useWords(organizationWords);
  const may = useMay();
  const settings = useResource('/v2/settings');
  return (
    <Page title={words.organization} hint={words.hint}>
      <Loaded query={settings}>
        {(data) => (may('settings:write') ? <SettingsForm settings={data} /> : <ReadOnly settings={data} />)}
      </Loaded>
    </Page>
  );
}

function ReadOnly({ settings }: { settings: Settings }) {
  const words = useWords(organizationWords);
  const format = useFormat();
  return (
    <Panel title={words.basics}>
      <Facts
        facts={[
          [words.code, settings.code],
          [words.edition, words.editions[settings.edition]],
          [words.name, settings.name],
          [words.timeZone, settings.timeZone],
          [words.booksFrom, settings.booksFrom],
          [words.recheck, settings.samePersonRecheck ? words.on : words.off],
          [words.gate, words.gates[settings.certificateGate]],
          [
            words.demanded,
            format.list(
              settings.demandedCertificates.map(
                ({ subjectType, type }) => `${words.subjects[subjectType]}${format.colon}${type}`,
              ),
            ) || words.noDemands,
          ],
        ]}
      />
    </Panel>
  );
}

function SettingsForm({ settings }: { settings: Settings }) {
  const words = useWords(organizationWords);
  const common = useWords(commonWords);
  const { form, action, submit, retry } = useForm({
    initial: {
      name: settings.name,
      timeZone: settings.timeZone,
      booksFrom: settings.booksFrom,
      samePersonRecheck: settings.samePersonRecheck,
      certificateGate: settings.certificateGate,
      demandedCertificates: settings.demandedCertificates.map((each) => ({ ...each, key: newRowKey() })),
    } as Draft,
    run: ({ demandedCertificates, ...rest }: Draft) =>
      api.patch('/v2/settings', {
        body: {
          ...rest,
          demandedCertificates: demandedCertificates.map(({ subjectType, type }) => ({
            subjectType,
            type: type.trim(),
          })),
        },
      }),
    done: words.saved,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          <Basics form={form} settings={settings} />
          <Rules form={form} />
        </SimpleGrid>
        <RequiredCertificates form={form} />
        {action.isError && <Problem error={action.error} action={common.save} onRetry={retry} />}
        <Group justify="flex-end">
          <Button type="submit" loading={action.isPending}>
            {common.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Basics({ form, settings }: { form: FormState<Draft>; settings: Settings }) {
  const words = useWords(organizationWords);
  const zones = useMemo(
    () => [...new Set(['UTC', settings.timeZone, ...Intl.supportedValuesOf('timeZone')])],
    [settings.timeZone],
  );
  return (
    <Panel title={words.basics}>
      <Stack>
        <Facts
          facts={[
            [words.code, settings.code],
            [words.edition, words.editions[settings.edition]],
          ]}
        />
        <TextInput label={words.name} required maxLength={300} {...form.text('name')} />
        <Select
          label={words.timeZone}
          description={words.timeZoneHint}
          data={zones}
          searchable
          limit={100}
          allowDeselect={false}
          {...choiceField(form, 'timeZone')}
        />
        <DateField
          label={words.booksFrom}
          description={words.booksFromHint}
          required
          {...form.text('booksFrom')}
        />
      </Stack>
    </Panel>
  );
}

function Rules({ form }: { form: FormState<Draft> }) {
  const words = useWords(organizationWords);
  return (
    <Panel title={words.rules}>
      <Stack>
        <Switch
          label={words.recheck}
          description={words.recheckHint}
          {...switchField(form, 'samePersonRecheck')}
        />
        <Radio.Group
          label={words.gate}
          description={words.gateHint}
          value={form.values.certificateGate}
          onChange={(gate) => form.set({ certificateGate: gate as Draft['certificateGate'] })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="refuse" label={words.gates.refuse} />
            <Radio value="warn" label={words.gates.warn} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Panel>
  );
}
