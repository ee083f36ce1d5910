import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Check, PackageCheck, Users, X } from 'lucide-react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay, useSession } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { usePersonName } from '../../ui/person.js';
import { dispositionWords } from './disposition-words.js';
import type { Disposition } from './quality.types.js';

/** The next steps of a disposition, for people who may take them. Its proposer sees that another person must approve. */
export function DispositionActions({ disposition }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const may = useMay();
  const { user } = useSession();
  const { dispositionId, status, proposedBy } = disposition;
  const path = { dispositionId };
  if (!may('quality:write') || status === 'executed' || status === 'rejected') return null;
  return (
    <>
      {status === 'proposed' && (
        <AskedButton
          label={words.approve}
          question={words.approveQuestion}
          variant="filled"
          icon={<Check size={16} />}
          disabled={proposedBy === user.email}
          run={() => api.post('/v2/quality/dispositions/{dispositionId}/approve', { path, body: {} })}
          done={words.approved}
        />
      )}
      {status === 'approved' && <ExecuteButton disposition={disposition} />}
      <AskedButton
        label={words.reject}
        question={words.rejectQuestion}
        reason="required"
        danger
        icon={<X size={16} />}
        run={(reason) =>
          api.post('/v2/quality/dispositions/{dispositionId}/reject', { path, body: { reason } })
        }
        done={words.rejected}
      />
    </>
  );
}

/** Why the disposition waits, and for whom. */
export function ApprovalNotice({ disposition }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const may = useMay();
  const { user } = useSession();
  const personName = usePersonName();
  if (disposition.status !== 'proposed' || !may('quality:write')) return null;
  const isOwn = disposition.proposedBy === user.email;
  return (
    <Alert
      color={isOwn ? 'yellow' : 'blue'}
      icon={<Users size={18} />}
      title={isOwn ? words.ownTitle : words.toApproveTitle}
    >
      {isOwn ? words.ownText : words.toApproveText(personName(disposition.proposedBy))}
    </Alert>
  );
}

const NOTHING_ENTERED = { witness: '', carrier: '', trackingNo: '' };

function ExecuteButton({ disposition: { dispositionId, kind } }: { disposition: Disposition }) {
  const words = useWords(dispositionWords);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<PackageCheck size={16} />} onClick={open}>
        {words.execute}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.execute}
        submitLabel={words.execute}
        initial={NOTHING_ENTERED}
        run={({ witness, carrier, trackingNo }) =>
          api.post('/v2/quality/dispositions/{dispositionId}/execute', {
            path: { dispositionId },
            body: {
              witness: textOrNull(witness),
              carrier: textOrNull(carrier),
              trackingNo: textOrNull(trackingNo),
            },
          })
        }
        done={words.executed}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.executeQuestions[kind]}</Text>
            {kind === 'destroy' && (
              <TextInput
                label={words.witness}
                description={words.witnessHint}
                required
                maxLength={200}
                data-autofocus
                {...form.text('witness')}
              />
            )}
            {kind === 'return_to_supplier' && (
              <>
                <TextInput label={words.carrier} maxLength={200} data-autofocus {...form.text('carrier')} />
                <TextInput
                  label={words.trackingNo}
                  {...CODE_INPUT}
                  maxLength={200}
                  {...form.text('trackingNo')}
                />
              </>
            )}
          </Stack>
        )}
      </FormWindow>
    </>
  );
}
