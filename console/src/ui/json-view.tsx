import { Box, Code, Group } from '@mantine/core';
import { CopyAll } from './copy.js';

const HEIGHT_MAX = 360;

/** A value as JSON. Long ones scroll inside. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return (
    <Box>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        mah={HEIGHT_MAX}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Code>
      <Group justify="flex-end" mt={4}>
        <CopyAll text={text} label={label} size="compact-xs" />
      </Group>
    </Box>
  );
}
