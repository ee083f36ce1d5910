import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';

export function openApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document; needs no database')
    .option('--out <file>', 'write it to a file instead')
    .action(async (options: { out?: string }) => {
      const { openApiDocument } = await import('../app/openapi-document.js');
      const text = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;
      if (options.out) writeFileSync(options.out, text);
      else process.stdout.write(text);
    });
}
