import { TagsInput, Textarea } from '@mantine/core';
import { useWords } from '../../app/language.js';
import type { FormState } from '../../ui/form.js';
import { webhookWords } from './webhook-words.js';

/** The codes that narrow the events, and the headers, as text with one per line. */
export interface Narrowing {
  customerCodes: string[];
  warehouses: string[];
  productCodes: string[];
  headers: string;
}

export const NOT_NARROWED: Narrowing = { customerCodes: [], warehouses: [], productCodes: [], headers: '' };

const CODES_MAX = 200;

/** Null if nothing is narrowed. */
export function filterOf({ customerCodes, warehouses, productCodes }: Narrowing) {
  const filter = {
    ...(customerCodes.length > 0 ? { customerCodes } : {}),
    ...(warehouses.length > 0 ? { warehouses } : {}),
    ...(productCodes.length > 0 ? { productCodes } : {}),
  };
  return Object.keys(filter).length > 0 ? filter : null;
}

/** `X-Env: prod`, one per line. */
export const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const colon = line.indexOf(':');
        return colon === -1 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      }),
  );

/** `headerNames`: the existing headers, whose values cannot be read. */
export function NarrowingFields<V extends Narrowing>({
  form,
  headerNames,
}: {
  form: FormState<V>;
  headerNames: readonly string[];
}) {
  const words = useWords(webhookWords);
  const codes = (
    name: 'customerCodes' | 'warehouses' | 'productCodes',
    label: string,
    description: string,
    example: string,
  ) => (
    <TagsInput
      label={label}
      description={description}
      placeholder={form.values[name].length === 0 ? example : undefined}
      maxTags={CODES_MAX}
      clearable
      acceptValueOnBlur
      value={form.values[name]}
      error={form.error(`/filter/${name}`)}
      onChange={(value) => form.set({ [name]: value } as Partial<V>)}
    />
  );
  return (
    <>
      {codes('warehouses', words.onlyWarehouses, words.codesHint, 'WH-EAST')}
      {codes('customerCodes', words.onlyCustomers, words.codesHint, 'HOSP-001')}
      {codes('productCodes', words.onlyProducts, words.codesHint, '06901234567892')}
      <Textarea
        label={words.headers}
        description={headerNames.length > 0 ? words.headersKept(headerNames.join(', ')) : words.headersHint}
        placeholder="X-Env: prod"
        autosize
        minRows={2}
        autoComplete="off"
        {...form.text('headers')}
      />
    </>
  );
}
