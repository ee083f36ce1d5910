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
 * Where a server also listens, in its private folder: a statement takes a fifth less time than over the loopback. Null: the path is
 * too long for a socket, or has characters that mean something in a list of hosts.
 */
function socketFolder(cluster: string): string | null {
  const folder = resolve(cluster);
  const fits = Buffer.byteLength(socketIn(folder, PORT_MAX)) <= PATH_BYTES_MAX;
  return fits && !/[",\\]/.test(folder) ? folder : null;
}

/** The folder in which a server can listen. Null: none. No server may run on this database. */
export async function prepareSocketFolder(cluster: string): Promise<string | null> {
  const folder = socketFolder(cluster);
  // Left by a crash, with the number of a process that may by now be another program's: PostgreSQL would not start.
  for (const name of await readdir(cluster))
    if (name.startsWith(SOCKET)) await rm(join(cluster, name), { force: true });
  return folder !== null && (await canListenIn(folder)) ? folder : null;
}

/** Some file systems, such as folders of the host in a virtual machine, hold no sockets: PostgreSQL would not start. */
async function canListenIn(folder: string): Promise<boolean> {
  const server = createServer().listen(socketIn(folder, 'try'));
  const isListening = await happens(server, 'listening');
  server.close();
  return isListening;
}

/** The folder with the socket of the running server. Null: it has none, for example because an earlier version has started it. */
export async function findSocket(cluster: string, port: number): Promise<string | null> {
  const folder = socketFolder(cluster);
  if (folder === null) return null;
  const socket = connect(socketIn(folder, port));
  // A server that was killed leaves its socket behind.
  const isAnswered = await happens(socket, 'connect');
  socket.destroy();
  return isAnswered ? folder : null;
}

/** Whether an event comes before an error. */
const happens = (emitter: NodeJS.EventEmitter, event: string): Promise<boolean> =>
  once(emitter, event).then(
    () => true,
    () => false,
  );
