import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Code,
  decodeCursor,
  OneOf,
  PAGE_LIMIT_DEFAULT,
  PageOf,
  PageQuery,
  type Route,
  readRoute,
  Strict,
  toPage,
  writeRoute,
} from '../platform/http/index.js';
import { refuseEnvironment } from './environment.errors.js';
import { POINT_STATES } from './point.js';
import { PointBody, PointView, toPointView } from './point.schemas.js';
import { findPoint, listPoints } from './point.store.js';
import { putPoint } from './put-point.js';

const ById = Strict({ pointId: Code() });
const tag = 'Environment';

export function pointRoutes(database: Database): Route[] {
  return [
    readRoute({
      path: '/v2/environment/points',
      scope: 'environment:read',
      tag,
      summary: 'List monitoring points',
      query: Strict({
        warehouse: Type.Optional(Code()),
        zone: Type.Optional(Code()),
        state: Type.Optional(OneOf(POINT_STATES)),
        ...PageQuery,
      }),
      data: PageOf(PointView),
      async answer({ principal, query }) {
        const { limit = PAGE_LIMIT_DEFAULT, cursor, ...filter } = query;
        const after = decodeCursor('points', cursor, 1)?.[0] ?? null;
        const rows = await transact(database, principal, (tx) => listPoints(tx, filter, after, limit + 1));
        return toPage('points', rows, limit, (point) => [point.pointId], toPointView);
      },
    }),
    readRoute({
      path: '/v2/environment/points/:pointId',
      scope: 'environment:read',
      tag,
      summary: 'One monitoring point',
      params: ById,
      data: PointView,
      async answer({ principal, params }) {
        const point = await transact(database, principal, (tx) => findPoint(tx, params.pointId));
        if (!point) throw missing('monitoring point', 'pointId');
        return toPointView(point);
      },
    }),
    writeRoute({
      method: 'PUT',
      path: '/v2/environment/points/:pointId',
      scope: 'environment:write',
      tag,
      summary: 'Create or replace a monitoring point',
      description:
        'The next reading is judged by the new limits. A point that is retired takes no readings, and its open alerts close.',
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
