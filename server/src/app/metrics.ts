import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { readIntakeCounts } from '../environment/index.js';
import type { Database } from '../platform/database/index.js';
import { readFigures, type WebhookFigures } from '../webhooks/index.js';

export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Metrics of this process, in a registry of its own. */
export function requestMetrics(database: Database, requestLog: { readonly dropped: number }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'lotward_http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'lotward_database_connections',
    help: 'Connections and waiting callers, by role.',
    labelNames: ['role', 'state'],
    registers: [registry],
    collect() {
      for (const role of ['app', 'reader', 'worker'] as const) {
        for (const [state, value] of Object.entries(database[role].figures)) this.set({ role, state }, value);
      }
      for (const [state, value] of Object.entries(database.replica?.figures ?? {}))
        this.set({ role: 'replica', state }, value);
    },
  });
  new Gauge({
    name: 'lotward_clock_difference_seconds',
    help: 'System clock of this process minus the clock of the database.',
    registers: [registry],
    collect() {
      this.set(database.time.state.differenceMs / 1000);
    },
  });
  new Gauge({
    name: 'lotward_timed_work_paused',
    help: '1 while the clocks differ too much: this process begins nothing that depends on the time.',
    registers: [registry],
    collect() {
      this.set(database.time.state.isReliable ? 0 : 1);
    },
  });
  new Counter({
    name: 'lotward_request_log_dropped_total',
    help: 'Requests left out of the request log: too many at once, or the database was away for long.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(requestLog.dropped);
    },
  });
  if (database.replica) replicaMetrics(registry, database.replica);
  const webhooks = webhookMetrics(registry);
  const intake = new Counter({
    name: 'lotward_mqtt_total',
    help: 'Messages from the MQTT broker; of the readings in them, those stored, known already, or rejected by reason.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return {
    observe(request, reply) {
      // The route's pattern, not the requested address, so that the number of series stays bounded.
      const labels = {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
      };
      duration.observe(labels, reply.elapsedTime / 1000);
    },
    async text() {
      // The other metrics are useful even without the database.
      webhooks(await readFigures(database.worker).catch(() => []), database.clock.now());
      intake.reset();
      for (const { outcome, count } of await readIntakeCounts(database.worker).catch(() => []))
        intake.inc({ outcome }, count);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function replicaMetrics(registry: Registry, replica: NonNullable<Database['replica']>): void {
  const registers = [registry];
  new Gauge({
    name: 'lotward_replica_in_use',
    help: '0 while the replica is away or lags too much: the primary answers what the replica would.',
    registers,
    collect() {
      this.set(replica.state.status === 'in use' ? 1 : 0);
    },
  });
  new Gauge({
    name: 'lotward_replica_lag_seconds',
    help: 'Age of what the replica answers, at most; it includes the second between two measurements.',
    registers,
    collect() {
      this.set(replica.state.lagMs / 1_000);
    },
  });
  new Counter({
    name: 'lotward_replica_reads_total',
    help: 'Reads that may lag: answered by the replica, or by the primary and why.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of replica.counts) this.inc({ outcome }, count);
    },
  });
}

/** Counted by all workers together, in the database: every process shows the same. */
function webhookMetrics(registry: Registry): (figures: readonly WebhookFigures[], now: Date) => void {
  const registers = [registry];
  const labelNames = ['org', 'webhook'];
  const attempts = new Counter({
    name: 'lotward_webhook_attempts_total',
    help: 'Attempts to push, by webhook and result.',
    labelNames: [...labelNames, 'result'],
    registers,
  });
  const seconds = new Counter({
    name: 'lotward_webhook_attempt_seconds_total',
    help: 'Time spent on attempts: divided by their number, how long one takes.',
    labelNames,
    registers,
  });
  const enabled = new Gauge({
    name: 'lotward_webhook_enabled',
    help: '1 while the webhook is enabled.',
    labelNames,
    registers,
  });
  const waiting = new Gauge({
    name: 'lotward_webhook_waiting',
    help: 'Events not settled yet, and pushes waiting to be retried.',
    labelNames: [...labelNames, 'for'],
    registers,
  });
  const oldest = new Gauge({
    name: 'lotward_webhook_oldest_waiting_seconds',
    help: 'Age of the oldest event that is not settled yet.',
    labelNames,
    registers,
  });
  return (figures, now) => {
    for (const metric of [attempts, seconds, enabled, waiting, oldest]) metric.reset();
    for (const one of figures) {
      const labels = { org: one.orgId, webhook: one.webhookId };
      attempts.inc({ ...labels, result: 'delivered' }, one.delivered);
      attempts.inc({ ...labels, result: 'failed' }, one.failed);
      seconds.inc(labels, one.durationMs / 1000);
      enabled.set(labels, one.status === 'enabled' ? 1 : 0);
      waiting.set({ ...labels, for: 'first attempt' }, one.behind);
      waiting.set({ ...labels, for: 'retry' }, one.retrying);
      const { oldestWaitingAt: at } = one;
      oldest.set(labels, at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000));
    }
  };
}
