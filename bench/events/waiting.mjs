/*
 * Events that were committed while no worker ran: without a number, each for one endpoint. A worker is started for every round.
 */
import { ask, cpuSeconds, postgresCpu, postgresSecondsSince } from '../measure/processes.mjs';
import { median, quartiles, sum } from '../measure/statistics.mjs';
import { ENDPOINTS_PER_ORGANIZATION, eventsOf, OWN_TYPES } from '../webhooks/records.mjs';
import { allSettled, countAttempts } from '../webhooks/tables.mjs';

const PATIENCE_MS = 300_000;
const INSERTED_AT_ONCE = 10_000;

let rounds = 0;

const insert = `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, body)
  select e.org_id, e.event_id, e.event_type, now(), 'order', e.entity_id, e.version, e.body
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
    as e(org_id, event_id, event_type, entity_id, version, body)`;

/** All events of an order have the same type, and so the same endpoint. */
const typeOf = ({ mark }) => OWN_TYPES[mark % ENDPOINTS_PER_ORGANIZATION];

async function insertUnnumbered({ owner, orgIds }, events) {
  for (let at = 0; at < events.length; at += INSERTED_AT_ONCE) {
    const some = events.slice(at, at + INSERTED_AT_ONCE);
    await owner.query(insert, [
      some.map(({ organization }) => orgIds[organization]),
      some.map(({ eventId }) => eventId),
      some.map(typeOf),
      some.map(({ orderId }) => orderId),
      some.map(({ mark }) => mark + 1),
      some.map(({ body }) => body),
    ]);
  }
  await owner.query('vacuum (analyze) events');
}

export async function compareWaiting(bench) {
  const { start, end, receiver, pace, say } = bench;
  const raw = await start('../webhooks/raw.mjs', { port: receiver.port, spread: false });
  const before = [await rawRound(bench, raw)];
  const own = [];
  for (let i = 0; i < pace.rounds; i++) {
    own.push(await workerRound(bench));
    before.push(await rawRound(bench, raw));
    say(
      `first push after ${own.at(-1).first.toFixed(2)} s, ${Math.round(own.at(-1).rate)} pushes/s; raw ${Math.round(before.at(-1).rate)}`,
    );
  }
  await end(raw);
  const figure = (name) => median(own.map((round) => round[name]));
  return {
    first: quartiles(own.map((round) => round.first)),
    rate: quartiles(own.map(({ rate }, i) => rate / ((before[i].rate + before[i + 1].rate) / 2))),
    errors: sum([...own, ...before].map((round) => round.errors)),
    detail:
      `${Math.round(figure('rate'))} pushes/s, node ${figure('nodeMicros').toFixed(0)} + PG ${figure('postgresMicros').toFixed(0)} µs a push; ` +
      `baseline ${Math.round(median(before.map((round) => round.rate)))} pushes/s; ${pace.waitingEvents} pushes a round, all checked`,
  };
}

async function workerRound({ start, end, receiver, data, postmaster, pace }) {
  const round = ++rounds;
  const perOrganization = pace.waitingEvents / data.orgIds.length;
  const count = perOrganization * data.orgIds.length;
  await insertUnnumbered(data, eventsOf(round, data.orgIds.length, perOrganization));
  await ask(receiver.child, { kind: 'forget' }, PATIENCE_MS);
  const noted = await countAttempts(data.owner);
  const postgresBefore = postgresCpu(postmaster);
  const startedAt = performance.now();
  const worker = await start('../webhooks/worker.mjs', { url: data.url, secretKey: data.secretKey });
  await ask(receiver.child, { kind: 'arrived', count: 1, patienceMs: PATIENCE_MS }, 2 * PATIENCE_MS);
  const first = (performance.now() - startedAt) / 1000;
  await ask(receiver.child, { kind: 'arrived', count, patienceMs: PATIENCE_MS }, 2 * PATIENCE_MS);
  await allSettled(data.owner, PATIENCE_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  const node = cpuSeconds(worker.pid);
  const postgres = postgresSecondsSince(postmaster, postgresBefore);
  await end(worker);
  const more = (await countAttempts(data.owner)) - noted;
  if (more !== count) throw new Error(`${more} attempts were noted for ${count} pushes`);
  const { errors } = await checked(receiver, { round, count, ours: true });
  return {
    first,
    errors,
    rate: count / seconds,
    nodeMicros: (node * 1e6) / count,
    postgresMicros: (postgres * 1e6) / count,
  };
}

async function rawRound({ receiver, data, pace }, raw) {
  const round = ++rounds;
  const organizations = data.orgIds.length;
  const perOrganization = pace.waitingEvents / organizations / ENDPOINTS_PER_ORGANIZATION;
  const count = perOrganization * organizations * ENDPOINTS_PER_ORGANIZATION;
  await ask(receiver.child, { kind: 'forget' }, PATIENCE_MS);
  await ask(raw.child, { kind: 'prepare', round, organizations, perOrganization }, PATIENCE_MS);
  const { seconds } = await ask(raw.child, { kind: 'run' }, PATIENCE_MS);
  const { errors } = await checked(receiver, { round, count, ours: false });
  return { rate: count / seconds, errors };
}

async function checked(receiver, { round, count, ours }) {
  const expected = { round, count, ordered: ours, trio: ours, capped: ours };
  const found = await ask(receiver.child, { kind: 'check', ...expected }, PATIENCE_MS);
  return { errors: found.faults };
}
