/*
 * Lotward's webhooks beside those of a peer that runs on this machine, in one run: one event to one endpoint, fan-out, and a backlog.
 */
import { fileURLToPath } from 'node:url';
import { startLoader, withQuartiles } from '../measure/compare.mjs';
import { endPart, startPart } from '../measure/processes.mjs';
import { adapters } from './adapters.mjs';
import { openLotward } from './lotward.mjs';
import { openPeer, processesIn } from './peer.mjs';
import { namesOf } from './process-trees.mjs';
import { CLIENTS, compareSides, describeSide, drain, pushAtOnce } from './rounds.mjs';
import { shapes } from './shapes.mjs';

const CPU_MAX = 0.4;
const SHOWN_ONLY = 'shown only';
const BARE = 'the same, an event in a transaction of its own behind the smallest HTTP server, no order';

const questions = {
  one: {
    number: 'W1',
    what: `one event to one endpoint, an approved order / a published event, ${CLIENTS} clients`,
    floor: 2,
    sizeOf: (pace) => pace.peerEvents,
    runRound: pushAtOnce,
    hasBare: true,
  },
  fanOut: {
    number: 'W2',
    what: `fan-out, ${shapes.fanOut.tenants.length} organizations with ${shapes.fanOut.endpointsPerTenant} endpoints each, ${CLIENTS} clients`,
    floor: 4,
    sizeOf: (pace) => pace.peerFanOutEvents,
    runRound: pushAtOnce,
  },
  waiting: {
    number: 'W3',
    what: `drain of a backlog, ${shapes.waiting.tenants.length} organizations with one endpoint each`,
    floor: 4,
    sizeOf: (pace) => pace.peerWaiting,
    runRound: drain,
    hasBare: true,
    stopsDelivery: true,
  },
};

export async function peers({ pace, say, env = process.env }) {
  const given = Object.entries(adapters).flatMap(([form, adapter]) => {
    const settings = adapter.settingsIn(env);
    return settings ? [{ form, adapter, settings }] : [];
  });
  if (given.length === 0) return [leftOut('W', 'no address of a peer is given', say)];
  if (given.length > 1) throw new Error('One peer at a time: PEER_PIDS are those of one.');
  const [{ form, adapter, settings }] = given;
  const processes = processesIn(env);
  const peer = await openPeer(form, adapter, settings, processes);
  say(`${peer.name}: CPU of ${namesOf(processes.roots)}`);
  const asked = env.PEER_QUESTIONS?.split(',') ?? Object.keys(questions);
  const unknown = asked.find((name) => !(name in questions));
  if (unknown)
    throw new Error(`PEER_QUESTIONS: there is no "${unknown}": ${Object.keys(questions).join(', ')}.`);
  const rows = [];
  for (const name of asked) rows.push(...(await askOne(peer, processes, name, pace, say)));
  return rows;
}

/** Each question on a new database of Lotward's, so that none has the rows of another. */
async function askOne(peer, { deliveryPids }, shapeName, pace, say) {
  const { number, what, floor, sizeOf, runRound, hasBare, stopsDelivery } = questions[shapeName];
  if (stopsDelivery && deliveryPids.length === 0)
    return [leftOut(number, `${what}: PEER_DELIVERY_PIDS names no process to stop`, say)];
  const events = sizeOf(pace);
  const { rounds } = pace;
  say(`${what}, ${events} events a round`);
  const receiver = await startPart(fileURLToPath(new URL('receiver.mjs', import.meta.url)), {});
  const loader = await startLoader(new URL('records.mjs', import.meta.url).href);
  let lotward;
  try {
    lotward = await openLotward([shapeName], receiver.port);
    await lotward.prepareOrders(shapeName, (events + CLIENTS) * (rounds + 1));
    const baseline = await peer.side(shapeName, receiver.port);
    const subjects = [lotward.side(shapeName), ...(hasBare ? [await lotward.bareSide(shapeName)] : [])];
    const bench = { receiver, loader, say };
    const [found, bare] = await compareSides(bench, { subjects, baseline, events, rounds, runRound });
    return [
      ...rowsOf([`${number}a`, `${number}b`], `${what} / ${peer.name}`, { floor, found }),
      ...(bare ? rowsOf([`${number}c`, `${number}d`], `${BARE} / ${peer.name}`, { found: bare }) : []),
    ];
  } finally {
    await lotward?.close();
    await endPart(loader);
    await endPart(receiver);
  }
}

/** The rate and the CPU of one comparison; without a floor, both are only shown. */
function rowsOf([rateNumber, cpuNumber], what, { floor, found }) {
  const { rate, cpu, own, peer, pushes, errors } = found;
  const detail = `${describeSide(own)}; the peer ${describeSide(peer)}; ${pushes} pushes, ${errors} wrong`;
  const isShown = floor === undefined;
  return [
    {
      number: rateNumber,
      what: `${what}, pushes/s`,
      target: isShown ? SHOWN_ONLY : `≥ ${floor}`,
      reached: withQuartiles(rate),
      met: isShown || (rate.median >= floor && errors === 0),
      errors,
      detail,
    },
    {
      number: cpuNumber,
      what: 'CPU (all processes of a side) per push',
      target: isShown ? SHOWN_ONLY : `≤ ${CPU_MAX}`,
      reached: withQuartiles(cpu),
      met: isShown || (cpu.median <= CPU_MAX && errors === 0),
      errors: 0,
      detail,
    },
  ];
}

function leftOut(number, why, say) {
  say(`left out: ${why}`);
  return {
    number,
    what: 'webhooks beside a peer',
    target: SHOWN_ONLY,
    reached: 'left out',
    met: true,
    errors: 0,
    detail: `${why} (bench/peers/README.md)`,
  };
}
