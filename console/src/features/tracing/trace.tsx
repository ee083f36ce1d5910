import { LotwardError, readUdi } from '@lotward/client';
import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { ScanBarcode, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { Empty } from '../../ui/empty.js';
import { Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { useScanner } from '../../ui/scanning/scanner.js';
import { NumberLookup } from './number-lookup.js';
import { RecallBanner } from './recall-banner.js';
import { Said, Unreadable } from './said.js';
import { TraceDetail } from './trace-detail.js';
import { useTrace } from './trace-query.js';
import { traceWords } from './trace-words.js';

export default function TracePage() {
  const words = useWords(traceWords);
  const [{ code = '' }, change] = useFilters(['code'] as const);
  useScanner((scanned) => change({ code: scanned }));
  return (
    <Page title={words.title} hint={words.hint}>
      <div className="no-print">
        <Panel>
          <CodeForm code={code} onCode={(next) => change({ code: next })} />
        </Panel>
      </div>
      {code === '' ? (
        <Empty title={words.start} hint={words.startHint} icon={ScanBarcode} />
      ) : (
        <Traced code={code} />
      )}
    </Page>
  );
}

function CodeForm({ code, onCode }: { code: string; onCode: (code: string) => void }) {
  const words = useWords(traceWords);
  const [text, setText] = useState(code);
  useEffect(() => setText(code), [code]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCode(text);
      }}
    >
      <Group align="flex-end" wrap="wrap" gap="sm">
        <TextInput
          label={words.code}
          {...CODE_INPUT}
          placeholder={words.placeholder}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: '1 1 240px' }}
          maxLength={2048}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" disabled={text.trim() === ''}>
          {words.trace}
        </Button>
      </Group>
    </form>
  );
}

/** The browser parses the code immediately; the service returns its trace. */
function Traced({ code }: { code: string }) {
  const words = useWords(traceWords);
  const reading = readUdi(code, { today: new Date().toISOString().slice(0, 10) });
  const namesDevice = reading.ok && reading.udi.deviceIdentifier !== null;
  const trace = useTrace(code, namesDevice);
  if (!reading.ok && (reading.failure.reason === 'unknown_format' || isPlainNumber(code)))
    return <NumberLookup number={code} />;
  if (!reading.ok) return <Unreadable code={code} failure={reading.failure} />;
  return (
    <Stack>
      {trace.data?.pages[0] && <RecallBanner recalls={trace.data.pages[0].recalls} />}
      <div className="no-print">
        <Panel title={words.says}>
          <Said udi={reading.udi} />
        </Panel>
      </div>
      {!namesDevice && <Empty title={words.noDevice} hint={words.noDeviceHint} icon={SearchX} />}
      {namesDevice && trace.isPending && <Skeleton height={240} />}
      {trace.isError && isUnknown(trace.error) && isPlainNumber(code) && <NumberLookup number={code} />}
      {trace.isError && isUnknown(trace.error) && !isPlainNumber(code) && (
        <Empty title={words.unknown} hint={words.unknownHint} icon={SearchX} />
      )}
      {trace.isError && !isUnknown(trace.error) && (
        <Problem error={trace.error} onRetry={() => trace.refetch()} />
      )}
      {trace.data && !trace.isError && <TraceDetail code={code} trace={trace} />}
    </Stack>
  );
}

/** A number as people type it, without the characters by which codes mark their parts. */
const isPlainNumber = (code: string): boolean => /^[\p{L}\p{N} ._/#-]{1,64}$/u.test(code.trim());

const isUnknown = (error: unknown): boolean => error instanceof LotwardError && error.status === 404;
