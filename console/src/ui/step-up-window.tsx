import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { client, keepCsrfToken } from '../app/api.js';
import { dictionary, useWords } from '../app/language.js';
import { type StepUpRequest, stepUpRequest } from '../app/step-up.js';
import { commonWords } from './everywhere-words.js';
import { Problem } from './problem.js';
import { useOpening } from './use-opening.js';

const stepUpWords = dictionary(
  {
    title: 'Confirm that it is you',
    hint: 'This change needs your second factor. You will not be asked again for five minutes.',
    code: 'Authentication code',
    codeHint: 'The 6-digit code from your authenticator app, or a recovery code.',
    confirm: 'Verify code',
  },
  {
    title: '确认是您本人',
    hint: '此项更改需要双重验证。五分钟内不会再次要求。',
    code: '验证码',
    codeHint: '身份验证器应用显示的 6 位验证码，或一个恢复码。',
    confirm: '验证',
  },
);

/** Asks for the second factor when the service requires it again; the waiting request then continues. */
export default function StepUpWindow() {
  const words = useWords(stepUpWords);
  const common = useWords(commonWords);
  const request = useSyncExternalStore(stepUpRequest.subscribe, stepUpRequest.get);
  return (
    <Modal
      opened={useOpening(request !== null)}
      onClose={() => request?.settle(false)}
      title={words.title}
      centered
      // Above the form whose request waits.
      zIndex={400}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {request && <StepUpForm request={request} />}
    </Modal>
  );
}

function StepUpForm({ request }: { request: StepUpRequest }) {
  const words = useWords(stepUpWords);
  const common = useWords(commonWords);
  const [text, setText] = useState('');
  const give = useMutation({
    async mutationFn() {
      const code = text.trim();
      const body = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
      keepCsrfToken((await client.post('/v2/session/step-up', { body })).csrfToken);
      request.settle(true);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The waiting form is an ancestor in React's tree.
        event.stopPropagation();
        give.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{words.hint}</Text>
        <TextInput
          label={words.code}
          description={words.codeHint}
          autoComplete="one-time-code"
          required
          maxLength={40}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {give.isError && <Problem error={give.error} action={words.confirm} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => request.settle(false)}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={give.isPending}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
