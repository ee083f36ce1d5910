import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { clusterExists, requireCluster } from './cluster.js';
import type { Connection } from './connection-file.js';
import { exclusively } from './exclusively.js';
import { explained } from './explained.js';
import { closeLease, DATABASE, type Lease, USER } from './lease.js';
import { choosePlace } from './place.js';
import { stopPostmaster } from './postmaster.js';
import { runningServer } from './running-server.js';
import { findSocket } from './socket.js';

export { freePort } from './free-port.js';

export interface EmbeddedPostgres {
  url: string;
  /** Ends this use. The last user of the folder also stops the database and waits until it has stopped. */
  release(): Promise<void>;
}

/**
 * Provides an embedded PostgreSQL with its data in `dataDir`, shared by all processes that use the same folder. Creates,
 * starts, joins or recovers it, depending on the state of the folder.
 */
export async function useEmbeddedPostgres(options: {
  dataDir: string;
  onProgress?: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  const { dataDir, onProgress = () => {} } = options;
  try {
    const place = await choosePlace(dataDir);
    const binaries = await findBinaries(place);
    const join = () => exclusively(place.claims, () => runningServer(place, binaries));

    const first = await exclusively(place.claims, async () => {
      await requireCluster(place, binaries, onProgress);
      return runningServer(place, binaries);
    });
    let lease: Lease = first.lease;
    let rejoining: Promise<void> | undefined;
    const leaving = new AbortController();

    // A crashed database is restarted on the same port, so that pools can reconnect. A removed folder is not created again.
    const rejoin = async () => {
      while (!leaving.signal.aborted && (await clusterExists(place))) {
        try {
          lease = (await join()).lease;
          return watch();
        } catch (error) {
          onProgress(explained(error, dataDir).message);
        }
        await sleep(5_000, undefined, { ref: false, signal: leaving.signal }).catch(() => {});
      }
    };
    const watch = () => {
      void lease.lost.then(() => {
        if (!leaving.signal.aborted) rejoining = rejoin();
      });
    };
    watch();

    const leave = async () => {
      leaving.abort();
      await rejoining;
      if (!(await clusterExists(place))) return void (await closeLease(lease));
      await exclusively(place.claims, async () => {
        if (await closeLease(lease)) await stopPostmaster(place.cluster);
      });
    };
    let left: Promise<void> | undefined;

    return {
      url: urlOf(first, await findSocket(place.cluster, first.port)),
      release: () => {
        left ??= leave();
        return left;
      },
    };
  } catch (error) {
    throw explained(error, dataDir);
  }
}

/** In the form that libpq reads too: `host` overrides the address, which remains for programs that know only addresses. */
function urlOf({ port, password }: Connection, socket: string | null): string {
  const url = `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
  return socket === null ? url : `${url}?host=${encodeURIComponent(socket)}`;
}
