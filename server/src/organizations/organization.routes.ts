import { Type } from 'typebox';
import type { Database } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Code,
  DateText,
  Model,
  OneOf,
  type Route,
  readRoute,
  requireStepUp,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { CERTIFICATE_GATES, CERTIFICATE_SUBJECTS, EDITIONS, type Organization } from './organization.js';
import { lockOwnOrganization, readOrganization } from './organization.store.js';
import { changeOrganization } from './update-organization.js';

const DEMANDED_MAX = 100;
const tag = 'Settings';

const settings = {
  name: Text(300),
  timeZone: Text(64, 'IANA time zone in which its days begin and end.'),
  samePersonRecheck: Type.Boolean({ description: 'Whether the picker may also re-check.' }),
  certificateGate: OneOf(CERTIFICATE_GATES),
  demandedCertificates: Type.Array(Strict({ subjectType: OneOf(CERTIFICATE_SUBJECTS), type: Code() }), {
    maxItems: DEMANDED_MAX,
    uniqueItems: true,
    description:
      'Certificate types that every subject of a kind must have in force, also without any certificate on record.',
  }),
  booksFrom: DateText('Nothing is recorded as having happened before this day.'),
};

const SettingsView = Model('Settings', { code: Type.String(), edition: OneOf(EDITIONS), ...settings });
const SettingsBody = Strict({
  name: Type.Optional(settings.name),
  timeZone: Type.Optional(settings.timeZone),
  samePersonRecheck: Type.Optional(settings.samePersonRecheck),
  certificateGate: Type.Optional(settings.certificateGate),
  demandedCertificates: Type.Optional(settings.demandedCertificates),
  booksFrom: Type.Optional(settings.booksFrom),
  code: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  edition: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
});

const toSettingsView = (organization: Organization) => ({
  code: organization.code,
  name: organization.name,
  edition: organization.edition,
  timeZone: organization.timeZone,
  samePersonRecheck: organization.samePersonRecheck,
  certificateGate: organization.certificateGate,
  demandedCertificates: organization.demandedCertificates,
  booksFrom: organization.booksFrom,
});

export function settingsRoutes(database: Database): Route[] {
  return [
    readRoute({
      operationId: 'getSettings',
      tagged: true,
      path: '/v2/settings',
      scope: 'settings:read',
      tag,
      summary: 'Read the settings of the organization',
      data: SettingsView,
      async read({ principal }) {
        const organization = await readOrganization(database.reader, principal.orgId);
        if (!organization) throw missing('organization', null);
        return toSettingsView(organization);
      },
    }),
    writeRoute({
      method: 'PATCH',
      operationId: 'changeSettings',
      path: '/v2/settings',
      scope: 'settings:write',
      tag,
      summary: 'Update the settings of the organization',
      description:
        'Omitted fields keep their values. `samePersonRecheck` changes only at the console, after a step-up.',
      body: SettingsBody,
      data: SettingsView,
      async execute(tx, { principal, body }) {
        const { code: _code, edition: _edition, ...change } = body;
        const { samePersonRecheck } = await lockOwnOrganization(tx);
        // A single administrator with a key, or at a session left open, must not disable the four-eyes rule.
        if ((change.samePersonRecheck ?? samePersonRecheck) !== samePersonRecheck)
          requireStepUp(principal, tx.now);
        return toSettingsView(await changeOrganization(tx, change));
      },
    }),
  ];
}
