import { describe, expect } from 'vitest';
import {
  button,
  type ConsoleService,
  dialog,
  expectSound,
  inFullTier,
  type Looks,
  said,
  text,
  wordOf,
} from '../harness/index.js';

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

export const testFiles = (service: () => ConsoleService, looks: Looks = {}) =>
  describe('the file of a certificate', () => {
    inFullTier('is uploaded, shown, replaced after a question, and removed', 90_000, async () => {
      const world = await service().beside();
      const { certificateId } = await world.must<{ certificateId: string }>('POST', '/v2/certificates', {
        ...{ certificateNo: 'L-FILE', type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1' },
        ...{ issuer: 'Office', validFrom: '2026-01-01' },
      });
      const fileNow = async () =>
        (
          await world.must<{ file: { fileName: string; contentType: string } | null }>(
            'GET',
            `/v2/certificates/${certificateId}`,
          )
        ).file;
      const visit = await world.enter('admin', looks);
      const { page } = visit;
      await visit.go(`/certificates/${certificateId}`);
      const choose = (name: string, mimeType: string, buffer: Buffer) =>
        page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer });

      await choose('page.html', 'text/html', Buffer.from('<html>'));
      await text(page, 'Choose a PDF, PNG or JPEG.').waitFor();
      expect(await fileNow()).toBeNull();

      await choose('licence.png', 'image/png', PNG);
      await said(page, 'File uploaded.');
      const image = page.getByAltText(wordOf(page, 'Preview of licence.png'));
      await image.waitFor();
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBe(1);
      await expectSound(visit, 'certificate-file');

      await choose('licence.pdf', 'application/pdf', Buffer.from('%PDF-1.7\n%%EOF\n'));
      await button(dialog(page), 'Replace file').click();
      await expect.poll(fileNow).toMatchObject({ fileName: 'licence.pdf', contentType: 'application/pdf' });

      await button(page, 'Remove file').click();
      await button(dialog(page), 'Remove file').click();
      await said(page, 'File removed.');
      expect(await fileNow()).toBeNull();
      await visit.leave();
    });
  });
