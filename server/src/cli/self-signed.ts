import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate for development, generated once and stored in the data folder. Browsers rightly warn about it. */
export async function selfSignedCertificate(
  dataDir: string,
  host: string,
): Promise<{ cert: string; key: string }> {
  const certFile = join(dataDir, 'self-signed.crt');
  const keyFile = join(dataDir, 'self-signed.key');
  if (!existsSync(certFile) || !existsSync(keyFile)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const { generate } = await import('selfsigned');
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keySize: 2048,
      algorithm: 'sha256',
      notAfterDate: new Date(Date.now() + 825 * 86_400_000),
      extensions: [
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
            ...(/^[\d.]+$/.test(host) && host !== '0.0.0.0' && host !== '127.0.0.1'
              ? [{ type: 7 as const, ip: host }]
              : []),
          ],
        },
      ],
    });
    writeFileSync(keyFile, made.private, { mode: 0o600 });
    writeFileSync(certFile, made.cert);
  }
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
