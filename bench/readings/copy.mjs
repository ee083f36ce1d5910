/*
 * The baseline, a separate process: plain COPY FROM STDIN, as many rows as possible in a given time.
 */
import pg from 'pg';
import { answerWith } from '../measure/processes.mjs';
import { BATCH, linesOf } from './records.mjs';

let settings;
const clients = [];

async function begin({ url, orgId, firstAt, connections }) {
  settings = { orgId, firstAt };
  for (let i = 0; i < connections; i++) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    clients.push(client);
  }
  return {};
}

/** COPY through the driver's protocol functions, with back-pressure. */
class CopyIn {
  constructor(text, nextChunk) {
    this.text = text;
    this.nextChunk = nextChunk;
    this.done = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }
  submit(connection) {
    this.connection = connection;
    connection.query(this.text);
  }
  handleCopyInResponse() {
    const { connection } = this;
    const send = () => {
      for (;;) {
        const chunk = this.nextChunk();
        if (chunk === null) {
          connection.endCopyFrom();
          return;
        }
        connection.sendCopyFromChunk(Buffer.from(chunk));
        if (connection.stream.writableNeedDrain) {
          connection.stream.once('drain', send);
          return;
        }
      }
    };
    send();
  }
  handleError(error) {
    this.reject(error);
  }
  handleReadyForQuery() {
    this.resolve();
  }
  handleCommandComplete() {}
  handleRowDescription() {}
  handleDataRow() {}
  handlePortalSuspended() {}
  handleEmptyQuery() {}
}

/** `batchesPerCopy` batches are one COPY and so one commit. */
async function run({ answered, connections, durationMs, batchesPerCopy }) {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt >= durationMs;
  let following = answered;
  const lane = async (client) => {
    while (!isOver()) {
      let left = batchesPerCopy;
      const copy = new CopyIn('copy bench_readings from stdin', () => {
        if (left === 0 || isOver()) return null;
        left--;
        return linesOf(following++, settings.orgId, settings.firstAt);
      });
      client.query(copy);
      await copy.done;
    }
  };
  await Promise.all(clients.slice(0, connections).map(lane));
  const batches = following - answered;
  return { batches, rowsPerSecond: (batches * BATCH * 1000) / (performance.now() - startedAt) };
}

answerWith({ begin, run });
