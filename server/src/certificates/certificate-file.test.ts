import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countingLimiter, newOrganization, openTestService, startApi } from '../../test/harness/index.js';
import { faultsOf } from '../../test/http/error-table.js';
import { FILE_BYTES_MAX } from './certificate-file.js';

let service: Awaited<ReturnType<typeof openTestService>>;
let certificateId: string;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());
let entered = 0;
beforeEach(async () => {
  certificateId = await newCertificate({ subjectType: 'supplier', subjectCode: 'SUP-1' });
});

async function newCertificate(subject: object): Promise<string> {
  const body = { certificateNo: `L-${++entered}`, type: 'licence', issuer: 'NMPA', validFrom: '2026-01-01' };
  const { data } = await service.call<{ certificateId: string }>('POST', '/v2/certificates', {
    ...body,
    ...subject,
  });
  return data.certificateId;
}

const PDF = Buffer.from('%PDF-1.7\n% a licence\n%%EOF\n');
const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const pathOf = (id = certificateId) => `/files/certificates/${id}`;

interface Sent {
  type?: string;
  key?: string | null;
  name?: string;
  id?: string;
}
/** The bytes themselves, which the usual calls of the tests would send as JSON. */
async function put(content: Buffer, { type = 'application/pdf', key, name, id }: Sent = {}) {
  const query = name === undefined ? '' : `?fileName=${encodeURIComponent(name)}`;
  const response = await fetch(`${service.api.url}${pathOf(id)}${query}`, {
    method: 'PUT',
    headers: {
      'content-type': type,
      ...(key === null ? {} : { authorization: `Bearer ${key ?? service.org.key}` }),
    },
    body: new Uint8Array(content),
  });
  const json = (await response.json()) as {
    data: Record<string, unknown>;
    errors?: { reason: string }[];
  };
  return { status: response.status, data: json.data, reason: json.errors?.[0]?.reason };
}

