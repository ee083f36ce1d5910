import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { get, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../src/cli/self-signed.js';
import { environmentFor, startLotward, startLotwardHere } from '../access/lotward-process.js';
import { fullTier, openTestDatabase, type TestDatabase } from '../harness/index.js';

const startServer = fullTier ? startLotward : startLotwardHere;

let db: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  db = await openTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'lotward-self-signed-'));
});
afterAll(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true });
});

async function statusOf(url: string, options: RequestOptions): Promise<number | undefined> {
  const [response] = await once(get(url, { agent: false, ...options }), 'response');
  response.resume();
  return response.statusCode;
}

describe('--self-signed', () => {
  it('serves https with a certificate that is generated once, for this host, and readable only by its owner', async () => {
    const env = { ...environmentFor(db), LOTWARD_DATA_DIR: dataDir };
    const server = await startServer('api', env, ['--self-signed']);
    expect(server.url).toMatch(/^https:/);
    const ca = readFileSync(join(dataDir, 'self-signed.crt'), 'utf8');
    expect(await statusOf(`${server.url}/healthz`, { ca })).toBe(200);
    await expect(statusOf(`${server.url}/healthz`, {})).rejects.toThrow(/self.signed/);
    expect(await server.stop()).toBe(0);
    // As the next start takes it.
    expect((await selfSignedCertificate(dataDir, '127.0.0.1')).cert).toBe(ca);
    const certificate = new X509Certificate(ca);
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(statSync(join(dataDir, 'self-signed.key')).mode & 0o077).toBe(0);
  }, 120_000);
});
