import { Box, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import { ButtonLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { traceWords } from './trace-words.js';

type Shape = 'matrix' | 'bars';
/** The symbologies of each agency. Codes of other agencies are not printed. */
const SYMBOLOGIES: Readonly<Record<string, Readonly<Record<Shape, string>>>> = {
  GS1: { matrix: 'gs1-datamatrix', bars: 'gs1-128' },
  HIBCC: { matrix: 'hibc-datamatrix', bars: 'hibc-128' },
};

/** The product name stands above the code, with its expiry date. */
export const labelUrl = (code: string, symbology: string, name?: string): string =>
  `/labels/udi.svg?code=${encodeURIComponent(code)}&symbology=${encodeURIComponent(symbology)}${
    name ? `&name=${encodeURIComponent(name)}` : ''
  }`;

/** The label of the code, as it is printed. */
export function LabelPanel({
  code,
  agency,
  name,
}: {
  code: string;
  agency: string;
  name: string | undefined;
}) {
  const words = useWords(traceWords);
  const [shape, setShape] = useState<Shape>('matrix');
  const symbology = SYMBOLOGIES[agency]?.[shape];
  if (!symbology) return null;
  return (
    <Panel title={words.label}>
      <Stack align="flex-start">
        <SegmentedControl
          aria-label={words.symbology}
          value={shape}
          onChange={(next) => setShape(next as Shape)}
          data={(['matrix', 'bars'] as const).map((each) => ({ value: each, label: words.symbols[each] }))}
        />
        <LabelImage key={symbology} code={code} symbology={symbology} name={name} />
        <Group>
          <ButtonLink
            to="/print-labels"
            search={{ code, symbology, ...(name && { name }) }}
            variant="default"
            leftSection={<Printer size={16} />}
          >
            {words.printLabels}
          </ButtonLink>
        </Group>
      </Stack>
    </Panel>
  );
}

export function LabelImage({
  code,
  symbology,
  name,
  image,
}: {
  code: string;
  symbology: string;
  name?: string | undefined;
  /** The drawn image, if it is available already. */
  image?: string | undefined;
}) {
  const words = useWords(traceWords);
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return (
      <Text size="sm" c="dimmed" role="alert">
        {words.noLabel}
      </Text>
    );
  return (
    // White in both schemes, because machines read labels.
    <Box bg="white" p={4} style={{ borderRadius: 4, maxWidth: '100%' }}>
      <img
        src={image ?? labelUrl(code, symbology, name)}
        alt={words.labelOf(code)}
        style={{ display: 'block', maxWidth: '100%' }}
        onError={() => setBroken(true)}
      />
    </Box>
  );
}
