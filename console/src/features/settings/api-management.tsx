import { Button, Tabs } from '@mantine/core';
import { FileCode } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useFilters } from '../../app/filters.js';
import { useWords } from '../../app/language.js';
import { Page, Panel } from '../../ui/page.js';
import { apiWords } from './api-words.js';
import { Clients } from './clients.js';
import { Grants } from './grants.js';
import { Keys } from './keys.js';
import { Sandboxes } from './sandboxes.js';
import classes from './tabs.module.css';
import { UsageOfAll } from './usage-of-all.js';

const TABS = ['keys', 'clients', 'grants', 'sandboxes', 'usage'] as const;

export default function ApiManagement() {
  const words = useWords(apiWords);
  const [filters, change] = useFilters(['tab', 'status', 'span', 'look', 'q']);
  const tab = TABS.find((each) => each === filters.tab) ?? 'keys';
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen tab comes into sight
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (chosen && list.current) list.current.scrollLeft = chosen.offsetLeft - list.current.offsetLeft;
  }, [tab]);
  return (
    <Page
      title={words.api}
      hint={words.hint}
      actions={
        <Button component="a" href="/docs/api" variant="default" leftSection={<FileCode size={16} />}>
          {words.reference}
        </Button>
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        // Each tab has its own filters.
        onChange={(next) =>
          change({ tab: next === 'keys' ? null : next, status: null, span: null, look: null, q: null })
        }
      >
        {/* On a phone the tabs scroll, because in two rows the line below the selected one would be between them. */}
        <Tabs.List ref={list} aria-label={words.views} mb="md" className={classes.tabs}>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Panel>
            <Keys />
          </Panel>
        </Tabs.Panel>
        <Tabs.Panel value="clients">
          <Panel>
            <Clients />
          </Panel>
        </Tabs.Panel>
        <Tabs.Panel value="grants">
          <Panel>
            <Grants />
          </Panel>
        </Tabs.Panel>
        <Tabs.Panel value="sandboxes">
          <Panel>
            <Sandboxes />
          </Panel>
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <UsageOfAll />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
