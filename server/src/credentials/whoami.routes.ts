import { Type } from 'typebox';
import { EDITIONS, organizationReader, RATE_WINDOW_MS, REQUESTS_PER_MINUTE } from '../organizations/index.js';
import { SESSION_REQUESTS_PER_MINUTE } from '../people/index.js';
import type { Database } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { DateText, Nullable, OneOf, type Route, readRoute } from '../platform/http/index.js';
import { businessDay, type Principal } from '../platform/principal.js';

const KINDS = ['api_key', 'oauth', 'console'] as const;

const WhoAmI = Type.Object({
  kind: OneOf(KINDS),
  credentialId: Type.String(),
  actor: Type.String({ description: 'E-mail of the responsible person.' }),
  scopes: Type.Array(Type.String()),
  customerCode: Nullable(Type.String({ description: 'Set when the credential is bound to one customer.' })),
  organization: Type.Object({
    code: Type.String(),
    name: Type.String(),
    edition: OneOf(EDITIONS),
    timeZone: Type.String(),
  }),
  sandbox: Type.Boolean({ description: 'Whether this is a sandbox rather than production.' }),
  businessDate: DateText('The day of the organization, by which things expire and are due.'),
  limits: Type.Object({ requests: Type.Integer(), windowSeconds: Type.Integer() }),
});

const kindOf = ({ session, client }: Principal): (typeof KINDS)[number] => {
  if (session) return 'console';
  return client ? 'oauth' : 'api_key';
};

export function whoamiRoutes(database: Database): Route[] {
  const readOrganization = organizationReader(database.reader);
  return [
    readRoute({
      operationId: 'getWhoami',
      path: '/v2/whoami',
      scope: null,
      boundCredentials: 'allowed',
      tag: 'Access',
      summary: 'Describe the current credential',
      data: WhoAmI,
      async read({ principal }) {
        const organization = await readOrganization(principal.orgId);
        if (!organization) throw missing('organization', null);
        return {
          kind: kindOf(principal),
          credentialId: principal.credentialId,
          actor: principal.actor,
          scopes: [...principal.scopes].sort(),
          customerCode: principal.boundTo,
          organization,
          sandbox: organization.sandbox !== null,
          businessDate: businessDay(organization, database.clock.now()),
          limits: {
            requests: principal.session
              ? SESSION_REQUESTS_PER_MINUTE
              : REQUESTS_PER_MINUTE[organization.edition],
            windowSeconds: RATE_WINDOW_MS / 1000,
          },
        };
      },
    }),
  ];
}