async function get(headers: Record<string, string> = {}, key = service.org.key, method = 'GET') {
  const response = await fetch(`${service.api.url}${pathOf()}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    content: Buffer.from(await response.arrayBuffer()),
  };
}

const detail = async () =>
  (
    await service.call<{ version: number; updatedAt: string; file: object | null }>(
      'GET',
      `/v2/certificates/${certificateId}`,
    )
  ).data;
const auditOf = async () =>
  (
    await service.call<{ items: { action: string; before: unknown; after: unknown }[] }>(
      'GET',
      `/v2/audit?entityType=certificate&entityId=${certificateId}`,
    )
  ).data.items.filter(({ action }) => action.endsWith('_file'));

describe('the file of a certificate', () => {
  it('comes back as it was sent, and a page that shows it can run nothing of it', async () => {
    const stored = await put(PDF, { name: '经营许可证.pdf' });
    expect(stored).toMatchObject({
      status: 200,
      data: {
        fileName: '经营许可证.pdf',
        contentType: 'application/pdf',
        size: PDF.length,
        sha256: sha256(PDF),
        storedBy: expect.any(String),
      },
    });
    const { status, headers, content } = await get();
    expect([status, content.equals(PDF)]).toEqual([200, true]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition':
        'inline; filename="_____.pdf"; filename*=UTF-8\'\'%E7%BB%8F%E8%90%A5%E8%AE%B8%E5%8F%AF%E8%AF%81.pdf',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*sandbox$/),
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
      etag: `"${sha256(PDF)}"`,
    });
    expect(headers.get('content-encoding')).toBeNull();
  });

  it('is sent once to a caller that keeps it', async () => {
    await put(PDF);
    const known = await get({ 'if-none-match': `"${sha256(PDF)}"` });
    expect([known.status, known.content.length]).toEqual([304, 0]);
    await put(PNG, { type: 'image/png' });
    expect((await get({ 'if-none-match': `"${sha256(PDF)}"` })).status).toBe(200);
  });

  it('of the largest size comes back whole', async () => {
    const large = Buffer.concat([PDF, Buffer.alloc(FILE_BYTES_MAX - PDF.length, 7)]);
    expect((await put(large)).data).toMatchObject({ size: FILE_BYTES_MAX, sha256: sha256(large) });
    expect(sha256((await get()).content)).toBe(sha256(large));
    const more = await put(Buffer.concat([large, PDF]));
    expect([more.status, more.reason]).toEqual([400, 'body_too_large']);
  });

  it('is described by its certificate, and by no list', async () => {
    expect((await detail()).file).toBeNull();
    await put(PNG, { type: 'image/png', name: 'scan' });
    expect((await detail()).file).toMatchObject({ fileName: 'scan.png', sha256: sha256(PNG) });
    const list = await service.call<{ items: object[] }>('GET', '/v2/certificates');
    expect(list.data.items.some((item) => 'file' in item)).toBe(false);
  });

  it('is replaced and removed with a record of what it was', async () => {
    await put(PDF, { name: 'first.pdf' });
    service.db.clock.advance(1_000);
    await put(PNG, { type: 'image/png', name: 'second.png' });
    service.db.clock.advance(1_000);
    const removed = await service.call('DELETE', pathOf());
    expect([removed.status, removed.data]).toEqual([200, {}]);
    const file = (content: Buffer, fileName: string) =>
      expect.objectContaining({ fileName, sha256: sha256(content), size: content.length });
    const trail = await auditOf();
    expect(trail.map(({ action, before, after }) => ({ action, before, after })).reverse()).toEqual([
      { action: 'certificate.put_file', before: null, after: file(PDF, 'first.pdf') },
      { action: 'certificate.put_file', before: file(PDF, 'first.pdf'), after: file(PNG, 'second.png') },
      { action: 'certificate.remove_file', before: file(PNG, 'second.png'), after: null },
    ]);
    expect(JSON.stringify(trail)).not.toContain('IHDR');
    expect((await get()).status).toBe(404);
    expect((await service.call('DELETE', pathOf())).reason).toBe('not_found');
  });

  it('sent again unchanged changes nothing', async () => {
    const first = await put(PDF, { name: 'a.pdf' });
    const before = await detail();
    service.db.clock.advance(60_000);
    expect((await put(PDF, { name: 'a.pdf' })).data).toEqual(first.data);
    expect(await detail()).toEqual(before);
    expect(await auditOf()).toHaveLength(1);
    await put(PDF, { name: 'b.pdf' });
    expect((await detail()).version).toBe(before.version + 1);
    expect((await detail()).updatedAt > before.updatedAt).toBe(true);
  });

  it('of a certificate that was revoked stays as it is', async () => {
    await put(PDF);
    await service.call('POST', `/v2/certificates/${certificateId}/revoke`, { reason: 'withdrawn' });
    expect((await put(PNG, { type: 'image/png' })).reason).toBe('certificate_closed');
    expect((await service.call('DELETE', pathOf())).reason).toBe('certificate_closed');
    expect((await get()).content.equals(PDF)).toBe(true);
  });
});

describe('a file is refused', () => {
  it.each([
    ['of another type', 'text/html', PDF, 'unsupported_media_type'],
    ['declared as JSON', 'application/json', Buffer.from('{}'), 'unsupported_media_type'],
    ['that is not what it is declared to be', 'image/png', PDF, 'file_type_mismatch'],
    ['that only claims to be one', 'application/pdf', Buffer.from('<html>'), 'file_type_unsupported'],
    ['without content', 'application/pdf', Buffer.alloc(0), 'file_type_unsupported'],
  ])('%s', async (_what, type, content, reason) => {
    const answer = await put(content, { type });
    expect([answer.status, answer.reason]).toEqual([400, reason]);
    expect((await get()).status).toBe(404);
  });

  it('of a certificate that the organization does not have', async () => {
    const others = (await newOrganization(service.db)).key;
    expect(await put(PDF, { key: others })).toMatchObject({ status: 404, reason: 'not_found' });
    await put(PDF);
    const { status, content } = await get({}, others);
    expect([status, content.includes('a licence')]).toEqual([404, false]);
    expect((await service.call('DELETE', pathOf(), undefined, others)).status).toBe(404);
    expect((await get()).status).toBe(200);
  });

  it('without the scopes of certificates', async () => {
    const reader = (await service.org.newKey({ scopes: ['certificates:read'] })).apiKey;
    const writer = (await service.org.newKey({ scopes: ['certificates:write'] })).apiKey;
    expect(await put(PDF, { key: reader })).toMatchObject({ status: 403, reason: 'scope_missing' });
    expect((await put(PDF, { key: writer })).status).toBe(200);
    expect([(await get({}, writer)).status, (await get({}, reader)).status]).toEqual([403, 200]);
    expect((await service.call('DELETE', pathOf(), undefined, reader)).reason).toBe('scope_missing');
  });

  it('to a credential bound to a customer where it does not see the certificate', async () => {
    const bound = (await service.org.newKey({ customerCode: 'HOSP-1', scopes: ['certificates:read'] }))
      .apiKey;
    await put(PDF);
    expect((await get({}, bound)).status).toBe(200);
    certificateId = await newCertificate({ subjectType: 'customer', subjectCode: 'HOSP-1' });
    await put(PDF);
    expect((await get({}, bound)).status).toBe(404);
  });
});

describe('a caller is judged before its file is read', () => {
  const begin = (headers: Record<string, string>): ClientRequest => {
    const { hostname, port } = new URL(service.api.url);
    return httpRequest({
      ...{ hostname, port, method: 'PUT', path: pathOf() },
      headers: { 'content-type': 'application/pdf', ...headers },
    });
  };
  const answerOf = async (sending: ClientRequest) => {
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, text, json: JSON.parse(text) };
  };

  it('one without a credential is refused before the first byte, and not read further', async () => {
    const sending = begin({ 'content-length': String(FILE_BYTES_MAX) });
    sending.flushHeaders();
    const answer = await answerOf(sending);
    sending.destroy();
    expect([answer.status, answer.json.errors[0].reason]).toEqual([401, 'credential_missing']);
    expect(answer.headers.connection).toBe('close');
    expect(faultsOf({ ...answer, headers: answer.headers as Record<string, string> })).toEqual([]);
  });

  it('one that asks first may go on only if it is authorized', async () => {
    const ask = async (authorization: string) => {
      const sending = begin({
        ...{ authorization, expect: '100-continue', 'content-length': String(PDF.length) },
      });
      let hasContinued = false;
      sending.on('continue', () => {
        hasContinued = true;
        sending.end(PDF);
      });
      sending.flushHeaders();
      const { status } = await answerOf(sending);
      sending.destroy();
      return { status, hasContinued };
    };
    expect(await ask('Bearer lw_wrong')).toEqual({ status: 401, hasContinued: false });
    expect(await ask(`Bearer ${service.org.key}`)).toEqual({ status: 200, hasContinued: true });
  });

  it('a file that says it is too large is refused before the first byte', async () => {
    const sending = begin({
      authorization: `Bearer ${service.org.key}`,
      'content-length': String(FILE_BYTES_MAX + 1),
    });
    sending.flushHeaders();
    const { status, json } = await answerOf(sending);
    sending.destroy();
    expect([status, json.errors[0].reason]).toEqual([400, 'body_too_large']);
  });

  it('two files of an organization that come slowly keep its third waiting, not those of others', async () => {
    const asking = (key: string) => {
      const sending = begin({
        ...{ authorization: `Bearer ${key}`, expect: '100-continue', 'content-length': String(PDF.length) },
      });
      const admitted = once(sending, 'continue');
      sending.flushHeaders();
      return { sending, admitted, answer: answerOf(sending) };
    };
    const finish = async ({ sending, answer }: ReturnType<typeof asking>) => {
      sending.end(PDF);
      return (await answer).status;
    };
    const [first, second] = [asking(service.org.key), asking(service.org.key)];
    await Promise.all([first.admitted, second.admitted]);
    const third = asking(service.org.key);
    let isThirdAdmitted = false;
    const admitted = third.admitted.then(() => {
      isThirdAdmitted = true;
    });
    const others = asking((await newOrganization(service.db)).key);
    await others.admitted;
    expect([await finish(others), isThirdAdmitted]).toEqual([404, false]);
    expect(await finish(first)).toBe(200);
    await admitted;
    expect([await finish(second), await finish(third)]).toEqual([200, 200]);
  });

  it('a file counts as ten requests, reading it as five', async () => {
    const limiter = countingLimiter(service.db.clock);
    const api = await startApi(service.db.database, { limiter });
    const { apiKey } = await service.org.newKey();
    const remaining = async (method: string, path: string, headers = {}, body?: string) => {
      const answer = await api.call(method, path, body, apiKey, headers);
      return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    };
    const before = await remaining('GET', '/v2/whoami');
    const type = { 'content-type': 'application/pdf' };
    expect(await remaining('PUT', pathOf(), type, PDF.toString())).toBe(before - 10);
    expect(await remaining('GET', pathOf())).toBe(before - 15);
    await api.close();
  });
});
