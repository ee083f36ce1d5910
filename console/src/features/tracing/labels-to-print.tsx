import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { ChosenLabels } from './chosen-labels.js';
import { LabelSheet } from './label-sheet.js';
import { zplUrl } from './label-sizes.js';
import { traceWords } from './trace-words.js';

/** The labels of one code, or of the goods selected in a list. */
export default function LabelsToPrint() {
  const words = useWords(traceWords);
  const [{ code, name, chosen }] = useFilters(['code', 'name', 'chosen'] as const);
  if (code !== undefined)
    return (
      <LabelSheet
        codes={[code]}
        names={new Map(name === undefined ? [] : [[code, name]])}
        above={{ to: '/trace', name: words.title }}
        zpl={({ size, dpi, copies }) => ({ href: zplUrl(code, size, dpi, copies, name) })}
      />
    );
  return chosen === undefined ? <Empty title={words.start} /> : <ChosenLabels />;
}
