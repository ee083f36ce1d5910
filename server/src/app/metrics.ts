import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../platform/database/index.js';

export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** What this process counts about itself, in a registry of its own. */
export function requestMetrics(database: Database): Metrics {
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
    },
  });
  return {
    observe(request, reply) {
      // The route's pattern, not the address asked for: the number of series stays bounded.
      const labels = {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
      };
      duration.observe(labels, reply.elapsedTime / 1000);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
