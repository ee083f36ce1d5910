import type { Item } from '@lotward/client';
import { ActionIcon, Menu, Text } from '@mantine/core';
import { EllipsisVertical, Gavel, LockOpen, Warehouse } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { AskedWindow } from '../../ui/action.js';
import { dispositionWords } from '../quality/disposition-words.js';
import { goodsOfHold } from '../quality/proposal.js';
import { ProposeWindow } from '../quality/propose-disposition.js';
import { MoveHeldWindow } from './move-held.js';
import { operationWords } from './operation-words.js';

type Hold = Item<'/v2/stock/holds'>;
type Doing = 'release' | 'move' | 'dispose';

/** The actions on stock under a hold: release it, move it, or propose a disposition. */
export function HoldMenu({ hold }: { hold: Hold }) {
  const words = useWords(operationWords);
  const { propose } = useWords(dispositionWords);
  const may = useMay();
  const [doing, setDoing] = useState<Doing | null>(null);
  const window = (name: Doing) => ({ opened: doing === name, onClose: () => setDoing(null) });
  const refusal = useRefusal(hold);
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.actionsFor(hold.productName ?? hold.productCode, hold.batchNo)}
          >
            <EllipsisVertical size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<LockOpen size={16} />}
            disabled={refusal !== null}
            onClick={() => setDoing('release')}
          >
            {words.release}
            {refusal && (
              <Text size="xs" c="dimmed">
                {refusal}
              </Text>
            )}
          </Menu.Item>
          {may('inventory:write') && (
            <Menu.Item leftSection={<Warehouse size={16} />} onClick={() => setDoing('move')}>
              {words.moveHeld}
            </Menu.Item>
          )}
          {may('quality:write') && (
            <Menu.Item leftSection={<Gavel size={16} />} onClick={() => setDoing('dispose')}>
              {propose}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <AskedWindow
        {...window('release')}
        label={words.release}
        question={words.releaseQuestion}
        reason={hold.category === 'logistics' ? 'optional' : 'required'}
        run={(reason) =>
          api.post('/v2/stock/holds/{holdId}/release', {
            path: { holdId: hold.holdId },
            body: { reason: reason || null },
          })
        }
        done={words.released}
      />
      <MoveHeldWindow hold={hold} {...window('move')} />
      <ProposeWindow goods={[goodsOfHold(hold)]} {...window('dispose')} />
    </>
  );
}

/** Why the person cannot release the hold; null if they can. */
function useRefusal({ category }: Hold): string | null {
  const words = useWords(operationWords);
  const may = useMay();
  if (category === 'recall') return words.byRecall;
  if (category === 'logistics') return may('inventory:write') ? null : words.byLogistics;
  return may('quality:write') ? null : words.byQuality;
}
