/*
 * Does the register of certificates answer quickly with a million certificates of one organization, for every
 * filter?
 */
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openServer } from '../inventory/tables.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { fillRegister, numberOf, subjectOf } from './tables.mjs';

const WARM_UPS = 10;
const REQUESTS_MIN = 20;
/** For nearly all requests, 95 of 100, one after the other. */
const TARGET_MS = 200;

export async function certificates({ pace, say }) {
  const server = await openServer();
  let api;
  try {
    say(`filling two registers of ${pace.certificates} certificates`);
    const data = await fillRegister(server, pace.certificates);
    say('asking');
    api = await startPart(fileURLToPath(new URL('../inventory/api.mjs', import.meta.url)), data);
    const rows = [];
    for (const [place, question] of questionsOf(data).entries()) {
      const found = await ask(api.port, question, pace);
      say(`${question.what}: ${describe(found)}`);
      rows.push(rowOf(`C${place + 1}`, question, found));
    }
    return rows;
  } finally {
    if (api) await endPart(api);
    await server.close();
  }
}

/** The requests, and what each answer must look like. `some`: it must not be empty. */
function questionsOf({ scattered, rising, products, certificates: count }) {
  const anyOne = () => 1 + Math.floor(Math.random() * count);
  const [key] = scattered.keys;
  const [risingKey] = rising.keys;
  const has = (field, value) => (item) => item[field] === value;
  const ofStatus = (status, by, register) => ({
    what: `status=${status}${register}`,
    key: by,
    query: () => ({ path: `status=${status}`, fits: has('status', status) }),
    some: status !== 'not_yet_valid' || by === risingKey,
  });
  const statuses = ['expiring', 'expired', 'valid', 'not_yet_valid', 'superseded'];
  return [
    {
      what: 'by subject',
      key,
      some: true,
      query() {
        const code = subjectOf(anyOne() * 100 + 2, products);
        return { path: `subjectType=product&subjectCode=${code}`, fits: has('subjectCode', code) };
      },
    },
    {
      what: 'by number',
      key,
      some: true,
      query() {
        const no = numberOf(anyOne());
        return { path: `certificateNo=${no}`, fits: has('certificateNo', no) };
      },
    },
    { what: 'plain list', key, some: true, query: () => ({ path: '', fits: () => true }) },
    {
      what: 'subjectType=customer',
      key,
      some: true,
      query: () => ({ path: 'subjectType=customer', fits: has('subjectType', 'customer') }),
    },
    ...statuses.map((status) => ofStatus(status, key, '')),
    ...statuses.map((status) => ofStatus(status, risingKey, ', ids rise with dates')),
    {
      what: 'status=expiring and a type, ids rise with dates',
      key: risingKey,
      some: true,
      query: () => ({ path: 'status=expiring&type=licence', fits: has('type', 'licence') }),
    },
    {
      what: 'status=valid and a type, ids rise with dates',
      key: risingKey,
      some: true,
      query: () => ({ path: 'status=valid&type=licence', fits: has('type', 'licence') }),
    },
    ...[
      ['', key],
      [', ids rise with dates', risingKey],
    ].map(([register, by]) => ({
      what: `expiringWithinDays=30${register}`,
      key: by,
      some: true,
      query: () => ({
        path: 'expiringWithinDays=30',
        fits: (item) => item.daysRemaining >= 0 && item.daysRemaining <= 30,
      }),
    })),
  ];
}

async function ask(port, { key, query, some }, { registerMs, registerRequestsMax }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let errors = 0;
  const once = async () => {
    const { path, fits } = query();
    const from = performance.now();
    const { status, body } = await request(agent, port, `/v2/certificates?${path}`, key);
    const took = performance.now() - from;
    const items = status === 200 ? JSON.parse(body).data.items : [];
    if (status !== 200 || !items.every(fits) || (some && items.length === 0)) errors++;
    return took;
  };
  try {
    for (let i = 0; i < WARM_UPS; i++) await once();
    const end = performance.now() + registerMs;
    while (times.length < REQUESTS_MIN || (times.length < registerRequestsMax && performance.now() < end))
      times.push(await once());
  } finally {
    agent.destroy();
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { requests: times.length, median: at(0.5), nearlyAll: at(0.95), errors };
}

function request(agent, port, path, key) {
  return new Promise((resolve, reject) => {
    get({ agent, port, path, host: '127.0.0.1', headers: { authorization: `Bearer ${key}` } }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, body: Buffer.concat(parts).toString() }),
      );
      response.on('error', reject);
    }).on('error', reject);
  });
}

const describe = ({ requests, median, nearlyAll, errors }) =>
  `p50 ${median.toFixed(1)} ms, p95 ${nearlyAll.toFixed(1)} ms of ${requests} requests${errors > 0 ? `, ${errors} wrong` : ''}`;

const rowOf = (number, { what }, found) => ({
  number,
  what: `certificates, ${what}`,
  target: `p95 ≤ ${TARGET_MS} ms`,
  reached: `p50 ${found.median.toFixed(1)}, p95 ${found.nearlyAll.toFixed(1)} ms`,
  met: found.nearlyAll <= TARGET_MS && found.errors === 0,
  errors: found.errors,
  detail: `${what}: ${describe(found)}`,
});
