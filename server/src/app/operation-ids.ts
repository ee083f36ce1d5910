/** Last words of a path that say what is done; any other is the name of something. */
const VERBS = new Set(
  (
    'accept acknowledge approve cancel close confirm complete enable hold read recheck recover redeliver reinstate reject ' +
    'release renew reserve reset-second-factor revoke rotate rotate-secret suspend test'
  ).split(' '),
);

const camel = (words: readonly string[]): string =>
  words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
const wordsOf = (segment: string): string[] => segment.split(/[-.]/);
const singular = (word: string): string =>
  /(ches|shes|xes)$/.test(word)
    ? word.slice(0, -2)
    : word.endsWith('ies')
      ? `${word.slice(0, -3)}y`
      : word.endsWith('s') && word !== 'settings'
        ? word.slice(0, -1)
        : word;

/** Where the path does not say it well. */
const NAMED: Readonly<Record<string, string>> = {
  'get /v2/inventory': 'getInventory',
  'get /v2/udi': 'traceUdiByParameter',
  'get /v2/udi/{udiCode}': 'traceUdi',
  'get /v2/udi/read': 'readUdi',
  'get /v2/audit': 'listAuditEntries',
  'get /v2/audit/verification': 'verifyAudit',
  'get /exports/recalls/{recallId}.csv': 'exportRecall',
  'get /labels/udi.svg': 'drawUdiLabel',
  'post /v2/session': 'signIn',
  'delete /v2/session': 'signOut',
  'get /v2/sessions': 'listSessions',
  'delete /v2/sessions': 'endOtherSessions',
  'delete /v2/sessions/{sessionId}': 'endSession',
  'post /v2/session/second-factor': 'giveSecondFactor',
  'post /v2/session/totp': 'beginSecondFactor',
  'post /v2/session/totp/confirm': 'confirmSecondFactor',
  'delete /v2/session/totp': 'removeSecondFactor',
  'post /v2/session/recovery-codes': 'renewRecoveryCodes',
  'post /v2/session/password': 'changePassword',
  'post /v2/invitations/read': 'readInvitation',
  'post /v2/invitations/accept': 'acceptInvitation',
  'post /v2/password-resets': 'requestPasswordReset',
  'post /v2/password-resets/complete': 'completePasswordReset',
  'post /v2/settings/users': 'inviteUser',
  'post /v2/settings/users/{userId}/invitation': 'sendInvitationAgain',
  'post /v2/environment/readings': 'recordEnvironmentReadings',
  'post /v2/environment/alerts/{alertId}/hold': 'holdBatchesOfEnvironmentAlert',
};

/** `approveOrder`, `listProducts`: what generators of client code call an operation. Stable as long as the path is. */
export function operationId(method: string, path: string, isList: boolean): string {
  const given = NAMED[`${method} ${path}`];
  if (given) return given;
  const segments = path
    .replace(/^\/v2\//, '/')
    .split('/')
    .filter(Boolean);
  const last = segments.at(-1) ?? '';
  const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true;
  // What stands before a parameter is one of many.
  const named = segments.flatMap((segment, i) =>
    isParameter(segment)
      ? wordsOf(segment).slice(1)
      : wordsOf(isParameter(segments[i + 1]) ? singular(segment) : segment),
  );
  if (method === 'get') return camel([isList ? 'list' : 'get', ...named]);
  if (method !== 'post')
    return camel([{ put: 'put', patch: 'change', delete: 'remove' }[method] ?? method, ...named]);
  if (VERBS.has(last)) {
    const [verb = '', ...what] = wordsOf(last);
    return camel([verb, ...named.slice(0, -1 - what.length), ...what]);
  }
  if (isParameter(segments.at(-2))) return camel(['record', ...named]);
  return camel(['create', ...named.slice(0, -1), singular(named.at(-1) ?? '')]);
}
