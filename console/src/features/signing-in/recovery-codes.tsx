import { Button, Code, SimpleGrid, Stack } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { CopyAll } from '../../ui/copy.js';
import { signingInWords } from './words.js';

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const words = useWords(signingInWords);
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center" fz="sm">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <CopyAll text={codes.join('\n')} label={words.copyAll} />
      <Button onClick={onKept}>{words.kept}</Button>
    </Stack>
  );
}
