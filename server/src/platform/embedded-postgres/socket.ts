import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';

const SOCKET = '.s.PGSQL.';
const PORT_MAX = 65_535;
/** The lowest limit of a system for the path of a socket, without its final zero. */
const PATH_BYTES_MAX = 103;

const socketIn = (folder: string, port: number | string): string => join(folder, `${SOCKET}${port}`);

/**
 * The socket of a server, in its private folder: statements take a fifth less time than over loopback. Null if the path is
 * too long for a socket or has characters with a meaning in a list of hosts.
 */
function socketFolder(cluster: string): string | null {
  const folder = resolve(cluster);
  const fits = Buffer.byteLength(socketIn(folder, PORT_MAX)) <= PATH_BYTES_MAX;
  return fits && !/[",\\]/.test(folder) ? folder : null;
}

/** The folder in which a server can listen; null for none. No server may run on this database. */
export async function prepareSocketFolder(cluster: string): Promise<string | null> {
  const folder = socketFolder(cluster);
  // Left by a crash. The process number in it may now belong to another program, and PostgreSQL would not start.
  for (const name of await readdir(cluster))
    if (name.startsWith(SOCKET)) await rm(join(cluster, name), { force: true });
  return folder !== null && (await canListenIn(folder)) ? folder : null;
}

/** Some file systems, such as host folders in a virtual machine, do not support sockets: PostgreSQL would not start. */
async function canListenIn(folder: string): Promise<boolean> {
  const server = createServer().listen(socketIn(folder, 'try'));
  const isListening = await happens(server, 'listening');
  server.close();
  return isListening;
}

/**
 * The folder with the socket of the running server; null if it has none, for example because an earlier version started it.
 */
export async function findSocket(cluster: string, port: number): Promise<string | null> {
  const folder = socketFolder(cluster);
  if (folder === null) return null;
  const socket = connect(socketIn(folder, port));
  // A server that was killed leaves its socket behind.
  const isAnswered = await happens(socket, 'connect');
  socket.destroy();
  return isAnswered ? folder : null;
}

/** Whether an event occurs before an error. */
const happens = (emitter: NodeJS.EventEmitter, event: string): Promise<boolean> =>
  once(emitter, event).then(
    () => true,
    () => false,
  );
