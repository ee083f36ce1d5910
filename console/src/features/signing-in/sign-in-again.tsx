import { Button, Modal, Stack, Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { endSession, useSession } from '../../app/session.js';
import { InWindow } from './card.js';
import { SignInSteps } from './sign-in.js';
import { signingInWords } from './words.js';

/** Shown over the page after the session has ended, so that the person can sign in and continue where they were. */
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
      // Above every other window; the blur keeps passers-by from reading what is behind it.
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
