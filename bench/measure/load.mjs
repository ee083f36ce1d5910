/*
 * The load generator, a process of its own. Keep-alive connections on node:net, one request at a time on each.
 * What is asked and what must be answered says the module it is begun with: `asking(target)` gives the number of
 * the next request, its text, and whether an answer is right. The generator does as little as it can, because it
 * shares the machine with what it measures: every answer is looked at, one in 64 is compared in full.
 */
import { connect } from 'node:net';
import { answerWith, cpuSeconds, postgresCpu, postgresSecondsSince } from './processes.mjs';

const COMPARED_ONE_IN = 64;
/** A run of a million requests needs no million latencies. */
const LATENCIES_MAX = 100_000;
let asking;

/** The counters of one round, which ends after a time or a number of requests. */
function newTally({ durationMs, requests }, isRight) {
  const startedAt = performance.now();
  const tally = { requests: 0, errors: 0, compared: 0, latencies: [] };
  return {
    tally,
    isOver: () =>
      durationMs === undefined ? tally.requests >= requests : performance.now() - startedAt >= durationMs,
    seconds: () => (performance.now() - startedAt) / 1000,
    add(latencyMs, n, text, bodyAt) {
      tally.requests++;
      if (tally.latencies.length < LATENCIES_MAX) tally.latencies.push(latencyMs);
      const inFull = tally.requests % COMPARED_ONE_IN === 0;
      if (inFull) tally.compared++;
      if (!isRight(n, text, bodyAt, inFull)) tally.errors++;
    },
  };
}

async function openConnection(port) {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return {
    close: () => socket.destroy(),
    /** Asks again and again until the round is over. */
    run: (round, work) =>
      new Promise((resolve, reject) => {
        let n = 0;
        let askedAt = 0;
        let received = '';
        const ask = () => {
          n = work.next();
          received = '';
          askedAt = performance.now();
          socket.write(work.request(n), 'latin1');
        };
        socket.on('error', reject);
        socket.on('end', () => reject(new Error('the server closed a connection')));
        socket.on('data', (chunk) => {
          received += chunk.latin1Slice();
          const bodyAt = received.indexOf('\r\n\r\n') + 4;
          const length = bodyAt < 4 ? null : /\r\ncontent-length: (\d+)/i.exec(received);
          if (!length || received.length < bodyAt + Number(length[1])) return;
          round.add(performance.now() - askedAt, n, received, bodyAt);
          if (round.isOver()) resolve();
          else ask();
        });
        ask();
      }),
  };
}

/** One round: so many connections for a time, or until so many requests are answered. */
async function run({ target, connections, durationMs, requests, postmaster }) {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(target.port)));
  const work = asking(target);
  const postgresBefore = postgresCpu(postmaster);
  const nodeBefore = cpuSeconds(target.pid);
  const round = newTally({ durationMs, requests }, work.isRight);
  try {
    await Promise.all(opened.map((connection) => connection.run(round, work)));
  } finally {
    for (const connection of opened) connection.close();
  }
  const seconds = round.seconds();
  const nodeSeconds = cpuSeconds(target.pid) - nodeBefore;
  const postgresSeconds = postgresSecondsSince(postmaster, postgresBefore);
  const { latencies, ...tally } = round.tally;
  latencies.sort((a, b) => a - b);
  return {
    ...tally,
    rps: tally.requests / seconds,
    nodeMicros: (nodeSeconds * 1e6) / tally.requests,
    postgresMicros: (postgresSeconds * 1e6) / tally.requests,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
  };
}

async function begin({ records }) {
  ({ asking } = await import(records));
  return {};
}

answerWith({ begin, run });
