import { Checkbox, Fieldset, Group, Stack, TagsInput, Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import type { FormState } from '../../ui/form.js';
import { LineFrame, newRowKey, RowList, type RowState } from '../../ui/form-rows.js';
import type { Coverage, CoverageEntry } from './coverage-text.js';
import { coverageWords } from './coverage-words.js';

type RiskClass = NonNullable<CoverageEntry['riskClasses']>[number];
type Exclusion = NonNullable<CoverageEntry['excludes']>[number];

/** An entry in the form; an empty list restricts nothing. */
interface CoverageRow {
  key: string;
  riskClasses: RiskClass[];
  categories: string[];
  excludes: Exclusion[];
}

export interface CoverageValues {
  coverage: CoverageRow[];
}

const RISK_CLASSES: readonly RiskClass[] = ['I', 'II', 'III'];
const EXCLUSIONS: readonly Exclusion[] = ['implantable', 'sterile', 'cold_chain'];
const CATEGORIES_MAX = 50;
const SEPARATORS = [',', '，', '、', ';', '；'];

/** Splits tags at separators, because text that is left in the field without pressing a key becomes a single tag. */
const categoriesIn = (tags: readonly string[]): string[] => [
  ...new Set(tags.flatMap((tag) => tag.split(/[,，、;；]/).map((each) => each.trim())).filter(Boolean)),
];

export const coverageRows = (coverage: Coverage | null): CoverageRow[] =>
  (coverage ?? []).map(({ riskClasses = [], categories = [], excludes = [] }) => ({
    key: newRowKey(),
    riskClasses,
    categories,
    excludes,
  }));

/** The coverage to send. Omits what an entry does not restrict. */
export const coverageOf = (rows: readonly CoverageRow[]): Coverage | null =>
  rows.length === 0
    ? null
    : rows.map(({ riskClasses, categories, excludes }) => ({
        ...(riskClasses.length > 0 ? { riskClasses } : {}),
        ...(categories.length > 0 ? { categories } : {}),
        ...(excludes.length > 0 ? { excludes } : {}),
      }));

/** The products that the certificate covers, one entry below another. */
export function CoverageFields<V extends CoverageValues>({ form }: { form: FormState<V> }) {
  const words = useWords(coverageWords);
  // Edits only this field of the form.
  const own = form as unknown as FormState<CoverageValues>;
  return (
    <Fieldset legend={words.coverage}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {words.hint}
        </Text>
        <RowList
          form={own}
          name="coverage"
          size="xs"
          addLabel={words.add}
          emptyText={words.all}
          newRow={() => ({ key: newRowKey(), riskClasses: [], categories: [], excludes: [] })}
        >
          {(state) => <EntryFields form={own} state={state} />}
        </RowList>
        {form.error('/coverage') && (
          <Text size="xs" c="var(--mantine-color-error)">
            {form.error('/coverage')}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

function EntryFields({ form, state }: { form: FormState<CoverageValues>; state: RowState<CoverageRow> }) {
  const words = useWords(coverageWords);
  const { row, at, change, error } = state;
  // The service reports a refused category by its index in the list.
  const wrongCategory = row.categories.map((_, i) => error(`categories/${i}`)).find(Boolean);
  const isEmpty = form.error(`/coverage/${at}`, { bad_item_count: words.emptyEntry });
  return (
    <LineFrame
      title={words.entry(at + 1)}
      removeLabel={words.remove(at + 1)}
      onRemove={state.remove}
      subject={
        <Checkbox.Group
          label={words.riskClasses}
          description={words.riskClassesHint}
          value={row.riskClasses}
          error={error('riskClasses')}
          onChange={(chosen) => change({ riskClasses: RISK_CLASSES.filter((each) => chosen.includes(each)) })}
        >
          <Group gap="md" mt="xs" mb={4}>
            {RISK_CLASSES.map((each) => (
              <Checkbox key={each} value={each} label={words.riskClass[each]} />
            ))}
          </Group>
        </Checkbox.Group>
      }
    >
      <Stack gap="sm" mt="sm">
        <TagsInput
          label={words.categories}
          description={words.categoriesHint}
          value={row.categories}
          error={error('categories') ?? wrongCategory}
          onChange={(tags) => change({ categories: categoriesIn(tags) })}
          maxTags={CATEGORIES_MAX}
          splitChars={SEPARATORS}
        />
        <Checkbox.Group
          label={words.excludes}
          value={row.excludes}
          error={error('excludes') ?? isEmpty}
          onChange={(chosen) => change({ excludes: EXCLUSIONS.filter((each) => chosen.includes(each)) })}
        >
          <Group gap="md" mt="xs" mb={4}>
            {EXCLUSIONS.map((each) => (
              <Checkbox key={each} value={each} label={words.exclusion[each]} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </LineFrame>
  );
}
