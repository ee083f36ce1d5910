import { Text } from '@mantine/core';
import { CodeText } from '../../ui/code-text.js';

/** The id of a record without a number, small but in full. */
export const RecordId = ({ id }: { id: string }) => (
  <Text component="span" size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
    <CodeText>{id}</CodeText>
  </Text>
);
