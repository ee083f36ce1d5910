import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useWords } from '../../app/language.js';
import { Panel } from '../../ui/page.js';
import { organizationWords } from './organization-words.js';

const SUBJECTS = ['supplier', 'product', 'customer'] as const;

export interface Demand {
  /** Tells rows apart while they are edited. */
  id: string;
  subjectType: (typeof SUBJECTS)[number];
  type: string;
}

export function DemandedCertificates({
  demands,
  error,
  onChange,
}: {
  demands: readonly Demand[];
  error: (row: number) => string | undefined;
  onChange: (demands: Demand[]) => void;
}) {
  const words = useWords(organizationWords);
  const change = (id: string, part: Partial<Demand>) =>
    onChange(demands.map((each) => (each.id === id ? { ...each, ...part } : each)));
  return (
    <Panel title={words.demanded} hint={words.demandedHint}>
      <Stack gap="sm">
        {demands.length === 0 && <Text size="sm">{words.noDemands}</Text>}
        {demands.map((demand, row) => (
          <Group key={demand.id} gap="xs" align="flex-end" wrap="nowrap">
            <Select
              label={words.subject}
              data={SUBJECTS.map((value) => ({ value, label: words.subjects[value] }))}
              allowDeselect={false}
              value={demand.subjectType}
              onChange={(value) => change(demand.id, { subjectType: value as Demand['subjectType'] })}
              w={{ base: 120, sm: 180 }}
            />
            <TextInput
              label={words.type}
              required
              maxLength={64}
              value={demand.type}
              error={error(row)}
              onChange={(event) => change(demand.id, { type: event.currentTarget.value })}
              style={{ flex: 1 }}
              maw={400}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={words.removeDemand(row + 1)}
              onClick={() => onChange(demands.filter((each) => each.id !== demand.id))}
            >
              <Trash2 size={18} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<Plus size={16} />}
            onClick={() =>
              onChange([...demands, { id: crypto.randomUUID(), subjectType: 'supplier', type: '' }])
            }
          >
            {words.addDemand}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
