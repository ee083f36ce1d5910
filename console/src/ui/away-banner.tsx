import { Group, Text } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import { useIsAway } from '../app/connection.js';
import { dictionary, useWords } from '../app/language.js';

const awayWords = dictionary(
  { away: 'Lotward cannot be reached. Trying again…' },
  { away: '无法连接 Lotward，正在重试…' },
);

export const AWAY_HEIGHT = 36;

/** Shows that the service is unreachable, for as long as it is. */
export function AwayBanner() {
  const words = useWords(awayWords);
  const isAway = useIsAway();
  // Always rendered, because a screen reader announces only what is added to an existing region.
  return (
    <div role="status" className="away-banner">
      {isAway && (
        <Group h={AWAY_HEIGHT} px="md" gap="sm" wrap="nowrap" justify="center">
          <CloudOff size={18} />
          <Text size="sm" fw={600} truncate>
            {words.away}
          </Text>
        </Group>
      )}
    </div>
  );
}
