import { Button, Modal, Stack, Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { endSession, useSession } from '../../app/session.js';
import { InWindow } from './card.js';
import { SignInSteps } from './sign-in.js';
import { signingInWords } from './words.js';

/** Over the page of a person whose session has ended: after signing in they go on where they were. */
export default function SignInAgain({ opened }: { opened: boolean }) {
  const words = useWords(signingInWords);
  const { user } = useSession();
  return (
    <Modal
      opened={opened}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={words.sessionOver}
      centered
      // Above every other window. What is behind it is not legible to anybody who passes by.
      zIndex={500}
      overlayProps={{ blur: 12, backgroundOpacity: 0.7 }}
    >
      <InWindow value={true}>
        <Stack>
          <Text size="sm">{words.sessionOverHint}</Text>
          <SignInSteps email={user.email} />
          <Button variant="subtle" color="gray" onClick={endSession}>
            {words.otherAccount}
          </Button>
        </Stack>
      </InWindow>
    </Modal>
  );
}
