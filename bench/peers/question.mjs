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
const { fanOut, waiting } = shapes;
const inDrain = `drain of a backlog, ${waiting.tenants.length} organizations with one endpoint each`;
const BARE = 'bare events, no orders';

const questions = {
  one: {
    numbers: ['W1a', 'W1b'],
    what: `one event to one endpoint, ${CLIENTS} clients`,
    floor: 2,
    shapeName: 'one',
    sizeOf: (pace) => pace.peerEvents,
    runRound: pushAtOnce,
  },
  oneBare: {
    numbers: ['W1c', 'W1d'],
    what: `one event to one endpoint, ${CLIENTS} clients, ${BARE}`,
    shapeName: 'one',
    isBare: true,
    sizeOf: (pace) => pace.peerEvents,
    runRound: pushAtOnce,
  },
  fanOut: {
    numbers: ['W2a', 'W2b'],
    what: `fan-out, ${fanOut.tenants.length} organizations with ${fanOut.endpointsPerTenant} endpoints each, ${CLIENTS} clients`,
    floor: 4,
    shapeName: 'fanOut',
    sizeOf: (pace) => pace.peerFanOutEvents,
    runRound: pushAtOnce,
  },
  waiting: {
    numbers: ['W3a', 'W3b'],
    what: inDrain,
    floor: 4,
    shapeName: 'waiting',
    sizeOf: (pace) => pace.peerWaiting,
    runRound: drain,
  },
  waitingBare: {
    numbers: ['W3c', 'W3d'],
    what: `${inDrain}, ${BARE}`,
    shapeName: 'waiting',
    isBare: true,
    sizeOf: (pace) => pace.peerWaiting,
    runRound: drain,
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
  const asked = env.PEER_QUESTIONS?.split(',') ?? Object.keys(questions);
  const unknown = asked.find((name) => !(name in questions));
  if (unknown)
    throw new Error(`PEER_QUESTIONS: there is no "${unknown}": ${Object.keys(questions).join(', ')}.`);
  const processes = processesIn(env);
  const peer = await openPeer(form, adapter, settings, processes);
  say(`${peer.name}: CPU of ${namesOf(processes.roots)}`);
  const rows = [];
  for (const name of asked) rows.push(...(await askOne(peer, processes, questions[name], pace, say)));
  return rows;
}

/** Each question on a new database of Lotward's, so that none has the rows of another. */
async function askOne(peer, { deliveryPids }, question, pace, say) {
  const { numbers, what, shapeName, isBare, sizeOf, runRound } = question;
  if (runRound === drain && deliveryPids.length === 0)
    return [leftOut(numbers[0], `${what}: PEER_DELIVERY_PIDS names no process to stop`, say)];
  const events = sizeOf(pace);
  const { rounds } = pace;
  say(`${what}, ${events} events a round`);
  const receiver = await startPart(fileURLToPath(new URL('receiver.mjs', import.meta.url)), {});
  const loader = await startLoader(new URL('records.mjs', import.meta.url).href);
  let lotward;
  try {
    lotward = await openLotward(shapeName, receiver.port, isBare);
    if (!isBare) await lotward.prepareOrders((events + CLIENTS) * (rounds + 1));
    const baseline = await peer.side(shapeName, receiver.port);
    const bench = { receiver, loader, say };
    const { side: subject } = lotward;
    const found = await compareSides(bench, { subject, baseline, events, rounds, runRound });
    return rowsOf(question, peer.name, found);
  } finally {
    await lotward?.close();
    await endPart(loader);
    await endPart(receiver);
  }
}

/** The rate and the CPU of one comparison; without a floor, both are only shown. */
function rowsOf({ numbers: [rateNumber, cpuNumber], what, floor }, peerName, found) {
  const { rate, cpu, own, peer, pushes, errors } = found;
  const detail = `${describeSide(own)}; ${peerName} ${describeSide(peer)}; ${pushes} pushes, ${errors} wrong`;
  const isShown = floor === undefined;
  return [
    {
      number: rateNumber,
      what: `${what}, pushes/s / ${peerName}`,
      target: isShown ? SHOWN_ONLY : `≥ ${floor}`,
      reached: withQuartiles(rate),
      met: isShown || (rate.median >= floor && errors === 0),
      errors,
      detail,
    },
    {
      number: cpuNumber,
      what: `the same, CPU per push / ${peerName}`,
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
