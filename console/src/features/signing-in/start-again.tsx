import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { signingInWords } from './words.js';

/** Cancels a sign-in that was begun with another account. */
export function StartAgain({ onDone }: { onDone: () => void }) {
  const words = useWords(signingInWords);
  const end = useMutation({ mutationFn: () => api.delete('/v2/session'), onSettled: onDone });
  return (
    <Button variant="subtle" color="gray" onClick={() => end.mutate()} loading={end.isPending}>
      {words.startAgain}
    </Button>
  );
}
