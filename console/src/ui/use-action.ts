import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useWords } from '../app/language.js';
import { commonWords } from './everywhere-words.js';
import { useExplain } from './problem.js';

/** Runs a write and notifies the user of its result. The API client refreshes what the write changed. */
export function useAction<V, R>(options: {
  run: (value: V) => Promise<R>;
  /** The notification afterwards. */
  done: string | ((result: R) => string);
  onDone?: ((result: R) => void) | undefined;
  /** The caller shows failures itself. */
  quiet?: boolean;
}) {
  const explain = useExplain();
  const { requestFailed, close } = useWords(commonWords);
  const closeButtonProps = { 'aria-label': close };
  return useMutation({
    mutationFn: options.run,
    onSuccess(result) {
      const message = typeof options.done === 'string' ? options.done : options.done(result);
      notifications.show({ message, color: 'teal', closeButtonProps });
      options.onDone?.(result);
    },
    onError(error) {
      if (!options.quiet)
        notifications.show({ title: requestFailed, message: explain(error), color: 'red', closeButtonProps });
    },
  });
}
