import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/harness/index.js';

describe('a migration whose text differs from the one that was applied', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase();
  });
  afterAll(() => db.close());

  const applyWith = (name: string, checksum: string) =>
    db.sql('update schema_migrations set checksum = $2 where name = $1', [name, checksum]);
  const quality = '9da507aad26f4f7fa5ef1fdda998d5f1ef46a78c4c16ee7454795e21cfff448c';

  it('is accepted if an earlier text of it did the same', async () => {
    await applyWith('0025_quality.sql', quality);
    await applyWith('0029_versions.sql', 'e461f9957dcef4a7a98d30563a9386493e51dc4f8b49eec59f030c82019b0c5d');
    await applyWith(
      '0030_webhook_filters.sql',
      '211b2519bb0a134e81b950ca7e0d686f5e792b16477bed77e4ac1d4a30c3d3fb',
    );
    await applyWith(
      '0038_preferences.sql',
      'a60297407d50961b588b232160f6a3beee8cca9ddbee13a6b9fe309f540b5838',
    );
    await expect(db.another()).resolves.toBeDefined();
  });

  it('is refused otherwise, also with the earlier text of another migration', async () => {
    await applyWith('0026_recall_answers.sql', quality);
    await expect(db.another()).rejects.toThrow('0026_recall_answers.sql was changed after it was applied');
  });
});
