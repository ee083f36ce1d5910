import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical, Mail, ShieldOff, UserCog, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useSession } from '../../app/session.js';
import { AskedWindow } from '../../ui/action.js';
import { useHandOver } from './handed-link.js';
import type { User } from './user.types.js';
import { RoleWindow } from './user-forms.js';
import { userWords } from './user-words.js';

type Doing = 'role' | 'invitation' | 'factor' | 'removal';

/** The actions that the user's state allows; none for one's own account. */
export function UserActions({ user }: { user: User }) {
  const words = useWords(userWords);
  const session = useSession();
  const [doing, setDoing] = useState<Doing | null>(null);
  if (user.status === 'removed' || user.userId === session.user.userId) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={words.actionsFor(user.email)}>
            <EllipsisVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<UserCog size={16} />} onClick={() => setDoing('role')}>
            {words.changeRole}
          </Menu.Item>
          {user.status === 'invited' && (
            <Menu.Item leftSection={<Mail size={16} />} onClick={() => setDoing('invitation')}>
              {words.inviteAgain}
            </Menu.Item>
          )}
          {user.secondFactor && (
            <Menu.Item leftSection={<ShieldOff size={16} />} onClick={() => setDoing('factor')}>
              {words.resetFactor}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<UserMinus size={16} />} onClick={() => setDoing('removal')}>
            {words.removeUser}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RoleWindow user={user} opened={doing === 'role'} onClose={() => setDoing(null)} />
      <Questions user={user} doing={doing} onClose={() => setDoing(null)} />
    </>
  );
}

function Questions({ user, doing, onClose }: { user: User; doing: Doing | null; onClose: () => void }) {
  const words = useWords(userWords);
  const handOver = useHandOver();
  const path = { userId: user.userId };
  return (
    <>
      <AskedWindow
        opened={doing === 'invitation'}
        onClose={onClose}
        label={words.inviteAgain}
        question={words.inviteAgainQuestion}
        run={() => api.post('/v2/settings/users/{userId}/invitation', { path, body: {} }).then(handOver)}
        done={words.invitedAgain}
      />
      <AskedWindow
        opened={doing === 'factor'}
        onClose={onClose}
        label={words.resetFactor}
        question={words.resetFactorQuestion}
        run={() =>
          api.post('/v2/settings/users/{userId}/reset-second-factor', { path, body: {} }).then(handOver)
        }
        done={words.factorReset}
      />
      <AskedWindow
        opened={doing === 'removal'}
        onClose={onClose}
        label={words.removeUser}
        question={words.removeQuestion(user.email)}
        danger
        run={() => api.delete('/v2/settings/users/{userId}', { path })}
        done={words.removed}
      />
    </>
  );
}
