import { Fieldset, NumberInput, Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { api, ifStill, useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { choiceField, numberField, switchField } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { environmentWords } from './environment-words.js';
import { type Point, UNITS } from './limits.js';

interface Values {
  /** Null for a new point. */
  version: number | null;
  pointId: string;
  name: string;
  warehouse: string | null;
  zone: string | null;
  temperatureMin: number | null;
  temperatureMax: number | null;
  humidityMin: number | null;
  humidityMax: number | null;
  delayMinutes: number | null;
  silentMinutes: number | null;
  inUse: boolean;
}

const SECONDS = 60;
const WAREHOUSES_MAX = 200;
const SILENT_AFTER_SECONDS = 3_600;

const valuesOf = (point: Point | undefined): Values => ({
  version: point?.version ?? null,
  pointId: point?.pointId ?? '',
  name: point?.name ?? '',
  warehouse: point?.warehouse ?? null,
  zone: point?.zone ?? null,
  temperatureMin: point?.temperature?.min ?? null,
  temperatureMax: point?.temperature?.max ?? null,
  humidityMin: point?.humidity?.min ?? null,
  humidityMax: point?.humidity?.max ?? null,
  delayMinutes: (point?.alarmDelaySeconds ?? 0) / SECONDS,
  silentMinutes: (point?.silentAfterSeconds ?? SILENT_AFTER_SECONDS) / SECONDS,
  inUse: point?.status !== 'retired',
});

const limitsOf = (min: number | null, max: number | null) =>
  min === null && max === null ? null : { min, max };

const save = (values: Values): Promise<Point> =>
  api.put('/v2/environment/points/{pointId}', {
    path: { pointId: values.pointId.trim() },
    ...ifStill(values.version),
    body: {
      name: values.name.trim(),
      warehouse: values.warehouse ?? '',
      zone: values.zone,
      temperature: limitsOf(values.temperatureMin, values.temperatureMax),
      humidity: limitsOf(values.humidityMin, values.humidityMax),
      alarmDelaySeconds: Math.round((values.delayMinutes ?? 0) * SECONDS),
      silentAfterSeconds: Math.round((values.silentMinutes ?? SILENT_AFTER_SECONDS / SECONDS) * SECONDS),
      status: values.inUse ? 'active' : 'retired',
    },
  });

/** Creates or edits a point. */
export function PointForm(props: { point?: Point; opened: boolean; onClose: () => void }) {
  const words = useWords(environmentWords);
  return (
    <FormWindow
      opened={props.opened}
      onClose={props.onClose}
      title={props.point ? words.editPoint : words.newPoint}
      submitLabel={props.point ? undefined : words.newPoint}
      draft={`point:${props.point?.pointId ?? ''}`}
      initial={valuesOf(props.point)}
      run={save}
      done={(point) => words.pointSaved(point.name)}
    >
      {(form) => (
        <>
          <Place form={form} isNew={!props.point} />
          <LimitFields form={form} metric="temperature" />
          <LimitFields form={form} metric="humidity" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label={words.delay}
              description={words.delayHint}
              min={0}
              max={1440}
              {...numberField(form, 'delayMinutes', '/alarmDelaySeconds')}
            />
            <NumberInput
              label={words.silentAfter}
              description={words.silentHint}
              min={1}
              {...numberField(form, 'silentMinutes', '/silentAfterSeconds')}
            />
          </SimpleGrid>
          <Switch label={words.inUse} description={words.inUseHint} {...switchField(form, 'inUse')} />
        </>
      )}
    </FormWindow>
  );
}

function Place({ form, isNew }: { form: FormState<Values>; isNew: boolean }) {
  const words = useWords(environmentWords);
  const list = useList('/v2/warehouses', { query: { limit: WAREHOUSES_MAX } });
  const warehouses = list.data?.pages.flatMap((page) => page.items) ?? [];
  const zones = warehouses.find((each) => each.code === form.values.warehouse)?.zones ?? [];
  return (
    <>
      {isNew && (
        <TextInput
          label={words.pointId}
          description={words.pointIdHint}
          required
          maxLength={64}
          {...form.text('pointId')}
        />
      )}
      <TextInput label={words.name} required maxLength={200} {...form.text('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <WarehousePicker
          required
          value={form.values.warehouse}
          onChange={(warehouse) => form.set({ warehouse, zone: null })}
          error={form.error('/warehouse')}
        />
        <Select
          label={words.zone}
          placeholder={words.wholeWarehouse}
          clearable
          data={zones.map((zone) => ({ value: zone.code, label: `${zone.name} · ${zone.code}` }))}
          {...choiceField(form, 'zone')}
        />
      </SimpleGrid>
    </>
  );
}

function LimitFields({ form, metric }: { form: FormState<Values>; metric: 'temperature' | 'humidity' }) {
  const words = useWords(environmentWords);
  return (
    <Fieldset legend={`${words[metric]} (${UNITS[metric]})`}>
      <SimpleGrid cols={2}>
        <NumberInput label={words.lowest} {...numberField(form, `${metric}Min`, `/${metric}/min`)} />
        <NumberInput label={words.highest} {...numberField(form, `${metric}Max`, `/${metric}/max`)} />
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={6}>
        {words.limitsHint}
      </Text>
      {form.error(`/${metric}`) && (
        <Text size="xs" c="red" mt={6}>
          {form.error(`/${metric}`)}
        </Text>
      )}
    </Fieldset>
  );
}
