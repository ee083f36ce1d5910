import { Code, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import { CopyAll } from '../../ui/copy.js';
import { Panel } from '../../ui/page.js';
import { playgroundWords } from './playground-words.js';
import { LANGUAGES, type Request, SNIPPETS, type SnippetLanguage } from './requests.js';

/** The request in the language of the reader's program. */
export function Programs({ request }: { request: Request }) {
  const words = useWords(playgroundWords);
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const text = SNIPPETS[language](request);
  return (
    <Panel
      title={words.code}
      hint={words.codeHint}
      actions={
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={words.code}
            data={[...LANGUAGES]}
            value={language}
            onChange={(chosen) => setLanguage(chosen as SnippetLanguage)}
          />
          <CopyAll text={text} label={words.copy} size="xs" />
        </Group>
      }
    >
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={words.code}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Code>
    </Panel>
  );
}
