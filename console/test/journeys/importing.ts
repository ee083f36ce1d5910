import { afterAll, beforeAll, expect } from 'vitest';
import { startWorker, type TestWorker } from '../../../server/test/harness/index.js';
import { button, type ConsoleWorld, inBrowser, inFullTier, speak, type Visit } from '../harness/index.js';
import { barriersOn, englishOn, takeScreenshot } from '../harness/inspection.js';

const HOSPITAL = '上海仁济医院';
/** The name as Excel in China saves it (GB18030, code page 936). */
const HOSPITAL_GB18030 = Buffer.from('c9cfbaa3c8cabcc3d2bdd4ba', 'hex');

const gb18030 = (code: string) =>
  Buffer.concat([Buffer.from(`code,name,roles\r\n${code},`), HOSPITAL_GB18030, Buffer.from(',customer\r\n')]);
/** "Unicode text", as Excel saves it: UTF-16 with a byte order mark, separated by tabs. */
const unicodeText = (code: string) =>
  Buffer.from(`\uFEFFcode\tname\troles\r\n${code}\t${HOSPITAL}\tcustomer\r\n`, 'utf16le');

const chooseFile = (visit: Visit, buffer: Buffer) =>
  visit.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'partners.csv', mimeType: 'text/csv', buffer });

/** A worker carries out imports during these tests. */
export function importsRun(world: () => ConsoleWorld): void {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startWorker(world().db);
  });
  afterAll(async () => {
    await worker?.stop();
  });
}

/**
 * Partners from files as different programs write them; by default as Excel in China does, since reading is tested without a
 * browser, too. Each test chooses the next file on the page of the one before.
 */
export function testImporting(desk: () => { world: ConsoleWorld; visit: Visit }): void {
  importsRun(() => desk().world);

  for (const [encoding, fileOf] of [
    ['GB18030', gb18030],
    ['UTF-16LE', unicodeText],
    ['UTF-8', (code: string) => Buffer.from(`code;name;roles\n${code};${HOSPITAL};customer\n`)],
  ] as const)
    (encoding === 'GB18030' ? inBrowser : inFullTier)(
      `in ${encoding} is imported as it was written, and the encoding is shown`,
      60_000,
      async () => {
        const code = `H-${encoding}`;
        const { world, visit } = desk();
        const { page } = visit;
        await visit.go('/partners/import');
        await chooseFile(visit, fileOf(code));
        await button(page, 'Import 1 row').waitFor();
        expect(await page.locator('main').innerText()).toContain(HOSPITAL);
        await page.getByText(`Read as ${encoding}`).waitFor();
        await takeScreenshot(page, `import-${encoding}`);
        await button(page, 'Import 1 row').click();
        await page.getByText('1 created, 0 replaced, 0 rejected.').waitFor();
        expect(await world.must('GET', `/v2/partners/${code}`)).toMatchObject({ name: HOSPITAL });
      },
    );

  inFullTier('that is in no encoding it can be sure of is refused, with what to do', 60_000, async () => {
    const { visit } = desk();
    const { page } = visit;
    await visit.go('/partners/import');
    await speak(visit, 'Language', '简体中文');
    const text = 'code,name,roles\nH-9,Müller & Söhne GmbH,customer\n';
    for (const buffer of [
      Buffer.from(text, 'latin1'),
      Buffer.from(text, 'utf16le'),
      Buffer.from('code,name,roles\nH-9,M\uFFFDller,customer\n'),
    ]) {
      await chooseFile(visit, buffer);
      await page.getByRole('alert').filter({ hasText: 'CSV UTF-8' }).waitFor();
      expect(await page.locator('main').innerText()).not.toContain('H-9');
    }
    await takeScreenshot(page, 'import-unreadable.zh-CN');
    expect([await barriersOn(page), await englishOn(page)]).toEqual([[], []]);
    await speak(visit, '语言', 'English');
  });

  inFullTier('begins with a template that Excel opens as UTF-8', 60_000, async () => {
    const { visit } = desk();
    const { page } = visit;
    await visit.go('/partners/import');
    const downloading = page.waitForEvent('download');
    await button(page, 'Download template').click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString('utf8')).toMatch(/^\uFEFFcode,name,roles/);
  });
}
