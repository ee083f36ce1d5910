import { Group, Paper, SimpleGrid, Text, ThemeIcon } from '@mantine/core';
import { BookOpen, FileCode, KeyRound, type LucideIcon, Play, Radio, Shapes, Webhook } from 'lucide-react';
import { useWords } from '../../app/language.js';
import type { PlainPath } from '../../app/paths.js';
import { type Scope, useMay } from '../../app/session.js';
import { BoxLink } from '../../ui/links.js';
import { Page } from '../../ui/page.js';
import { DeliveriesPanel } from './deliveries-panel.js';
import { developerWords } from './developer-words.js';

const PLACES = [
  { to: '/developers/playground', word: 'playground', icon: Play, scope: null },
  { to: '/developers/events', word: 'events', icon: Shapes, scope: null },
  { to: '/webhooks', word: 'webhooks', icon: Webhook, scope: 'webhooks:read' },
  { to: '/settings/api', word: 'credentials', icon: KeyRound, scope: 'settings:read' },
  { to: '/events', word: 'log', icon: Radio, scope: 'events:read' },
] as const satisfies readonly { to: PlainPath; word: string; icon: LucideIcon; scope: Scope | null }[];

/** Pages of the server with the same design, outside the console. */
const BOOKS = [
  { href: '/docs', word: 'docs', icon: BookOpen },
  { href: '/docs/api', word: 'reference', icon: FileCode },
] as const;

export default function Hub() {
  const words = useWords(developerWords);
  const may = useMay();
  return (
    <Page title={words.hub} hint={words.hint}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {PLACES.filter(({ scope }) => scope === null || may(scope)).map(({ to, word, icon }) => (
          <BoxLink key={to} to={to} withBorder p="md" className="place">
            <Place name={words[word]} hint={words[`${word}Hint`]} icon={icon} />
          </BoxLink>
        ))}
        {BOOKS.map(({ href, word, icon }) => (
          <Paper key={href} component="a" href={href} withBorder p="md" className="place">
            <Place name={words[word]} hint={words[`${word}Hint`]} icon={icon} />
          </Paper>
        ))}
      </SimpleGrid>
      {may('webhooks:read') && <DeliveriesPanel />}
    </Page>
  );
}

function Place({ name, hint, icon: Icon }: { name: string; hint: string; icon: LucideIcon }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon variant="light" size={34} radius="md">
        <Icon size={18} strokeWidth={1.75} />
      </ThemeIcon>
      <div>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </div>
    </Group>
  );
}
