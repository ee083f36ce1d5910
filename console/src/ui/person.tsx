import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useContext } from 'react';
import { client } from '../app/api.js';
import { NOTHING } from '../app/format.js';
import { refreshPaths } from '../app/queries.js';
import { CurrentSession } from '../app/session.js';

const PATH = '/v2/settings/people-names';
/** Names seldom change; a change of one's own is visible immediately. */
const FRESH_MS = 300_000;

export const refreshNames = (): Promise<void> => refreshPaths([PATH]);

const byEmail = ({ items }: { items: readonly { email: string; name: string }[] }) =>
  new Map(items.map(({ email, name }) => [email, name]));

/** Returns the name for an e-mail address in a record; the address itself for keys, systems and people without a name. */
export function usePersonName(): (email: string) => string {
  const session = useContext(CurrentSession);
  const { data } = useQuery({
    queryKey: [PATH, {}],
    queryFn: ({ signal }) => client.get(PATH, { signal }),
    select: byEmail,
    staleTime: FRESH_MS,
    enabled: session !== null,
  });
  return (email) => data?.get(email) ?? email;
}

/** A person by name, with the address of the record below in small print or in a tooltip. */
export function Person({ email, withEmail = false }: { email: string | null; withEmail?: boolean }) {
  const name = usePersonName()(email ?? '');
  if (!email) return NOTHING;
  if (name === email) return <Address email={email} />;
  if (!withEmail) return <span title={email}>{name}</span>;
  return (
    <>
      {name}
      <Text component="span" display="block" size="xs" c="dimmed">
        <Address email={email} />
      </Text>
    </>
  );
}

/** Wraps after the @ or a dot if necessary, not within a word. */
const Address = ({ email }: { email: string }) => (
  <span style={{ overflowWrap: 'break-word' }}>
    {email.split(/(?<=[@.])/).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
      <Fragment key={at}>
        {at > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);
