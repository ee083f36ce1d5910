import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { ClipboardCheck, EllipsisVertical, PackageCheck, Printer } from 'lucide-react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { ButtonLink } from '../../ui/links.js';
import type { Consignee } from './answer-form.js';
import { recallWords } from './recall-words.js';

/** The next step for a customer and the notice as buttons, other actions in a menu. */
export function ConsigneeActions({
  recallId,
  consignee,
  canAnswer,
  onAcknowledge,
  onAnswer,
}: {
  recallId: string;
  consignee: Consignee;
  canAnswer: boolean;
  onAcknowledge: () => void;
  onAnswer: () => void;
}) {
  const words = useWords(recallWords);
  const format = useFormat();
  const { customerName, customerCode, answer, acknowledgedAt } = consignee;
  const named = (label: string) => `${label}${format.colon}${customerName}`;
  const acknowledge = { label: words.acknowledge, icon: ClipboardCheck, run: onAcknowledge };
  const record = {
    label: answer ? words.changeAnswer : words.recordAnswer,
    icon: PackageCheck,
    run: onAnswer,
  };
  const isAcknowledged = acknowledgedAt !== null;
  const next = answer ? null : isAcknowledged ? record : acknowledge;
  const others = [...(isAcknowledged ? [] : [acknowledge]), record].filter((action) => action !== next);
  return (
    <Group gap="xs" mt={{ base: 4, sm: 0 }}>
      {canAnswer && next && (
        <Button size="xs" variant="light" aria-label={named(next.label)} onClick={next.run}>
          {next.label}
        </Button>
      )}
      <ButtonLink
        to="/recalls/$recallId/notices/$customerCode"
        params={{ recallId, customerCode }}
        size="xs"
        variant="default"
        leftSection={<Printer size={14} />}
        aria-label={named(words.notice)}
      >
        {words.notice}
      </ButtonLink>
      {canAnswer && others.length > 0 && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={named(words.moreActions)}>
              <EllipsisVertical size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ label, icon: Icon, run }) => (
              <Menu.Item key={label} leftSection={<Icon size={16} />} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
