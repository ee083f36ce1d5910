import { Modal, Stack, Text, Title } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useSession } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Facts, Loaded } from '../../ui/page.js';
import { auditWords } from './audit-words.js';

/** The end of the chain, and how to prove later that nothing was altered or cut off. */
export function VerifyWindow({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(auditWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const { organization } = useSession();
  const head = useResource('/v2/audit/head', { enabled: opened });
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
      </Stack>
    </Modal>
  );
}
