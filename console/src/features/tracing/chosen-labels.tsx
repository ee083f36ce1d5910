import { Alert, Progress, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { Empty } from '../../ui/empty.js';
import { fetchPatiently } from '../../ui/labels/fetch-patiently.js';
import { codeOfGoods, type LabelGoods, readLabelGoods } from '../../ui/labels/label-goods.js';
import { Loaded } from '../../ui/page.js';
import { saveFile } from '../../ui/save-file.js';
import { useAction } from '../../ui/use-action.js';
import { labelUrl } from './label-panel.js';
import { LabelSheet } from './label-sheet.js';
import { zplUrl } from './label-sizes.js';
import { traceWords } from './trace-words.js';

interface Coded {
  codes: readonly string[];
  /** The names of the products, by code. */
  names: ReadonlyMap<string, string>;
  /** Goods of products without a GTIN. */
  without: readonly LabelGoods[];
}

/** The labels of all selected goods, in the order of selection. */
export function ChosenLabels() {
  const words = useWords(traceWords);
  const [goods] = useState(readLabelGoods);
  const query = useQuery({ queryKey: ['labels', goods], queryFn: () => withCodes(goods) });
  if (goods.length === 0) return <Empty title={words.noneChosen} />;
  return <Loaded query={query}>{(coded) => <Sheet {...coded} />}</Loaded>;
}

async function withCodes(goods: readonly LabelGoods[]): Promise<Coded> {
  const identifiers = new Map<string, string>();
  // A product code that is a GTIN also identifies the device.
  for (const id of new Set(goods.map(({ productCode }) => productCode)))
    identifiers.set(id, (await client.get('/v2/products/{id}', { path: { id } })).udiDi ?? id);
  const today = new Date().toISOString().slice(0, 10);
  const coded = goods.map((each) => ({
    each,
    code: codeOfGoods(each, identifiers.get(each.productCode) ?? null, today),
  }));
  return {
    codes: [...new Set(coded.flatMap(({ code }) => code ?? []))],
    names: new Map(
      coded.flatMap(({ each, code }) => (code === null ? [] : [[code, each.productName] as const])),
    ),
    without: coded.flatMap(({ each, code }) => (code === null ? [each] : [])),
  };
}

function Sheet({ codes, names, without }: Coded) {
  const words = useWords(traceWords);
  const format = useFormat();
  const { images, settled, failed } = useImages(codes, names);
  const save = useAction({
    async run({ size, dpi, copies }: { size: string; dpi: string; copies: number }) {
      const files: string[] = [];
      for (const code of codes)
        files.push(await fetchPatiently(zplUrl(code, size, dpi, copies, names.get(code)), undefined));
      saveFile('labels.zpl', files.join('\n'), 'application/zpl;charset=utf-8');
      return files.length;
    },
    done: (count) => words.zplSaved(format.number(count)),
  });
  return (
    <LabelSheet
      codes={codes}
      images={images}
      isReady={settled === codes.length && codes.length > 0}
      notice={<Notices total={codes.length} settled={settled} failed={failed} without={without} />}
      zpl={(chosen) => ({ onClick: () => save.mutate(chosen), loading: save.isPending })}
    />
  );
}

/** The drawn symbols as data, so that changing copies or sizes requests none again. */
function useImages(codes: readonly string[], names: ReadonlyMap<string, string>) {
  const [{ symbology = 'gs1-datamatrix' }] = useFilters(['symbology'] as const);
  const drawn = useQueries({
    queries: codes.map((code) => ({
      queryKey: ['label', code, symbology],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await fetchPatiently(labelUrl(code, symbology, names.get(code)), signal))}`,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });
  return {
    images: new Map(codes.flatMap((code, at) => (drawn[at]?.data ? [[code, drawn[at].data] as const] : []))),
    settled: drawn.filter(({ isPending }) => !isPending).length,
    failed: codes.filter((_, at) => drawn[at]?.isError),
  };
}

function Notices({
  total,
  settled,
  failed,
  without,
}: {
  total: number;
  settled: number;
  failed: readonly string[];
  without: readonly LabelGoods[];
}) {
  const words = useWords(traceWords);
  const format = useFormat();
  const missing = [
    ...without.map(({ productName, batchNo }) => [productName, batchNo].filter(Boolean).join(' · ')),
    ...failed,
  ];
  return (
    <div className="no-print">
      <Text size="sm" fw={600} mb="xs" role="status">
        {settled < total
          ? words.drawing(format.number(settled), format.number(total))
          : words.drawn(format.number(total - failed.length))}
      </Text>
      {settled < total && <Progress mb="xs" value={(settled / total) * 100} aria-label={words.printLabels} />}
      {missing.length > 0 && (
        <Alert color="orange" mb="xs" title={words.withoutLabel(format.number(missing.length))}>
          {missing.join(', ')}
        </Alert>
      )}
    </div>
  );
}
