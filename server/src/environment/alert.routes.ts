import { Type } from 'typebox';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  Code,
  listRoute,
  type Route,
  readRoute,
  SearchText,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { acknowledgeAlert } from './acknowledge-alert.js';
import { ALERT_STATUSES } from './alert.js';
import {
  AcknowledgementBody,
  AlertHoldBody,
  AlertInFullView,
  AlertView,
  toAlertInFullView,
  toAlertView,
} from './alert.schemas.js';
import { affectedBatches, findAlert, listAlerts } from './alert.store.js';
import { METRICS } from './excursion.rules.js';
import { holdAffected } from './hold-affected.js';
import { findPointIds } from './point.store.js';

const ById = Strict({ alertId: Text(64) });
const tag = 'Environment';

async function readInFull(tx: Tx, alertId: string) {
  const alert = await findAlert(tx, alertId);
  if (!alert) throw missing('alert', 'alertId');
  return toAlertInFullView(alert, await affectedBatches(tx, alert));
}

export function alertRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listEnvironmentAlerts',
      path: '/v2/environment/alerts',
      scope: 'environment:read',
      tag,
      summary: 'List alerts, newest first',
      filters: {
        q: SearchText('the name or id of the point, or of its warehouse or zone'),
        pointId: Type.Optional(Code()),
        warehouse: Type.Optional(Code()),
        metric: Type.Optional(AnyOf(METRICS)),
        status: Type.Optional(AnyOf(ALERT_STATUSES)),
        acknowledged: Type.Optional(Type.Boolean()),
      },
      item: AlertView,
      list: 'alerts',
      key: (alert) => alert.alertId,
      updatedAt: (alert) => alert.updatedAt,
      sorts: { startedAt: null },
      isCounted: true,
      view: toAlertView,
      readRows: ({ principal, filter: { q, ...filter }, page }) =>
        transact(database, principal, async (tx) => {
          const text = q?.trim();
          if (!text) return listAlerts(tx, filter, page);
          const found = { alertIds: [text], pointIds: await findPointIds(tx, text) };
          return listAlerts(tx, { ...filter, found }, page);
        }),
    }),
    readRoute({
      operationId: 'getEnvironmentAlert',
      path: '/v2/environment/alerts/:alertId',
      scope: 'environment:read',
      tag,
      summary: 'Read an alert with the affected batches',
      params: ById,
      data: AlertInFullView,
      read: ({ principal, params }) => transact(database, principal, (tx) => readInFull(tx, params.alertId)),
    }),
    writeRoute({
      method: 'POST',
      operationId: 'acknowledgeEnvironmentAlert',
      path: '/v2/environment/alerts/:alertId/acknowledge',
      scope: 'environment:write',
      tag,
      summary: 'Acknowledge an alert',
      description: 'Can be done once. The alert closes by itself when a reading is back inside its limits.',
      params: ById,
      body: AcknowledgementBody,
      data: AlertInFullView,
      async execute(tx, { params, body }) {
        await acknowledgeAlert(tx, params.alertId, body.comment);
        return readInFull(tx, params.alertId);
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'holdBatchesOfEnvironmentAlert',
      path: '/v2/environment/alerts/:alertId/hold',
      scope: 'inventory:write',
      tag,
      summary: 'Put the affected batches of an alert on hold',
      description:
        'In the warehouse of the alert; `batches` names some of them. All or none. A repeated call holds only stock that arrived since.',
      params: ById,
      body: AlertHoldBody,
      data: AlertInFullView,
      async execute(tx, { params, body }) {
        await holdAffected(tx, params.alertId, body.reason ?? null, body.batches);
        return readInFull(tx, params.alertId);
      },
    }),
  ];
}
