import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { AnyOf, Code, listRoute, type Route, readRoute, Strict, writeRoute } from '../platform/http/index.js';
import { refuseEnvironment } from './environment.errors.js';
import { POINT_STATES } from './point.js';
import { PointBody, PointView, toPointView } from './point.schemas.js';
import { findPoint, listPoints } from './point.store.js';
import { putPoint } from './put-point.js';

const ById = Strict({ pointId: Code() });
const tag = 'Environment';

export function pointRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listEnvironmentPoints',
      path: '/v2/environment/points',
      scope: 'environment:read',
      tag,
      summary: 'List monitoring points',
      filters: {
        warehouse: Type.Optional(Code()),
        zone: Type.Optional(Code()),
        state: Type.Optional(AnyOf(POINT_STATES)),
      },
      item: PointView,
      list: 'points',
      key: (point) => point.pointId,
      updatedAt: (point) => point.updatedAt,
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
    writeRoute({
      method: 'PUT',
      operationId: 'putEnvironmentPoint',
      path: '/v2/environment/points/:pointId',
      scope: 'environment:write',
      tag,
      summary: 'Create or replace a monitoring point',
      description:
        'New limits apply from the next reading. A retired point accepts no readings, and its open alerts close.',
      params: ById,
      body: PointBody,
      data: PointView,
      async execute(tx, { params, body }) {
        if (body.pointId !== undefined && body.pointId !== params.pointId)
          throw refuseEnvironment('code_mismatch', '/pointId');
        return toPointView(await putPoint(tx, params.pointId, body));
      },
    }),
  ];
}
