import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hasCode } from './explained.js';

/**
 * Finds a free port of 127.0.0.1, below the ephemeral range, so that no outgoing connection occupies it while the database is
 * down.
 */
export async function freePort(preferred = randomPort()): Promise<number> {
  let port = preferred;
  while (!(await isFree(port))) port = randomPort();
  return port;
}

const randomPort = () => randomInt(20_000, 32_000);

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
