import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { AddressPolicy, AddressProblem } from './address-policy.js';
import type { LookUp } from './look-up.js';

/** The address may not be called; nothing was sent to it. */
export class AddressRefused extends Error {
  readonly problem: AddressProblem;

  constructor(problem: AddressProblem) {
    super(`address refused: ${problem}`);
    this.problem = problem;
  }
}

export class ConnectTimeout extends Error {}

/** undici tried to open a connection that no attempt requested. */
export class NoPendingRequest extends Error {}

export interface GuardedConnector {
  /** For undici. Dials only inside `during`. */
  readonly connect: buildConnector.connector;
  /**
   * Runs `dispatch` for `caller`, whose look-ups are counted together; returns true if it dialled, false if it used an idle connection. undici dials immediately or not at all.
   * A later dial, for a request that was aborted or whose idle connection closed, has no pending request and is refused.
   */
  during(caller: string, dispatch: () => void): boolean;
  destroy(): void;
}

/** Refuses connections to an address that the policy forbids, even if a name resolves to it. */
function guardedLookUp(
  policy: AddressPolicy,
  { protocol, port }: buildConnector.Options,
  lookUp: LookUp,
  caller: string,
): LookupFunction {
  return (host, options, callback) => {
    const check: Parameters<LookUp>[1] = (error, addresses) => {
      if (error) {
        callback(error, []);
        return;
      }
      const problem = policy.problemWith(
        addresses.map(({ address }) => address),
        protocol,
        port,
      );
      const [first] = addresses;
      // One refused address is enough to refuse the name: a mix of addresses suggests a rebinding attack.
      if (problem) callback(new AddressRefused(problem), []);
      else if (options.all) callback(null, [...addresses]);
      else if (first) callback(null, first.address, first.family);
      else callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
    };
    lookUp(host, check, caller);
  };
}

const BITE_BYTES = 1024;

/**
 * undici creates an error, at some cost, for each header beyond its limit until its read buffer is used up. With small reads
 * that is never much. An ordinary response fits in one read.
 */
function readInBites(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > BITE_BYTES ? BITE_BYTES : undefined));
  };
}

/** No TLS session is kept: Node does not check the host name again when it resumes one. */
function openSocket(
  { hostname, port, protocol }: buildConnector.Options,
  lookup: LookupFunction,
  secureContext: SecureContext,
): Socket {
  if (protocol !== 'https:') return connectPlain({ host: hostname, port: Number(port) || 80, lookup });
  return connectTls({
    host: hostname,
    port: Number(port) || 443,
    servername: isIP(hostname) ? '' : hostname,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    secureContext,
    lookup,
  });
}

export function guardedConnector(options: {
  policy: AddressPolicy;
  connectMs: number;
  lookUp: LookUp;
  ca?: string | undefined;
}): GuardedConnector {
  const { policy, connectMs, lookUp, ca } = options;
  // Created once, because reading certificates is slow.
  const secureContext = createSecureContext(ca === undefined ? {} : { ca });
  const sockets = new Set<Socket>();
  let dispatchingFor: string | null = null;
  let dialled = false;

  const connect: buildConnector.connector = (wanted, callback) => {
    dialled = true;
    // Node calls no lookup for a literal address, so it is checked here.
    const { protocol, port } = wanted;
    const problem = isIP(wanted.hostname) ? policy.problemWith([wanted.hostname], protocol, port) : null;
    if (dispatchingFor === null || problem) {
      const error = problem ? new AddressRefused(problem) : new NoPendingRequest();
      process.nextTick(callback, error, null);
      return;
    }
    const lookup = guardedLookUp(policy, wanted, lookUp, dispatchingFor);
    const socket = openSocket(wanted, lookup, secureContext).setNoDelay(true);
    readInBites(socket);
    sockets.add(socket);
    const late = setTimeout(() => socket.destroy(new ConnectTimeout()), connectMs);
    late.unref();
    let isSettled = false;
    const settle = (...outcome: Parameters<buildConnector.Callback>) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(late);
      callback(...outcome);
    };
    socket
      // Runs before the TLS handshake: checks the address that was actually reached.
      .prependOnceListener('connect', () => {
        if (socket.remoteAddress === undefined) socket.destroy();
        const found = policy.problemWith([socket.remoteAddress ?? ''], protocol, port);
        if (found) socket.destroy(new AddressRefused(found));
      })
      .once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (!socket.destroyed) settle(null, socket);
      })
      .on('error', (error) => settle(error, null))
      .once('close', () => {
        sockets.delete(socket);
        settle(new NoPendingRequest(), null);
      });
  };

  return {
    connect,
    during(caller, dispatch) {
      dispatchingFor = caller;
      dialled = false;
      try {
        dispatch();
      } finally {
        dispatchingFor = null;
      }
      return dialled;
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
