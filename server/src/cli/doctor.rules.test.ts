import { describe, expect, it } from 'vitest';
import { type Examined, findProblems } from './doctor.rules.js';

const GIB = 2 ** 30;
const node = (port: number, bytes: number | null, isReachable = true) => ({
  host: 'db',
  port,
  isReachable,
  shards: bytes === 0 ? 0 : 4,
  bytes,
});
const examined = (cluster: Partial<NonNullable<Examined['cluster']>> | null, missing: string[] = []) =>
  findProblems({
    missing,
    cluster: cluster && {
      nodes: [node(1, 0), node(2, 3 * GIB), node(3, 2 * GIB)],
      plain: [],
      unfinishedCommits: 0,
      ...cluster,
    },
  });

describe('the doctor', () => {
  it('finds nothing on a plain server or a healthy cluster, whose coordinator holds no rows', () => {
    expect(examined(null)).toEqual([]);
    expect(examined({})).toEqual([]);
    expect(examined({ unfinishedCommits: 1 })).toEqual([]);
  });

  it('names migrations that are missing', () => {
    expect(examined(null, ['0040_x.sql'])).toEqual(['The database lacks 0040_x.sql. Run "lotward migrate".']);
  });

  it('names nodes that are away, and the commits that wait for them', () => {
    expect(
      examined({ nodes: [node(1, null), node(2, null, false), node(3, null)], unfinishedCommits: 2 }),
    ).toEqual([expect.stringContaining('cannot reach db:2'), expect.stringContaining('2 commits wait')]);
  });

  it('names tables that are not distributed', () => {
    expect(examined({ plain: ['orders'] })).toEqual([expect.stringContaining('(orders)')]);
  });

  it('names a node with more than twice the rows of another, once that is worth moving', () => {
    expect(examined({ nodes: [node(1, 0), node(2, 3 * GIB), node(3, GIB)] })).toEqual([
      expect.stringContaining('db:2 holds more than twice as much as db:3'),
    ]);
    expect(examined({ nodes: [node(1, 0), node(2, GIB / 2), node(3, GIB / 10)] })).toEqual([]);
  });
});
