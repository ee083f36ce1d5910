import { Button, Group, Text, ThemeIcon } from '@mantine/core';
import {
  BellRing,
  CheckCheck,
  ClipboardCheck,
  FileClock,
  Gavel,
  type LucideIcon,
  Megaphone,
  PackageCheck,
  PackageOpen,
  PackageSearch,
  TrendingDown,
  Truck,
  Webhook,
} from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { daysUntil } from '../../ui/days-until.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { BoxLink, ButtonLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { taskWords } from '../../ui/task-words.js';
import { dispositionWords } from '../quality/disposition-words.js';
import classes from './bars.module.css';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';
import { pageOfTask, TASK_LISTS, type TaskKind } from './task-places.js';

const ICONS: Readonly<Record<TaskKind, readonly [LucideIcon, color: string]>> = {
  orders_to_approve: [ClipboardCheck, 'blue'],
  orders_to_dispatch: [Truck, 'blue'],
  receipts_to_accept: [PackageOpen, 'teal'],
  dispatches_to_pick: [PackageSearch, 'teal'],
  dispatches_to_recheck: [PackageCheck, 'violet'],
  alerts_to_acknowledge: [BellRing, 'red'],
  certificates_expired: [FileClock, 'red'],
  certificates_expiring: [FileClock, 'orange'],
  recalls_unanswered: [Megaphone, 'red'],
  nonconformities_to_decide: [Gavel, 'orange'],
  dispositions_to_approve: [Gavel, 'orange'],
  dispositions_to_execute: [Gavel, 'orange'],
  webhooks_disabled: [Webhook, 'red'],
  products_low: [TrendingDown, 'orange'],
};

const SHOWN_FIRST = 8;

/** All tasks of the person by kind, with the most urgent ones listed individually. */
export function TodoPanel({ overview: { needsMe, tasks } }: { overview: Overview }) {
  const words = useWords(overviewWords);
  const { kinds: taskNames } = useWords(taskWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const [isAll, setAll] = useState(false);
  const all = needsMe.reduce((sum, { count }) => sum + count, 0);
  if (all === 0)
    return (
      <Panel>
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" color="teal" radius="xl" size="lg">
            <CheckCheck size={18} />
          </ThemeIcon>
          <div>
            <Text fw={600}>{words.caughtUp}</Text>
            <Text size="sm" c="dimmed">
              {words.caughtUpHint}
            </Text>
          </div>
        </Group>
      </Panel>
    );
  return (
    <Panel title={words.toDo} hint={words.toDoHint(format.number(all))}>
      <div className={classes.todo}>
        <div className={classes.kinds}>
          {needsMe.map(({ kind, count }) => {
            const [to, search] = TASK_LISTS[kind];
            return (
              <ButtonLink
                key={kind}
                to={to}
                search={search}
                size="compact-sm"
                variant="light"
                color={ICONS[kind][1]}
              >
                {taskNames[kind]} · {format.number(count)}
              </ButtonLink>
            );
          })}
        </div>
        {tasks.slice(0, isAll ? tasks.length : SHOWN_FIRST).map((task) => (
          <TaskRow key={`${task.kind} ${task.id}`} task={task} />
        ))}
        {tasks.length > SHOWN_FIRST && !isAll && (
          <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setAll(true)}>
            {common.more}
          </Button>
        )}
      </div>
    </Panel>
  );
}

function TaskRow({ task }: { task: Overview['tasks'][number] }) {
  const words = useWords(overviewWords);
  const { kinds: taskNames } = useWords(taskWords);
  const format = useFormat();
  const [Icon, color] = ICONS[task.kind];
  const { to, params } = pageOfTask(task);
  const detail = detailOf(task, words, useWords(dispositionWords).kinds);
  return (
    <BoxLink to={to} params={params as never} bg="transparent" radius={0} className={classes.task}>
      <ThemeIcon variant="light" color={color} size={28}>
        <Icon size={16} aria-hidden />
      </ThemeIcon>
      <div style={{ minWidth: 0 }}>
        <Text component="span" size="sm" fw={550} lineClamp={2} title={task.name}>
          {task.name}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed">
          {[taskNames[task.kind], detail].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {task.validTo === null ? (
        <Text component="span" size="xs" c="dimmed" title={format.instant(task.since)}>
          {format.ago(task.since)}
        </Text>
      ) : (
        <Text component="span" size="xs" c="dimmed" title={format.day(task.validTo)}>
          {words.daysLeft(daysUntil(task.validTo))}
        </Text>
      )}
    </BoxLink>
  );
}

type Words = ReturnType<typeof useWords<(typeof overviewWords)['en']>>;

function detailOf(
  { kind, detail }: Overview['tasks'][number],
  words: Words,
  kinds: Readonly<Record<string, string>>,
): string {
  if (detail === null) return '';
  if (kind === 'products_low') {
    const [available = '', wanted = ''] = detail.split(' / ');
    return words.lowSays(available, wanted);
  }
  if (kind === 'webhooks_disabled')
    return words.webhookDisabled[detail as keyof Words['webhookDisabled']] ?? detail;
  if (kind === 'dispositions_to_approve' || kind === 'dispositions_to_execute')
    return kinds[detail] ?? detail;
  return detail;
}
