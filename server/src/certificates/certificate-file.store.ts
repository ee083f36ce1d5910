import { type Pool, statement, type Tx } from '../platform/database/index.js';
import type { CertificateFile } from './certificate-file.js';

const description = `file_name as "fileName", content_type as "contentType", size, encode(sha256, 'hex') as "sha256",
  stored_at as "storedAt", stored_by as "storedBy"`;
const byCertificate = statement(
  `select ${description} from certificate_files where org_id = $1 and certificate_id = $2`,
);

export async function readFileOf(
  from: Pick<Pool, 'query'>,
  orgId: string,
  certificateId: string,
): Promise<CertificateFile | null> {
  const [row] = await from.query<CertificateFile>(byCertificate, [orgId, certificateId]);
  return row ?? null;
}

/** The driver reads values as hexadecimal text, so a whole file would take several times its size in memory. */
const PART_BYTES = 1024 * 1024;
const part = statement(`
  select substring(content from $4::integer for ${PART_BYTES}) as content from certificate_files
  where org_id = $1 and certificate_id = $2 and sha256 = decode($3, 'hex')`);

/** The content with this hash; null if it is no longer there. */
export async function readFileContent(
  tx: Tx,
  certificateId: string,
  { sha256, size }: Pick<CertificateFile, 'sha256' | 'size'>,
): Promise<Buffer | null> {
  const content = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at += PART_BYTES) {
    const [row] = await tx.query<{ content: Buffer }>(part, [tx.orgId, certificateId, sha256, at + 1]);
    if (!row) return null;
    row.content.copy(content, at);
  }
  return content;
}

const put = statement(`
  insert into certificate_files (org_id, certificate_id, file_name, content_type, size, sha256, content, stored_at, stored_by)
  values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9)
  on conflict (org_id, certificate_id) do update set file_name = excluded.file_name, content_type = excluded.content_type,
    size = excluded.size, sha256 = excluded.sha256, content = excluded.content, stored_at = excluded.stored_at,
    stored_by = excluded.stored_by`);

export function putFile(tx: Tx, certificateId: string, file: CertificateFile, content: Buffer): void {
  const { fileName, contentType, size, sha256, storedAt, storedBy } = file;
  tx.send(put, [
    tx.orgId,
    certificateId,
    ...[fileName, contentType, size, sha256, content, storedAt, storedBy],
  ]);
}

const remove = statement('delete from certificate_files where org_id = $1 and certificate_id = $2');

export function removeFile(tx: Tx, certificateId: string): void {
  tx.send(remove, [tx.orgId, certificateId]);
}
