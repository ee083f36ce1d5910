import { isDeepStrictEqual } from 'node:util';
import { recordAudit } from '../audit/index.js';
import { findWarehouse, unknownWarehouse } from '../catalogue/index.js';
import type { Tx } from '../platform/database/index.js';
import { Refusal, unknownReference } from '../platform/errors/index.js';
import { closeOpenAlerts } from './alert.store.js';
import type { Point, PointContent } from './point.js';
import { describePoint, type PointInput } from './point.rules.js';
import {
  findPoint,
  forgetExcursions,
  insertPoint,
  lockPoint,
  updatePoint,
  type Written,
} from './point.store.js';

/** Creates or replaces a monitoring point, unless its content is unchanged. The new limits apply from the next reading. */
export async function putPoint(tx: Tx, pointId: string, input: PointInput): Promise<Point> {
  const content = describePoint(input);
  await requirePlace(tx, content);
  const before = await lockPoint(tx, pointId);
  if (before && isDeepStrictEqual(contentOf(before), content)) return before;
  const written: Written = await (before ? updatePoint : insertPoint)(tx, pointId, content);
  if (written === 'zone_gone') throw unknownZone(content);
  // A concurrent writer created it first, so it is replaced now.
  if (written === 'exists') return putPoint(tx, pointId, input);
  if (before && content.status === 'retired') {
    await closeOpenAlerts(tx, pointId);
    await forgetExcursions(tx, pointId);
  }
  await recordAudit(tx, {
    action: 'point.put',
    entityType: 'point',
    entityId: pointId,
    before: before && contentOf(before),
    after: content,
  });
  const after = await findPoint(tx, pointId);
  if (!after) throw new Error('a monitoring point just written is missing');
  return after;
}

async function requirePlace(tx: Tx, content: PointContent): Promise<void> {
  const warehouse = await findWarehouse(tx, content.warehouse);
  if (!warehouse) throw new Refusal([unknownWarehouse('/warehouse', content.warehouse)]);
  if (content.zone !== null && !warehouse.zones.some((zone) => zone.code === content.zone))
    throw unknownZone(content);
}

const unknownZone = ({ warehouse, zone }: PointContent) =>
  new Refusal([
    unknownReference(
      '/zone',
      `Zone ${zone} of warehouse ${warehouse}`,
      `Add it to the zones with PUT /v2/warehouses/${encodeURIComponent(warehouse)}.`,
    ),
  ]);

function contentOf({ pointId: _id, state: _state, lastReading: _last, openAlerts: _open, ...rest }: Point) {
  const { createdAt: _createdAt, version: _version, updatedAt: _updatedAt, ...content } = rest;
  return content;
}
