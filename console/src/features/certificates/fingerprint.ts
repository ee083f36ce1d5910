/** In the service's format: the name of the algorithm, and the digits. */
export async function fingerprintOf(file: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Digits without an algorithm count as SHA-256. */
export const isSameFingerprint = (one: string, two: string): boolean =>
  one.toLowerCase().replace(/^sha256:/, '') === two.toLowerCase().replace(/^sha256:/, '');
