import { type Static, Type } from 'typebox';
import { recordAudit } from '../audit/index.js';
import { readLastUses } from '../credentials/index.js';
import { type Organization, readOrganization, readOrganizations } from '../organizations/index.js';
import { type Database, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { AnyOf, listRoute, type Route, readRoute, Strict, writeRoute } from '../platform/http/index.js';
import { type Principal, systemPrincipal } from '../platform/principal.js';
import { closeSandbox, recordEnd } from './end-sandbox.js';
import { buildSandbox, createSandboxKey, registerSandbox, requireRoom } from './open-sandbox.js';
import { refuseSandbox, requireProduction } from './sandbox.errors.js';
import { SANDBOX_STATUSES, type Sandbox } from './sandbox.js';
import {
  ById,
  OpenedSandboxView,
  SandboxBody,
  SandboxKeyView,
  SandboxView,
  toSandboxView,
} from './sandbox.schemas.js';
import { findSandbox, listSandboxes } from './sandbox.store.js';

const tag = 'Sandboxes';
const PATH = '/v2/sandboxes';

type View = Static<typeof SandboxView>;

export const sandboxRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  openRoute(database),
  keyRoute(database),
  endRoute(database),
];

/** Adds what each sandbox stores itself: its clock and its use. */
async function viewsOf(database: Database, sandboxes: readonly Sandbox[]): Promise<View[]> {
  const orgs = sandboxes.map(({ sandboxId }) => ({ orgId: sandboxId }));
  const [organizations, lastUses] = await Promise.all([
    readOrganizations(database.reader, orgs),
    readLastUses(database.reader, orgs),
  ]);
  const now = database.clock.now();
  return sandboxes.map((sandbox) => {
    const { sandboxId } = sandbox;
    const organization = organizations.get(sandboxId);
    return toSandboxView(sandbox, { organization, lastUsedAt: lastUses.get(sandboxId), now });
  });
}

/** A sandbox of the caller's organization, with the state it stores itself. */
async function ownSandbox(
  database: Database,
  principal: Principal,
  sandboxId: string,
): Promise<{ sandbox: Sandbox; organization: Organization }> {
  const sandbox = await transact(database, principal, (tx) => findSandbox(tx, sandboxId));
  const organization = sandbox && (await readOrganization(database.reader, sandboxId));
  if (!organization || organization.sandboxOf !== principal.orgId) throw missing('sandbox', 'sandboxId');
  return { sandbox, organization };
}

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listSandboxes',
      path: PATH,
      scope: 'settings:read',
      tag,
      summary: 'List the sandboxes of your organization, newest first',
      filters: { status: Type.Optional(AnyOf(SANDBOX_STATUSES)) },
      item: SandboxView,
      list: 'sandboxes',
      key: ({ sandbox }) => sandbox.sandboxId,
      updatedAt: ({ sandbox }) => sandbox.updatedAt,
      view: ({ view }) => view,
      readRows: async ({ principal, filter, page }) => {
        const sandboxes = await transact(database, principal, (tx) => listSandboxes(tx, filter, page));
        const views = await viewsOf(database, sandboxes);
        return sandboxes.map((sandbox, i) => ({ sandbox, view: views[i] as View }));
      },
    }),
    readRoute({
      operationId: 'getSandbox',
      path: `${PATH}/:sandboxId`,
      scope: 'settings:read',
      tag,
      summary: 'Read a sandbox',
      params: ById,
      data: SandboxView,
      async read({ principal, params }) {
        const { sandbox } = await ownSandbox(database, principal, params.sandboxId);
        const [view] = await viewsOf(database, [sandbox]);
        return view as View;
      },
    }),
  ];
}

const openRoute = (database: Database): Route =>
  writeRoute({
    method: 'POST',
    operationId: 'openSandbox',
    path: PATH,
    scope: 'settings:write',
    tag,
    summary: 'Open a sandbox',
    description:
      'An organization for tests with its own data. Its key, shown only in this response, begins with `lwt_`, has every scope there and ' +
      'is valid nowhere else. It gets a copy of the parts of your catalogue that your credential may read. At most five at a time; one that is not ' +
      'used for 30 days ends.',
    body: SandboxBody,
    data: OpenedSandboxView,
    showsSecret: true,
    countsAs: 5,
    async prefetch({ principal, body }) {
      requireProduction(principal);
      await transact(database, principal, requireRoom);
      const parent = await readOrganization(database.reader, principal.orgId);
      if (!parent) throw missing('organization', null);
      return buildSandbox(database, parent, principal, { name: body.name, data: body.data ?? 'catalogue' });
    },
    async execute(tx, _call, built) {
      const { sandbox, ...shown } = await registerSandbox(tx, built);
      const { organization } = built;
      return { ...toSandboxView(sandbox, { organization, lastUsedAt: undefined, now: tx.now }), ...shown };
    },
  });

const keyRoute = (database: Database): Route =>
  writeRoute({
    method: 'POST',
    operationId: 'createSandboxKey',
    path: `${PATH}/:sandboxId/keys`,
    scope: 'settings:write',
    tag,
    summary: 'Create another key of a sandbox',
    description: 'If the first one is lost, or for a second program. The key is shown only in this response.',
    params: ById,
    body: Strict({}),
    data: SandboxKeyView,
    showsSecret: true,
    async prefetch({ principal, params, requestId }) {
      const { organization } = await ownSandbox(database, principal, params.sandboxId);
      if (organization.status !== 'active') throw refuseSandbox('sandbox_ended', null);
      const inside = systemPrincipal(organization.orgId, principal.actor, organization);
      return transact(database, inside, (tx) => createSandboxKey(tx, principal.actor), { requestId });
    },
    async execute(tx, { params }, { keyId, apiKey }) {
      const { sandboxId } = params;
      await recordAudit(tx, {
        action: 'sandbox.create_key',
        entityType: 'sandbox',
        entityId: sandboxId,
        after: { keyId },
      });
      return { sandboxId, keyId, apiKey };
    },
  });

const endRoute = (database: Database): Route =>
  writeRoute({
    method: 'DELETE',
    operationId: 'endSandbox',
    path: `${PATH}/:sandboxId`,
    scope: 'settings:write',
    tag,
    summary: 'End a sandbox',
    description: 'Its keys are refused and its webhooks stop within a second. It cannot be opened again.',
    params: ById,
    data: SandboxView,
    async prefetch({ principal, params }) {
      const { organization } = await ownSandbox(database, principal, params.sandboxId);
      await closeSandbox(database, organization, principal.actor);
      return { ...organization, status: 'suspended' as const };
    },
    async execute(tx, { params }, organization) {
      await recordEnd(tx, params.sandboxId, 'deleted');
      const sandbox = await findSandbox(tx, params.sandboxId);
      if (!sandbox) throw missing('sandbox', 'sandboxId');
      const lastUsedAt = (await readLastUses(database.reader, [organization])).get(organization.orgId);
      return toSandboxView(sandbox, { organization, lastUsedAt, now: tx.now });
    },
  });
