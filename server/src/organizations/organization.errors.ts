import { isTimeZone } from '../platform/calendar/index.js';
import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const organizationReasons = {
  organization_code_taken: {
    kind: 'invalid',
    meaning: 'another organization has this code',
    remedy: 'Choose another code.',
  },
  unknown_time_zone: {
    kind: 'invalid',
    meaning: 'this is not an IANA time zone',
    remedy: 'Use a name such as `Europe/Berlin` or `Asia/Shanghai`.',
  },
} as const satisfies Reasons;

export const refuseOrganization = refusalOf(organizationReasons);

export function requireTimeZone(timeZone: string, path: string): void {
  if (!isTimeZone(timeZone)) throw refuseOrganization('unknown_time_zone', path);
}
