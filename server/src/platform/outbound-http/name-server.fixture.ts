import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface Zone {
  /** Addresses by name; a name that is not among them does not exist. */
  readonly [name: string]: readonly string[];
}

/** A real name server on the loopback interface, for A and AAAA. */
export interface NameServer {
  readonly address: string;
  zone: Zone;
  ttlSeconds: number;
  /** Names that are never answered. */
  silentFor: (name: string, type: 'A' | 'AAAA') => boolean;
  /** Every question, as `A name` or `AAAA name`. */
  readonly asked: string[];
  close(): Promise<void>;
}

const TYPES = new Map([
  [1, 'A'],
  [28, 'AAAA'],
] as const);
const NO_SUCH_NAME = 3;

export async function openNameServer(zone: Zone = {}): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    ttlSeconds: 60,
    silentFor: () => false,
    asked: [],
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    server.asked.push(`${type} ${name}`);
    if (server.silentFor(name, type)) return;
    const known = server.zone[name];
    const wanted = (known ?? []).filter((address) => (type === 'AAAA') === address.includes(':'));
    const records = wanted.map((address) => recordOf(type, server.ttlSeconds, address));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | (known ? 0 : NO_SUCH_NAME), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
  });
  return server;
}

function questionOf(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = TYPES.get(query.readUInt16BE(at + 1) as 1 | 28) ?? 'A';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function recordOf(type: 'A' | 'AAAA', ttlSeconds: number, address: string): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : bytesOfIpv6(address);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0); // the name of the question
  record.writeUInt16BE(type === 'A' ? 1 : 28, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttlSeconds, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function bytesOfIpv6(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((each) => Number.parseInt(each, 16));
  const first = groups(head);
  const last = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  const bytes = Buffer.alloc(16);
  for (const [i, group] of [...first, ...zeros, ...last].entries()) bytes.writeUInt16BE(group, i * 2);
  return bytes;
}
