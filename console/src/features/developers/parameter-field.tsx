import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { choicesOf, type Operation } from './openapi.js';
import { playgroundWords } from './playground-words.js';

/** A parameter of a request, as text or chosen from its known values. A list is `a,b`. */
export function ParameterField({
  parameter: { name, required = false, description, schema },
  value,
  onChange,
}: {
  parameter: Operation['parameters'][number];
  value: string;
  onChange: (value: string) => void;
}) {
  const words = useWords(playgroundWords);
  const choices = choicesOf(schema);
  const isList = schema.type === 'array';
  const looks = {
    label: name,
    required,
    description: (
      <>
        <span lang="en">{description?.replaceAll('`', '')}</span>
        {isList && choices === null && <span style={{ display: 'block' }}>{words.severalHint}</span>}
      </>
    ),
    ...CODE_INPUT,
  };
  if (choices === null)
    return <TextInput {...looks} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
  if (isList)
    return (
      <MultiSelect
        {...looks}
        data={choices}
        value={value === '' ? [] : value.split(',')}
        onChange={(chosen) => onChange(chosen.join(','))}
        clearable
      />
    );
  return (
    <Select
      {...looks}
      data={choices}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      clearable={!required}
    />
  );
}
