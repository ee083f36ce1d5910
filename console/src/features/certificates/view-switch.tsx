import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useWords } from '../../app/language.js';
import { certificateWords } from './certificate-words.js';

const PLACES = { table: '/certificates', calendar: '/certificates/calendar' } as const;
type View = keyof typeof PLACES;

/** The same certificates, as a table or by the days on which they end. */
export function ViewSwitch({ view }: { view: View }) {
  const words = useWords(certificateWords);
  const navigate = useNavigate();
  return (
    <SegmentedControl
      aria-label={words.view}
      value={view}
      onChange={(next) => navigate({ to: PLACES[next as View] })}
      data={[
        { value: 'table', label: words.table },
        { value: 'calendar', label: words.calendar },
      ]}
    />
  );
}
