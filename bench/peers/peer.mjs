/*
 * A peer's side: a server that somebody else has started on this machine, driven through its HTTP API.
 */
import { existsSync } from 'node:fs';
import { request } from 'undici';
import { shapes, urlsOf } from './shapes.mjs';

const LOOPBACK = ['127.0.0.1', 'localhost'];

const pidsIn = (text = '') => text.split(/[\s,]+/).flatMap((pid) => (pid === '' ? [] : [Number(pid)]));

/** `PEER_PIDS`: all processes of the peer and of its stores; `PEER_DELIVERY_PIDS`: those that only push. */
export function processesIn(env) {
  const roots = pidsIn(env.PEER_PIDS);
  if (roots.length === 0) throw new Error('PEER_PIDS names no process: whose CPU is to be read?');
  const deliveryPids = pidsIn(env.PEER_DELIVERY_PIDS);
  const missing = [...roots, ...deliveryPids].filter((pid) => !existsSync(`/proc/${pid}`));
  if (missing.length > 0) throw new Error(`There is no process ${missing.join(', ')}.`);
  return { roots, deliveryPids };
}

export async function openPeer(form, adapter, settings, processes) {
  const { protocol, hostname, port } = new URL(settings.url);
  if (protocol !== 'http:' || !LOOPBACK.includes(hostname))
    throw new Error(`${settings.url} is not an HTTP address of this machine.`);
  const call = callerOf(settings);
  return {
    name: adapter.name,
    async side(shapeName, receiverPort) {
      const shape = shapes[shapeName];
      for (const [place, tenant] of shape.tenants.entries())
        await adapter.createTenant(call, settings, tenant, urlsOf(shape, place, receiverPort));
      return {
        ...processes,
        name: adapter.name,
        signatureHeader: adapter.signatureHeader,
        target: {
          ...{ form, shape, settings, port: Number(port || 80), pid: processes.roots[0], published: 0 },
          keys: shape.tenants.map(() => settings.key),
        },
      };
    },
  };
}

const callerOf =
  ({ url, key }) =>
  async (method, path, body, statuses = [200, 201, 202]) => {
    const answer = await request(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.body.text();
    if (!statuses.includes(answer.statusCode))
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  };
