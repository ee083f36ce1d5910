import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { AskedWindow } from '../../ui/action.js';
import { webhookWords } from './webhook-words.js';

export function AdoptWindow({
  webhookId,
  ...window
}: {
  webhookId: string;
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords(webhookWords);
  return (
    <AskedWindow
      {...window}
      label={words.adopt}
      question={words.adoptQuestion}
      run={() => api.post('/v2/webhooks/{webhookId}/adopt', { path: { webhookId }, body: {} })}
      done={words.adopted}
    />
  );
}
