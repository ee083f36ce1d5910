import { expect, it } from 'vitest';
import { byHour } from './hours.js';

const at = (time: string, status: number | null, durationMs: number) => ({
  at: `2026-11-15T${time}:00Z`,
  status,
  durationMs,
});

it('attempts are counted in their hour, with their latency; an hour without any is shown as one', () => {
  const attempts = [
    at('08:10', 200, 10),
    at('08:59', 204, 30),
    at('08:20', 500, 20),
    at('10:00', null, 5_000),
    at('05:00', 200, 1),
  ];
  expect(byHour(attempts, Date.parse('2026-11-15T10:30:00Z'), 3)).toEqual([
    { startMs: Date.parse('2026-11-15T08:00:00Z'), succeeded: 2, failed: 1, medianMs: 20, p95Ms: 30 },
    { startMs: Date.parse('2026-11-15T09:00:00Z'), succeeded: 0, failed: 0, medianMs: null, p95Ms: null },
    { startMs: Date.parse('2026-11-15T10:00:00Z'), succeeded: 0, failed: 1, medianMs: 5_000, p95Ms: 5_000 },
  ]);
});
