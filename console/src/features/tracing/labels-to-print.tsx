import { Box, Button, Group, NumberInput, Select } from '@mantine/core';
import { Download, Printer } from 'lucide-react';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { Page } from '../../ui/page.js';
import { LabelImage } from './label-panel.js';
import { DENSITIES, LABEL_SIZES, millimetresOf, SHEET, zplUrl } from './label-sizes.js';
import styles from './labels-to-print.module.css';
import { traceWords } from './trace-words.js';

const COPIES_MAX = 200;

/** Only the labels reach the paper: many on a sheet, or each on a page that is as large as the label. */
export default function LabelsToPrint() {
  const words = useWords(traceWords);
  const [filters, change] = useFilters(['code', 'symbology', 'copies', 'size', 'dpi'] as const);
  const { code = '', symbology = 'gs1-datamatrix', copies = '1', size = SHEET, dpi = '203' } = filters;
  const count = Math.min(Math.max(Math.trunc(Number(copies)) || 1, 1), COPIES_MAX);
  const label = millimetresOf(size);
  if (code === '') return <Empty title={words.start} />;
  return (
    <Page
      title={words.printLabels}
      above={{ to: '/trace', name: words.title }}
      actions={
        <Group align="flex-end" className="no-print">
          <Select
            label={words.labelSize}
            w={150}
            allowDeselect={false}
            value={label ? size : SHEET}
            data={[
              { value: SHEET, label: words.sheet },
              ...LABEL_SIZES.map((each) => ({ value: each, label: `${each.replace('x', ' × ')} mm` })),
            ]}
            onChange={(next) => change({ size: next ?? SHEET })}
          />
          <NumberInput
            label={words.copies}
            w={100}
            min={1}
            max={COPIES_MAX}
            value={count}
            onChange={(value) => change({ copies: String(value) })}
          />
          <Button leftSection={<Printer size={16} />} onClick={() => window.print()}>
            {words.print}
          </Button>
          {label && (
            <>
              <Select
                label={words.density}
                w={110}
                allowDeselect={false}
                value={dpi}
                data={DENSITIES.map((each) => ({ value: each, label: `${each} dpi` }))}
                onChange={(next) => change({ dpi: next ?? '203' })}
              />
              <Button
                component="a"
                variant="default"
                href={zplUrl(code, size, dpi, count)}
                download="label.zpl"
                leftSection={<Download size={16} />}
              >
                {words.zpl}
              </Button>
            </>
          )}
        </Group>
      }
    >
      <style>{pageStyle(label)}</style>
      <Group gap="xs" align="flex-start" className={styles.labels} data-sized={label ? true : undefined}>
        {Array.from({ length: count }, (_, n) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: labels that are all alike
            key={n}
            className={styles.label}
            {...(label ? { style: { width: `${label.width}mm`, height: `${label.height}mm` } } : {})}
          >
            <LabelImage code={code} symbology={symbology} />
          </Box>
        ))}
      </Group>
    </Page>
  );
}

/** A rule of the page cannot be limited to a part of it, so it exists only while this page is shown. */
const pageStyle = (label: ReturnType<typeof millimetresOf>): string =>
  `@media print { h1 { display: none } }${
    label ? ` @page { size: ${label.width}mm ${label.height}mm; margin: 0 }` : ''
  }`;
