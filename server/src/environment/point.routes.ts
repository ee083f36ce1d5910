import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  AnyOf,
  Code,
  listRoute,
  putAndPatchRoutes,
  type Route,
  readRoute,
  SearchText,
  Strict,
} from '../platform/http/index.js';
import { refuseEnvironment } from './environment.errors.js';
import { POINT_STATES } from './point.js';
import { PointBody, PointView, toPointView } from './point.schemas.js';
import { findPoint, listPoints, lockPoint } from './point.store.js';
import { putPoint } from './put-point.js';

const ById = Strict({ pointId: Code() });
const tag = 'Environment';
const EFFECT =
  'New limits apply from the next reading. A retired point accepts no readings, and its open alerts close.';

export function pointRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listEnvironmentPoints',
      path: '/v2/environment/points',
      scope: 'environment:read',
      tag,
      summary: 'List monitoring points',
      filters: {
        q: SearchText('the name'),
        warehouse: Type.Optional(Code()),
        zone: Type.Optional(Code()),
        state: Type.Optional(AnyOf(POINT_STATES)),
      },
      item: PointView,
      list: 'points',
      key: (point) => point.pointId,
      updatedAt: (point) => point.updatedAt,
      isCounted: true,
      view: toPointView,
      readRows: ({ principal, filter, page }) =>
        transact(database, principal, (tx) => listPoints(tx, filter, page)),
    }),
    readRoute({
      operationId: 'getEnvironmentPoint',
      path: '/v2/environment/points/:pointId',
      scope: 'environment:read',
      tag,
      summary: 'Read a monitoring point',
      params: ById,
      data: PointView,
      async read({ principal, params }) {
        const point = await transact(database, principal, (tx) => findPoint(tx, params.pointId));
        if (!point) throw missing('monitoring point', 'pointId');
        return toPointView(point);
      },
    }),
    ...putAndPatchRoutes({
      path: '/v2/environment/points/:pointId',
      scope: 'environment:write',
      tag,
      put: {
        operationId: 'putEnvironmentPoint',
        summary: 'Create or replace a monitoring point',
        description: EFFECT,
      },
      patch: {
        operationId: 'patchEnvironmentPoint',
        summary: 'Change parts of a monitoring point',
        description: EFFECT,
      },
      params: ById,
      body: PointBody,
      data: PointView,
      missing: ['monitoring point', 'pointId'],
      async lock(tx, { pointId }) {
        const point = await lockPoint(tx, pointId);
        return point && toPointView(point);
      },
      async replace(tx, { params, body }) {
        if (body.pointId !== undefined && body.pointId !== params.pointId)
          throw refuseEnvironment('code_mismatch', '/pointId');
        return toPointView(await putPoint(tx, params.pointId, body));
      },
    }),
  ];
}
