import { describe, expect, it } from 'vitest';
import { StartRefused } from '../start-refused.js';
import { Servers } from './servers.js';

const parsed = (url: string) => {
  const { urls, attribute } = Servers.parse(url);
  return { urls, attribute };
};

describe('the servers of a DATABASE_URL', () => {
  it.each([
    ['postgres://u:p@h/d', ['postgres://u:p@h/d'], 'any'],
    ['postgresql://h:6000/d?sslmode=require', ['postgresql://h:6000/d?sslmode=require'], 'any'],
    ['postgres://u@h/d?target_session_attrs=primary', ['postgres://u@h/d'], 'primary'],
    [
      'postgres://u:p@h1:5432,h2:5433/d?target_session_attrs=read-write&sslmode=require',
      ['postgres://u:p@h1:5432/d?sslmode=require', 'postgres://u:p@h2:5433/d?sslmode=require'],
      'read-write',
    ],
    ['postgres://h1,h2/d', ['postgres://h1:5432/d', 'postgres://h2:5432/d'], 'read-write'],
    [
      'postgres://u:p%40%2F@[::1]:5432,[fe80::2]/d?target_session_attrs=any',
      ['postgres://u:p%40%2F@[::1]:5432/d', 'postgres://u:p%40%2F@[fe80::2]:5432/d'],
      'any',
    ],
    [
      'postgres://u:p@/d?host=h1,h2&port=1,2',
      ['postgres://u:p@h1:1/d', 'postgres://u:p@h2:2/d'],
      'read-write',
    ],
    ['postgres:///d?host=h1,h2', ['postgres://h1:5432/d', 'postgres://h2:5432/d'], 'read-write'],
    ['postgres:///d?host=/run/postgresql', ['postgres:///d?host=/run/postgresql'], 'any'],
  ])('are read as libpq reads them: %s', (url, urls, attribute) => {
    expect(parsed(url)).toEqual({ urls, attribute });
  });

  it.each([
    ['postgres://u:tell-nobody@h1:x,h2/d', 'the port of host 1 is not a number'],
    ['postgres://u:tell-nobody@h1,h2:70000/d', 'the port of host 2 is not a number'],
    ['postgres://u:tell-nobody@h1,,h2/d', 'host 2 has no name'],
    ['postgres://u:tell-nobody@h1,h2/d?target_session_attrs=standby', 'one of any, read-write, primary'],
    ['postgres://u:tell-nobody@h1/d?host=h2,h3', 'hosts are given twice'],
    ['postgres://u@/d?host=h1,h2,h3&port=1,2&password=tell-nobody', 'one port, or one for each'],
    ['postgres://u:tell#nobody@h/d', 'it cannot be read as an address'],
    ['postgres://u:tell-nobody/x@h/d', 'it cannot be read as an address'],
    ['postgres://u:tell-nobody@h 1,h2/d', 'it cannot be read as an address'],
  ])('are refused with the reason, an example and no secret: %s', (url, reason) => {
    let complaint: unknown;
    try {
      Servers.parse(url);
    } catch (error) {
      complaint = error;
    }
    expect(complaint).toBeInstanceOf(StartRefused);
    const { message } = complaint as Error;
    expect(message).toContain(reason);
    expect(message).toContain('postgres://user:password@db1.internal:5432,db2.internal:5432/lotward');
    expect(message).not.toMatch(/tell|nobody/);
  });

  it('are the same for every role, and so is the one chosen', () => {
    const servers = Servers.parse('postgres://owner:x@h1,h2/d');
    const [app, worker] = [
      servers.as({ name: 'app', password: 'p/w' }),
      servers.as({ name: 'worker', password: 'y' }),
    ];
    expect(app.urls).toEqual(['postgres://app:p%2Fw@h1:5432/d', 'postgres://app:p%2Fw@h2:5432/d']);
    const moves: number[] = [];
    worker.onMove(() => moves.push(worker.index));
    app.suspect();
    expect(worker.isSuspect).toBe(true);
    app.choose(1);
    expect([worker.index, worker.isSuspect, servers.index, moves]).toEqual([1, false, 1, [1]]);
  });

  it('one server by itself is never suspected: there is no other', () => {
    const servers = Servers.parse('postgres://h/d');
    servers.suspect();
    expect(servers.isSuspect).toBe(false);
  });
});
