import { Select, Text } from '@mantine/core';
import { dictionary, useWords } from '../app/language.js';
import { FormWindow } from './form.js';

const rotateWords = dictionary(
  {
    rotate: 'Rotate secret',
    overlapFor: 'Keep the old secret valid for',
    overlaps: { '0': 'Expire immediately', '3600': '1 hour', '86400': '1 day', '604800': '7 days' },
    rotated: 'Secret rotated.',
  },
  {
    rotate: '轮换密钥',
    overlapFor: '旧密钥继续有效',
    overlaps: { '0': '立即失效', '3600': '1 小时', '86400': '1 天', '604800': '7 天' },
    rotated: '密钥已轮换。',
  },
);

/** Creates a new secret, with a choice of how long the old one stays valid. */
export function RotateWindow<R>({
  opened,
  onClose,
  hint,
  run,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  hint: string;
  run: (overlapSeconds: number) => Promise<R>;
  onDone: (result: R) => void;
}) {
  const words = useWords(rotateWords);
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.rotate}
      size="md"
      initial={{ overlap: '86400' }}
      submitLabel={words.rotate}
      run={({ overlap }) => run(Number(overlap))}
      done={words.rotated}
      onDone={onDone}
    >
      {(form) => (
        <>
          <Text size="sm">{hint}</Text>
          <Select
            label={words.overlapFor}
            data={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
            allowDeselect={false}
            value={form.values.overlap}
            error={form.error('/overlapSeconds')}
            onChange={(overlap) => form.set({ overlap: overlap ?? '0' })}
          />
        </>
      )}
    </FormWindow>
  );
}
