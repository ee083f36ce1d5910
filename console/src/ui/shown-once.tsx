import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { CopyText } from './copy.js';

/** Secrets that cannot be shown again: the window stays open until the user confirms that they are saved. */
export function ShownOnce({
  opened,
  title,
  hint,
  kept,
  secrets,
  onKept,
}: {
  opened: boolean;
  title: string;
  hint: string;
  /** The label of the button. */
  kept: string;
  secrets: readonly (readonly [name: string, text: string])[];
  onKept: () => void;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onKept}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" icon={<TriangleAlert size={18} />}>
          {hint}
        </Alert>
        {secrets.map(([name, text]) => (
          <div key={name}>
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <CopyText text={text} label={name} />
          </div>
        ))}
        <Group justify="flex-end">
          <Button onClick={onKept}>{kept}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
