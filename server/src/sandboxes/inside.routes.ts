import { type Route, writeRoute } from '../platform/http/index.js';
import { advanceClock } from './advance-clock.js';
import { requireSandbox } from './sandbox.errors.js';
import { ClockBody, ClockView, TriggerBody, TriggerView } from './sandbox.schemas.js';
import { triggerEvent } from './trigger-event.js';

const facts = { method: 'POST', scope: 'settings:write', tag: 'Sandboxes' } as const;
const insideOnly = 'Only with a credential of a sandbox; one of production is refused with 403.';

/** Steps inside a sandbox, with its own key. */
export const insideRoutes = (): Route[] => [
  writeRoute({
    ...facts,
    operationId: 'advanceSandboxClock',
    path: '/v2/sandbox/clock',
    summary: 'Advance the clock of the sandbox',
    description: `Runs its days one after the other, each with the notifications of its daily run. Moves business dates only: keys, leases, limits and the times of records stay real. Never goes back. ${insideOnly}`,
    body: ClockBody,
    data: ClockView,
    countsAs: 5,
    changes: () => 'sandbox clock',
    async execute(tx, { principal, body }) {
      requireSandbox(principal);
      // A sandbox has no people to read a digest.
      return advanceClock(tx, body.advance, { consoleUrl: '' });
    },
  }),
  writeRoute({
    ...facts,
    operationId: 'triggerSandboxEvent',
    path: '/v2/sandbox/trigger',
    summary: 'Make the change that causes an event',
    description: `Makes a real change with records of its own, whose codes begin with \`SANDBOX-\`. The event appears in the feed and is pushed like any other. ${insideOnly}`,
    body: TriggerBody,
    data: TriggerView,
    changes: () => 'sandbox trigger',
    async execute(tx, { principal, body }) {
      requireSandbox(principal);
      return triggerEvent(tx, body.eventType);
    },
  }),
];
