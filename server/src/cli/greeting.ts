import { join } from 'node:path';
import type { Config } from '../config/index.js';
import { type Demo, FEATURED_BATCH, FEATURED_PRODUCT, FEATURED_WAREHOUSE } from '../demo/index.js';
import type { Runtime } from './runtime.js';

/** Printed once the server listens: its addresses, and a command to paste. */
export function greet(
  { config }: Runtime,
  port: number | null,
  options: { demo: Demo | null; selfSigned: boolean; showsSecrets: boolean },
): void {
  const lines = ['', 'Lotward is ready.'];
  if (port !== null) {
    const url = addressOf(config, port);
    lines.push(
      `  Console        ${url}/`,
      `  API            ${url}/v2`,
      `  Documentation  ${url}/docs`,
      `  API reference  ${url}/docs/api`,
    );
    if (options.demo)
      lines.push(
        ...(options.showsSecrets
          ? invitation(options.demo, url, options.selfSigned)
          : withheld(config, options.demo)),
      );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** The address of this server for people. */
export function addressOf(config: Pick<Config, 'host' | 'tls' | 'publicUrl'>, port: number): string {
  const scheme = config.tls ? 'https' : 'http';
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return config.publicUrl?.replace(/\/$/, '') ?? `${scheme}://${host}:${port}`;
}

/** Standard output of a server that others can reach usually ends in a log, where keys and passwords do not belong. */
const withheld = (config: Config, { organization, keys }: Demo): string[] => [
  '',
  `${organization.name} is a demo organization with sample data. Its keys and password are not printed into a log:`,
  config.isEmbedded
    ? `  they are in ${join(config.dataDir, 'demo.json')}`
    : `  for a new key: lotward key rotate ${keys[0]?.keyId ?? 'KEY'}; a password: sign in with LOTWARD_ADMIN_PASSWORD, or reset it by e-mail`,
];

/** Omits secrets that can no longer be shown. */
function invitation(demo: Demo, url: string, selfSigned: boolean): string[] {
  const shown = [...signingIn(demo, url), ...calling(demo, url, selfSigned)];
  return shown.length === 0
    ? []
    : ['', `${demo.organization.name} is a demo organization with sample data.`, ...shown];
}

function signingIn({ login }: Demo, url: string): string[] {
  if (login === null) return [];
  const [admin, ...others] = login.emails;
  return [
    `Sign in at ${url}/ as the administrator:`,
    `  ${admin}  ${login.password}`,
    ...(others.length === 0 ? [] : [`  (${others.join(' and ')}: the same password)`]),
  ];
}

function calling({ keys }: Demo, url: string, selfSigned: boolean): string[] {
  const [first, second] = keys.flatMap(({ apiKey }) => apiKey ?? []);
  if (first === undefined) return [];
  const curl = `curl -s${selfSigned ? 'k' : ''}`;
  const query = `productCode=${FEATURED_PRODUCT}&warehouse=${FEATURED_WAREHOUSE}`;
  return [
    'Ask how much of a product there is:',
    `  ${curl} '${url}/v2/inventory?${query}' -H 'Authorization: Bearer ${first}'`,
    'Follow a batch from its supplier to a hospital:',
    `  ${curl} '${url}/v2/udi/(01)${FEATURED_PRODUCT}(10)${FEATURED_BATCH}' -H 'Authorization: Bearer ${first}'`,
    ...(second === undefined
      ? []
      : [`A second person's key, for what one person may not do alone:`, `  ${second}`]),
  ];
}
