import { expect, it } from 'vitest';
import { fillInstallation } from './fill.js';
import { readTables, saveFixture } from './rows.js';

const file = process.env.LOTWARD_UPGRADE_FIXTURE;

/** Run by hand, once for a version: see README.md. */
it.runIf(file)(
  'an installation of this version is written to LOTWARD_UPGRADE_FIXTURE',
  async () => {
    const { world, known } = await fillInstallation();
    const tables = await readTables(world.db);
    await saveFixture(file ?? '', { known, tables });
    await world.close();
    expect(Object.keys(tables).length).toBeGreaterThan(50);
  },
  560_000,
);
