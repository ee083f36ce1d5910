import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import classes from './band-tabs.module.css';
import { figureOf } from './bands.js';
import { expiryWords } from './expiry-words.js';

/** Stock that can still be sold comes first. */
const TABS = ['soon', '30', '60', '90', '180', 'expired'] as const;

/** The bands with their figures over all warehouses. The selected one filters the list. */
export function BandTabs({
  chosen,
  onChoose,
}: {
  chosen: string | null;
  onChoose: (band: string | null) => void;
}) {
  const words = useWords(expiryWords);
  const format = useFormat();
  const figures = useResource('/v2/overview').data?.stock?.byExpiry;
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs">
      {TABS.map((band) => {
        const figure = figureOf(band, figures);
        return (
          <UnstyledButton
            key={band}
            className={classes.band}
            data-chosen={chosen === band || undefined}
            data-urgent={(band === 'expired' && (figure?.quantity ?? 0) > 0) || undefined}
            aria-pressed={chosen === band}
            onClick={() => onChoose(band === 'soon' ? null : band)}
          >
            <Text component="span" display="block" size="sm" fw={600}>
              {words.bands[band]}
            </Text>
            {figure &&
              [
                words.unitCount(format.number(figure.quantity)),
                words.batchCount(format.number(figure.batches)),
              ].map((line) => (
                <Text key={line} component="span" display="block" size="xs" c="dimmed">
                  {line}
                </Text>
              ))}
          </UnstyledButton>
        );
      })}
    </SimpleGrid>
  );
}
