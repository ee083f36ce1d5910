import { Group, Progress, Stack, Text, ThemeIcon } from '@mantine/core';
import { Check, ChevronRight } from 'lucide-react';
import { useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import type { PlainPath } from '../../app/paths.js';
import { type Scope, useMay } from '../../app/session.js';
import { BoxLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import classes from './bars.module.css';
import type { Overview } from './overview-data.js';
import { overviewWords } from './overview-words.js';

const ALL = 100;
const ONE = { query: { limit: 1 } } as const;

/** The steps up to the first order. Each is complete once the record it leads to exists. */
export default function SetUp({ overview }: { overview: Overview }) {
  const words = useWords(overviewWords);
  const may = useMay();
  const hasAny = (list: { data?: { pages: { items: unknown[] }[] } | undefined }) =>
    (list.data?.pages[0]?.items.length ?? 0) > 0;
  const of = (scope: Scope) => ({ ...ONE, enabled: may(scope) });
  const done = {
    warehouse: hasAny(useList('/v2/warehouses', of('products:read'))),
    partner: hasAny(useList('/v2/partners', of('products:read'))),
    product: hasAny(useList('/v2/products', of('products:read'))),
    certificate: hasAny(useList('/v2/certificates', of('certificates:read'))),
    stock: (overview.stock?.total ?? 0) > 0,
    key: hasAny(useList('/v2/settings/keys', of('settings:read'))),
    webhook: (overview.deliveries?.enabled ?? 0) + (overview.deliveries?.disabled ?? 0) > 0,
    order: Object.values(overview.orders?.byStatus ?? {}).some((count) => count > 0),
  };
  const steps: readonly [step: keyof typeof done, to: PlainPath, scope: Scope][] = [
    ['warehouse', '/warehouses', 'products:write'],
    ['partner', '/partners', 'products:write'],
    ['product', '/products', 'products:write'],
    ['certificate', '/certificates', 'certificates:write'],
    ['stock', '/receipts/new', 'receipts:write'],
    ['key', '/settings/api', 'settings:write'],
    ['webhook', '/webhooks', 'webhooks:write'],
    ['order', '/orders/new', 'orders:write'],
  ];
  const own = steps.filter(([, , scope]) => may(scope));
  const ready = own.filter(([step]) => done[step]).length;
  const next = own.find(([step]) => !done[step])?.[0];
  return (
    <Panel title={words.setUp} hint={words.setUpHint(ready, own.length)}>
      <Stack gap="sm">
        <Progress
          value={(ready / own.length) * ALL}
          size="sm"
          aria-label={words.setUpHint(ready, own.length)}
        />
        <div>
          {own.map(([step, to], i) => (
            <BoxLink key={step} to={to} search={{}} bg="transparent" radius={0} className={classes.task}>
              <ThemeIcon
                radius="xl"
                size={26}
                variant={done[step] ? 'filled' : 'light'}
                color={done[step] ? 'teal' : step === next ? 'ward' : 'gray'}
              >
                {done[step] ? (
                  <Check size={15} aria-label={words.stepDone} />
                ) : (
                  <Text size="xs">{i + 1}</Text>
                )}
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                <Text component="span" display="block" size="sm" fw={step === next ? 650 : 550}>
                  {words.steps[step]}
                </Text>
                <Text component="span" display="block" size="xs" c="dimmed">
                  {words.stepHints[step]}
                </Text>
              </div>
              <Group c="dimmed">
                <ChevronRight size={16} aria-hidden />
              </Group>
            </BoxLink>
          ))}
        </div>
      </Stack>
    </Panel>
  );
}
