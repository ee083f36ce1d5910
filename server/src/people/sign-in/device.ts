import { createHash } from 'node:crypto';
import { cookieIn } from '../../access/index.js';
import { randomBase62 } from '../../platform/ids/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';

const KEPT_SECONDS = 180 * 86_400;
const PLACE = { purpose: 'device cookie', orgId: null, id: '' };

/**
 * Marks a browser from which a person has signed in before. It grants nothing: attempts from it are counted separately,
 * so that strangers who guess cannot lock the person out.
 */
export interface DeviceCookie {
  /** The id of the device, if this person has signed in from it. */
  read(header: string | undefined, email: string): string | null;
  give(email: string): string;
}

const accountOf = (email: string): string => createHash('sha256').update(email).digest('base64url');

export function deviceCookie(secure: boolean, box: SecretBox): DeviceCookie {
  const name = secure ? '__Host-lotward_device' : 'lotward_device';
  const facts = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${KEPT_SECONDS}${secure ? '; Secure' : ''}`;
  return {
    read(header, email) {
      const sealed = header === undefined ? null : cookieIn(header, name);
      const mark = sealed === null ? null : opened(box, sealed);
      return mark?.account === accountOf(email) ? mark.device : null;
    },
    give: (email) => {
      const mark = { account: accountOf(email), device: randomBase62(16) };
      return `${name}=${box.seal(JSON.stringify(mark), PLACE)}; ${facts}`;
    },
  };
}

function opened(box: SecretBox, sealed: string): { account: string; device: string } | null {
  try {
    const mark = JSON.parse(box.open(sealed, PLACE));
    return typeof mark.account === 'string' && typeof mark.device === 'string' ? mark : null;
  } catch {
    return null;
  }
}
