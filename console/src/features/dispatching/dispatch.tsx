import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ClipboardCheck, ListChecks, PackageCheck, Printer, X } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { useMay } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { CodeText } from '../../ui/code-text.js';
import { DateTimeField } from '../../ui/date-field.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { FormWindow } from '../../ui/form.js';
import { ButtonLink, PageLink } from '../../ui/links.js';
import { instantOf, localInput } from '../../ui/local-time.js';
import { Facts, Loaded, Page, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { StatusBadge } from '../../ui/status.js';
import { Warnings } from '../../ui/warnings.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { dispatchWords } from './dispatch-words.js';
import { useIsHandheld } from './handheld.js';
import type { Dispatch } from './pick-draft.js';
import { PickedTable } from './picked-table.js';
import { Picking } from './picking.js';
import { Recheck } from './recheck.js';

export default function DispatchPage() {
  const words = useWords(dispatchWords);
  const dispatchId = useParam('dispatchId');
  const query = useResource('/v2/dispatches/{dispatchId}', { path: { dispatchId } });
  const actions = query.data && <Actions dispatch={query.data} />;
  // On a handheld the work comes first, and everything else after it.
  const isInHand = useIsHandheld() && isUnderWay(query.data);
  return (
    <Page
      title={query.data ? words.dispatchOf(query.data.dispatchNo) : words.dispatch}
      above={{ to: '/dispatches', name: words.dispatches }}
      actions={isInHand ? undefined : actions}
    >
      <Loaded query={query} missing={{ title: words.notFound, to: '/dispatches' }}>
        {(dispatch) => (
          <Stack>
            {isInHand && <Work dispatch={dispatch} />}
            <DispatchFacts dispatch={dispatch} />
            {isInHand ? <Group gap="xs">{actions}</Group> : <Work dispatch={dispatch} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const isUnderWay = (dispatch: Dispatch | undefined): boolean =>
  dispatch?.status === 'picking' || dispatch?.status === 'rechecking';

/** The next step of the dispatch, if the user has the scope for it. */
function Work({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(dispatchWords);
  const mayWork = useMay()('dispatches:write');
  if (mayWork && dispatch.status === 'picking')
    return <Picking key={dispatch.recheckedAt} dispatch={dispatch} />;
  if (mayWork && dispatch.status === 'rechecking') return <Recheck dispatch={dispatch} />;
  return (
    <Panel title={words.lines}>
      <PickedTable dispatch={dispatch} />
    </Panel>
  );
}

const DOCUMENTS = {
  pickList: { to: '/dispatches/$dispatchId/pick-list', icon: ListChecks },
  record: { to: '/dispatches/$dispatchId/record', icon: ClipboardCheck },
  note: { to: '/dispatches/$dispatchId/note', icon: Printer },
} as const;

/** The documents available so far: a delivery note exists only once the re-check has passed. */
const documentsOf = ({ status, recheckedAt, dispatchedAt }: Dispatch): (keyof typeof DOCUMENTS)[] => [
  ...(status === 'cancelled' ? [] : ['pickList' as const]),
  ...(recheckedAt === null ? [] : ['record' as const]),
  ...(dispatchedAt === null ? [] : ['note' as const]),
];

function Actions({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(dispatchWords);
  const may = useMay();
  const { status, dispatchId } = dispatch;
  return (
    <>
      {documentsOf(dispatch).map((document) => {
        const { to, icon: Icon } = DOCUMENTS[document];
        return (
          <ButtonLink
            key={document}
            to={to}
            params={{ dispatchId }}
            variant="default"
            leftSection={<Icon size={16} />}
          >
            {words[document]}
          </ButtonLink>
        );
      })}
      {may('dispatches:write') && status === 'dispatched' && <Deliver dispatchId={dispatchId} />}
      {may('dispatches:write') && isUnderWay(dispatch) && (
        <AskedButton
          label={words.cancel}
          question={words.cancelQuestion}
          reason="optional"
          danger
          icon={<X size={16} />}
          run={(reason) =>
            api.post('/v2/dispatches/{dispatchId}/cancel', {
              path: { dispatchId },
              body: { reason: reason || null },
            })
          }
          done={words.cancelled}
        />
      )}
    </>
  );
}

function Deliver({ dispatchId }: { dispatchId: string }) {
  const words = useWords(dispatchWords);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<PackageCheck size={16} />} onClick={open}>
        {words.deliver}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.deliver}
        draft={`delivery:${dispatchId}`}
        submitLabel={words.deliver}
        initial={{ receivedBy: '', receivedAt: localInput(Date.now()) }}
        run={({ receivedBy, receivedAt }) =>
          api.post('/v2/dispatches/{dispatchId}/delivery', {
            path: { dispatchId },
            body: { receivedBy: receivedBy.trim(), receivedAt: instantOf(receivedAt) },
          })
        }
        done={words.deliveredDone}
      >
        {(form) => (
          <Stack>
            <TextInput label={words.receivedBy} required maxLength={200} {...form.text('receivedBy')} />
            <DateTimeField label={words.receivedAt} required {...form.text('receivedAt')} />
          </Stack>
        )}
      </FormWindow>
    </>
  );
}

function DispatchFacts({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(dispatchWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const personName = usePersonName();
  const by = (who: string | null, at: string | null) =>
    who ? [personName(who), at && format.instant(at)].filter(Boolean).join(' · ') : NOTHING;
  return (
    <Panel title={words.facts}>
      <Facts
        facts={[
          [common.status, <StatusBadge key="status" status={dispatch.status} />],
          [
            words.order,
            <PageLink key="order" to="/orders/$orderId" params={{ orderId: dispatch.orderId }}>
              <CodeText>{dispatch.orderNo}</CodeText>
            </PageLink>,
          ],
          [
            words.customer,
            <PageLink
              key="customer"
              to="/partners/$partnerCode"
              params={{ partnerCode: dispatch.customerCode }}
            >
              {dispatch.customerName}
            </PageLink>,
          ],
          [words.warehouse, <WarehouseText key="warehouse" code={dispatch.warehouse} />],
          [words.createdBy, by(dispatch.createdBy, dispatch.createdAt)],
          [words.pickedBy, by(dispatch.pickedBy, dispatch.pickedAt)],
          [words.recheckedBy, by(dispatch.recheckedBy, dispatch.recheckedAt)],
          ...(dispatch.dispatchedAt
            ? ([
                [words.dispatchedAt, format.instant(dispatch.dispatchedAt)],
                [words.carrier, dispatch.carrier ?? NOTHING],
                [words.trackingNo, dispatch.trackingNo ?? NOTHING],
              ] as const)
            : []),
          ...(dispatch.deliveredAt
            ? ([[words.receivedBy, by(dispatch.receivedBy, dispatch.deliveredAt)]] as const)
            : []),
          ...(dispatch.cancelReason ? ([[words.cancelReason, dispatch.cancelReason]] as const) : []),
        ]}
      />
      <Warnings mt="sm" title={words.warnings} warnings={dispatch.warnings} />
    </Panel>
  );
}
