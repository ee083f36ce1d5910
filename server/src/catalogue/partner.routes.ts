import { Type } from 'typebox';
import { findMatches } from '../indexing/index.js';
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
import { refuseCatalogue } from './catalogue.errors.js';
import { PARTNER_ROLES, PARTNER_STATUSES } from './partner.js';
import { PartnerBody, PartnerView, toPartnerView } from './partner.schemas.js';
import { findPartner, listPartners, lockPartners } from './partner.store.js';
import { putPartners } from './put-partners.js';

const ByCode = Strict({ code: Code() });

export function partnerRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listPartners',
      tagged: true,
      path: '/v2/partners',
      scope: 'products:read',
      tag: 'Partners',
      summary: 'List suppliers, customers and manufacturers',
      description: 'Sorted by code unless `sort` says otherwise.',
      filters: {
        q: SearchText('the code, name, GLN or registration code'),
        name: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, case-insensitive.' }),
        ),
        role: Type.Optional(AnyOf(PARTNER_ROLES)),
        status: Type.Optional(AnyOf(PARTNER_STATUSES)),
      },
      item: PartnerView,
      list: 'partners',
      key: (partner) => partner.code,
      updatedAt: (partner) => partner.updatedAt,
      sorts: { code: null, name: (partner) => partner.name },
      isCounted: true,
      view: toPartnerView,
      readRows: async ({ principal, filter: { q, ...filter }, page }) => {
        const matches = await findMatches(database, principal.orgId, q, ['partner']);
        return transact(database, principal, (tx) => listPartners(tx, { ...filter, matches }, page));
      },
    }),
    readRoute({
      operationId: 'getPartner',
      path: '/v2/partners/:code',
      scope: 'products:read',
      tag: 'Partners',
      summary: 'Read a partner',
      params: ByCode,
      data: PartnerView,
      async read({ principal, params }) {
        const partner = await transact(database, principal, (tx) => findPartner(tx, params.code));
        if (!partner) throw missing('partner', 'code');
        return toPartnerView(partner);
      },
    }),
    ...putAndPatchRoutes({
      path: '/v2/partners/:code',
      scope: 'products:write',
      tag: 'Partners',
      put: { operationId: 'putPartner', summary: 'Create or replace a partner' },
      patch: { operationId: 'patchPartner', summary: 'Change parts of a partner' },
      params: ByCode,
      body: PartnerBody,
      data: PartnerView,
      missing: ['partner', 'code'],
      async lock(tx, { code }) {
        const partner = (await lockPartners(tx, [code])).get(code);
        return partner ? toPartnerView(partner) : null;
      },
      async replace(tx, { params, body }) {
        const { code, version: _version, updatedAt: _updatedAt, ...input } = body;
        if (code !== undefined && code !== params.code) throw refuseCatalogue('code_mismatch', '/code');
        // A PUT replaces: without addresses, the partner has none.
        const [partner] = await putPartners(tx, [{ addresses: [], ...input, code: params.code }]);
        if (!partner) throw new Error('putPartners returned no partner');
        return toPartnerView(partner);
      },
    }),
  ];
}
