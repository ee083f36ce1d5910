import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { clusterExists, requireCluster } from './cluster.js';
import { exclusively } from './exclusively.js';
import { explained } from './explained.js';
import { closeLease, DATABASE, type Lease, USER } from './lease.js';
import { choosePlace } from './place.js';
import { stopPostmaster } from './postmaster.js';
import { runningServer } from './running-server.js';

export { freePort } from './free-port.js';

export interface EmbeddedPostgres {
  url: string;
  /** Ends this use; the last user of the folder also stops the database and waits for its end. */
  release(): Promise<void>;
}

/**
 * A PostgreSQL of our own whose data lie in `dataDir`, shared by all processes that use the same folder. It is
 * created, started, taken over from others or recovered after a crash, as the folder needs.
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

    // A database that crashed is brought back on the same port, so that pools find it again. A folder that
    // was removed stays removed.
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
      url: `postgres://${USER}:${first.password}@127.0.0.1:${first.port}/${DATABASE}`,
      release: () => {
        left ??= leave();
        return left;
      },
    };
  } catch (error) {
    throw explained(error, dataDir);
  }
}
