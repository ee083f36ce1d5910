import { Alert, Button, Group, Modal, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useSession } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Facts, Loaded } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { auditWords } from './audit-words.js';
import { useVerification, type Verification } from './use-verification.js';

/** Recomputes the chain, and explains how to prove later that nothing was altered or cut off. */
export function VerifyWindow({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(auditWords);
  const common = useWords(commonWords);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.verifyTitle}
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        <Text size="sm">{words.verifyHint}</Text>
        <Verifying />
        <LaterOn />
      </Stack>
    </Modal>
  );
}

function Verifying() {
  const words = useWords(auditWords);
  const { found, error, isRunning, start } = useVerification();
  const [expectHead, setExpectHead] = useState('');
  return (
    <Stack>
      <Stack role="status" gap="xs">
        {isRunning && <Advance found={found} />}
        {!isRunning && error === null && found && <Verdict found={found} />}
      </Stack>
      {error !== null && <Problem error={error} action={words.verify} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start(expectHead.trim());
        }}
      >
        <Group align="flex-end" gap="sm" wrap="wrap">
          <TextInput
            label={words.expectHead}
            description={words.expectHeadHint}
            value={expectHead}
            onChange={(event) => setExpectHead(event.currentTarget.value)}
            maxLength={64}
            pattern="\s*[0-9a-f]{64}\s*"
            autoComplete="off"
            spellCheck={false}
            style={{ flex: '1 1 240px' }}
          />
          <Button type="submit" variant="default" disabled={isRunning}>
            {words.verifyAgain}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

const ALL = 100;

function Advance({ found }: { found: Verification | null }) {
  const words = useWords(auditWords);
  const format = useFormat();
  if (!found) return <Text size="sm">{words.verifying}</Text>;
  const { verifiedEntries, chainLength } = found;
  return (
    <>
      <Text size="sm">{words.verifiedOf(format.number(verifiedEntries), format.number(chainLength))}</Text>
      <Progress value={(verifiedEntries / Math.max(1, chainLength)) * ALL} aria-label={words.verifying} />
    </>
  );
}

function Verdict({ found }: { found: Verification }) {
  const words = useWords(auditWords);
  const format = useFormat();
  const { verifiedEntries, verifiedHash, firstDifference } = found;
  if (firstDifference === null)
    return (
      <Alert
        color="teal"
        icon={<ShieldCheck size={18} />}
        title={words.intact(format.number(verifiedEntries))}
      >
        <Text size="sm">{words.verifiedHash}</Text>
        <CopyText text={verifiedHash} label={words.verifiedHash} />
      </Alert>
    );
  const { reason, position, entryId } = firstDifference;
  return (
    <Alert
      color="red"
      icon={<ShieldAlert size={18} />}
      title={words.differences[reason](format.number(position))}
    >
      <Stack gap={4}>
        {entryId && <Facts facts={[[words.entryId, entryId]]} />}
        <Text size="sm">{words.intactBefore(format.number(verifiedEntries))}</Text>
        <Text size="sm">{words.brokenHint}</Text>
      </Stack>
    </Alert>
  );
}

function LaterOn() {
  const words = useWords(auditWords);
  const format = useFormat();
  const { organization } = useSession();
  const head = useResource('/v2/audit/head');
  return (
    <Loaded query={head}>
      {({ position, hash, sealedAt }) => (
        <>
          <Stack gap={6}>
            <Title order={3} fz="md">
              {words.head}
            </Title>
            <Text size="sm" c="dimmed">
              {words.headHint}
            </Text>
            <CopyText text={hash} label={words.hash} />
            <Facts
              facts={[
                [words.position, format.number(position)],
                [words.sealedAt, format.instant(sealedAt)],
              ]}
            />
          </Stack>
          <Stack gap={6}>
            <Title order={3} fz="md">
              {words.command}
            </Title>
            <CopyText
              text={`lotward audit verify --org ${organization.code} --expect-head ${hash}`}
              label={words.command}
            />
            <Text size="sm" c="dimmed">
              {words.commandHint}
            </Text>
          </Stack>
        </>
      )}
    </Loaded>
  );
}
