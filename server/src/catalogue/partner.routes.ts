import { Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { AnyOf, Code, listRoute, type Route, readRoute, Strict, writeRoute } from '../platform/http/index.js';
import { refuseCatalogue } from './catalogue.errors.js';
import { PARTNER_ROLES, PARTNER_STATUSES } from './partner.js';
import { PartnerBody, PartnerView, toPartnerView } from './partner.schemas.js';
import { findPartner, listPartners } from './partner.store.js';
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
      description: 'In code order.',
      filters: {
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
      view: toPartnerView,
      readRows: ({ principal, filter, page }) =>
        transact(database, principal, (tx) => listPartners(tx, filter, page)),
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
    writeRoute({
      method: 'PUT',
      operationId: 'putPartner',
      path: '/v2/partners/:code',
      scope: 'products:write',
      tag: 'Partners',
      summary: 'Create or replace a partner',
      params: ByCode,
      body: PartnerBody,
      data: PartnerView,
      async execute(tx, { params, body }) {
        const { code, updatedAt: _updatedAt, ...input } = body;
        if (code !== undefined && code !== params.code) throw refuseCatalogue('code_mismatch', '/code');
        const [partner] = await putPartners(tx, [{ ...input, code: params.code }]);
        if (!partner) throw new Error('putPartners returned no partner');
        return toPartnerView(partner);
      },
    }),
  ];
}
