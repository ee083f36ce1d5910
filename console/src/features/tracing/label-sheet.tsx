import { Box, Button, Group, NumberInput, Select } from '@mantine/core';
import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import type { PlainPath } from '../../app/paths.js';
import { Page } from '../../ui/page.js';
import { LabelImage } from './label-panel.js';
import { copiesMax, DENSITIES, LABEL_SIZES, millimetresOf, SHEET } from './label-sizes.js';
import styles from './labels-to-print.module.css';
import { traceWords } from './trace-words.js';

interface PrinterFormat {
  size: string;
  dpi: string;
  copies: number;
}

/** Prints only the labels: many on a sheet, or each on a page of its own size. */
export function LabelSheet({
  codes,
  names,
  images,
  isReady = true,
  above,
  notice,
  zpl,
}: {
  codes: readonly string[];
  /** Names of the products, by code, for symbols that are not drawn yet. */
  names?: ReadonlyMap<string, string>;
  /** Drawn symbols by code; omits those that are still loading. */
  images?: ReadonlyMap<string, string>;
  isReady?: boolean;
  above?: { to: PlainPath; name: string };
  notice?: ReactNode;
  /** How the file for a printer is saved: by a link, or by a function. */
  zpl: (format: PrinterFormat) => SavedZpl;
}) {
  const words = useWords(traceWords);
  const [filters, change] = useFilters(['symbology', 'copies', 'size', 'dpi'] as const);
  const { symbology = 'gs1-datamatrix', copies = '1', size = SHEET, dpi = '203' } = filters;
  const most = copiesMax(codes.length);
  const count = Math.min(Math.max(Math.trunc(Number(copies)) || 1, 1), most);
  const label = millimetresOf(size);
  const drawn = images ? codes.filter((code) => images.has(code)) : codes;
  return (
    <Page title={words.printLabels} {...(above ? { above } : {})}>
      <Controls
        {...{ size: label ? size : SHEET, dpi, copies: count, most, isReady, change }}
        zpl={label ? zpl({ size, dpi, copies: count }) : null}
      />
      {notice}
      <style>{pageStyle(label)}</style>
      <Group gap="xs" align="flex-start" className={styles.labels} data-sized={label ? true : undefined}>
        {drawn.flatMap((code) =>
          Array.from({ length: count }, (_, n) => (
            <Box
              // biome-ignore lint/suspicious/noArrayIndexKey: labels that are all alike
              key={`${code} ${n}`}
              className={styles.label}
              {...(label ? { style: { width: `${label.width}mm`, height: `${label.height}mm` } } : {})}
            >
              <LabelImage
                code={code}
                symbology={symbology}
                name={names?.get(code)}
                image={images?.get(code)}
              />
            </Box>
          )),
        )}
      </Group>
    </Page>
  );
}

type SavedZpl = { href: string } | { onClick: () => void; loading: boolean };

function Controls({
  size,
  dpi,
  copies,
  most,
  isReady,
  change,
  zpl,
}: PrinterFormat & {
  most: number;
  isReady: boolean;
  change: (part: { size?: string; dpi?: string; copies?: string }) => void;
  /** Null for a sheet of paper. */
  zpl: SavedZpl | null;
}) {
  const words = useWords(traceWords);
  return (
    <Group align="flex-end" className="no-print">
      <Select
        label={words.labelSize}
        w={150}
        allowDeselect={false}
        value={size}
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
        max={most}
        value={copies}
        onChange={(value) => change({ copies: String(value) })}
      />
      {zpl && (
        <Select
          label={words.density}
          w={150}
          allowDeselect={false}
          value={dpi}
          data={DENSITIES.map((each) => ({ value: each, label: `${each} dpi` }))}
          onChange={(next) => change({ dpi: next ?? '203' })}
        />
      )}
      <Group gap="xs">
        <Button leftSection={<Printer size={16} />} disabled={!isReady} onClick={() => window.print()}>
          {words.print}
        </Button>
        {zpl && <ZplButton how={zpl} label={words.zpl} />}
      </Group>
    </Group>
  );
}

function ZplButton({ how, label }: { how: SavedZpl; label: string }) {
  const looks = { variant: 'default', leftSection: <Download size={16} /> } as const;
  if ('href' in how)
    return (
      <Button component="a" {...looks} href={how.href} download="label.zpl">
        {label}
      </Button>
    );
  return (
    <Button {...looks} {...how}>
      {label}
    </Button>
  );
}

/** A page rule cannot be limited to part of the page, so it exists only while this page is shown. */
const pageStyle = (label: ReturnType<typeof millimetresOf>): string =>
  `@media print { h1 { display: none } }${
    label ? ` @page { size: ${label.width}mm ${label.height}mm; margin: 0 }` : ''
  }`;
