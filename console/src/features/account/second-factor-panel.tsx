import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { KeyRound, ShieldCheck, ShieldOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, keepCsrfToken } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { refreshSession } from '../../app/queries.js';
import { useSession } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { FormWindow } from '../../ui/form.js';
import { Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { AuthenticatorSetup } from '../signing-in/authenticator-setup.js';
import { RecoveryCodes } from '../signing-in/recovery-codes.js';
import { signingInWords } from '../signing-in/words.js';
import { accountWords } from './account-words.js';

export function SecondFactorPanel() {
  const words = useWords(accountWords);
  const { secondFactor = false, user } = useSession();
  const [settingUp, setUp] = useDisclosure();
  const [removing, remove] = useDisclosure();
  const [renewing, renew] = useDisclosure();
  const isNeeded = user.role === 'admin';
  const Icon = secondFactor ? ShieldCheck : ShieldOff;
  return (
    <Panel title={words.secondFactor} hint={words.secondFactorHint}>
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap">
          <Icon size={20} aria-hidden />
          <Text size="sm">
            {isNeeded
              ? secondFactor
                ? words.isOnForRole
                : words.isOffForRole
              : secondFactor
                ? words.isOn
                : words.isOff}
          </Text>
        </Group>
        <Group gap="xs">
          <Button
            variant={secondFactor ? 'default' : 'filled'}
            leftSection={<ShieldCheck size={16} />}
            onClick={setUp.open}
          >
            {secondFactor ? words.setUpAgain : words.setUp}
          </Button>
          {secondFactor && (
            <Button variant="default" leftSection={<KeyRound size={16} />} onClick={renew.open}>
              {words.newCodes}
            </Button>
          )}
          {secondFactor && !isNeeded && (
            <Button variant="light" color="red" leftSection={<ShieldOff size={16} />} onClick={remove.open}>
              {words.removeFactor}
            </Button>
          )}
        </Group>
      </Stack>
      <SetUpWindow opened={settingUp} onClose={setUp.close} />
      <RemoveWindow opened={removing} onClose={remove.close} />
      <NewCodesWindow opened={renewing} onClose={renew.close} />
    </Panel>
  );
}

interface WindowProps {
  opened: boolean;
  onClose: () => void;
}

const noPassword = { password: '' };

function RemoveWindow({ opened, onClose }: WindowProps) {
  const words = useWords(accountWords);
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.removeFactor}
      size="md"
      initial={noPassword}
      submitLabel={words.removeFactor}
      run={async (body) => {
        keepCsrfToken((await api.delete('/v2/session/totp', { body })).csrfToken);
        await refreshSession();
      }}
      done={words.removed}
    >
      {(form) => (
        <>
          <Text size="sm">{words.removeQuestion}</Text>
          <PasswordInput
            label={words.currentPassword}
            autoComplete="current-password"
            required
            {...form.text('password')}
          />
        </>
      )}
    </FormWindow>
  );
}

/** Recovery codes are shown only once, so only the button closes the window. */
function CodesWindow({ codes, onKept }: { codes: readonly string[] | null; onKept: () => void }) {
  const words = useWords(signingInWords);
  return (
    <Modal
      opened={codes !== null}
      onClose={onKept}
      title={words.recoveryTitle}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text size="sm" mb="md">
        {words.recoveryHint}
      </Text>
      {codes && <RecoveryCodes codes={codes} onKept={onKept} />}
    </Modal>
  );
}

function NewCodesWindow({ opened, onClose }: WindowProps) {
  const words = useWords(accountWords);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <>
      <FormWindow
        opened={opened}
        onClose={onClose}
        title={words.newCodes}
        size="md"
        initial={noPassword}
        submitLabel={words.newCodes}
        run={async (body) => {
          const made = await api.post('/v2/session/recovery-codes', { body });
          await refreshSession();
          return made;
        }}
        done={words.codesMade}
        onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
      >
        {(form) => (
          <>
            <Text size="sm">{words.newCodesHint}</Text>
            <PasswordInput
              label={words.currentPassword}
              autoComplete="current-password"
              required
              {...form.text('password')}
            />
          </>
        )}
      </FormWindow>
      <CodesWindow codes={codes} onKept={() => setCodes(null)} />
    </>
  );
}

/** Three steps: password, QR code with the first code, recovery codes. */
function SetUpWindow({ opened, onClose }: WindowProps) {
  const words = useWords(accountWords);
  const common = useWords(commonWords);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    setCodes(null);
    onClose();
    refreshSession();
    notifications.show({ message: words.switchedOn, color: 'teal' });
  };
  if (codes) return <CodesWindow codes={codes} onKept={close} />;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.secondFactor}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {opened && <SetUp onCodes={setCodes} />}
    </Modal>
  );
}

function SetUp({ onCodes }: { onCodes: (codes: readonly string[]) => void }): ReactNode {
  const words = useWords(accountWords);
  const [password, setPassword] = useState('');
  const begin = useMutation({ mutationFn: () => api.post('/v2/session/totp', { body: { password } }) });
  if (begin.data)
    return (
      <Stack>
        <Text size="sm">{words.setUpHint}</Text>
        <AuthenticatorSetup
          secret={begin.data.secret}
          uri={begin.data.otpauthUri}
          onConfirmed={(confirmed) => {
            keepCsrfToken(confirmed.csrfToken);
            onCodes(confirmed.recoveryCodes);
          }}
        />
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{words.givePassword}</Text>
        <PasswordInput
          label={words.currentPassword}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {begin.isError && <Problem error={begin.error} action={words.next} />}
        <Button type="submit" loading={begin.isPending}>
          {words.next}
        </Button>
      </Stack>
    </form>
  );
}
