import { join } from 'node:path';
import type { Command } from 'commander';
import { DEMO_ADMIN_EMAIL } from '../config/index.js';
import { DEMO_LANGUAGES, type Demo, type DemoLanguage, demoState, loadDemo } from '../demo/index.js';
import { listOrganizations } from '../organizations/index.js';
import { oneOf, wantsJson, withRuntime } from './commands.js';
import { print, say } from './output.js';
import type { Runtime } from './runtime.js';

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .description('load the demo organization: products, stock and two keys to try the API with')
    .option(
      '--language <language>',
      'language of its data: en, or zh with CNY and the time zone of Shanghai',
      'en',
    )
    .action(async (options: { language: string }, command: Command) => {
      const language = oneOf('--language', options.language, DEMO_LANGUAGES);
      const demo = await withRuntime((runtime) => openDemo(runtime, language), { requireSameTime: true });
      print(
        wantsJson(command),
        { organization: demo.organization.code, keys: demo.keys, login: demo.login },
        () => describe(demo),
      );
    });
}

/** Loads the demo when it was requested, or on an embedded database that is otherwise empty. */
export async function demoAtStart(runtime: Runtime): Promise<Demo | null> {
  const { config, database } = runtime;
  if (config.demo === null) {
    if (!config.isEmbedded) return null;
    // In this order, so that an organization created meanwhile by another process's demo is covered by its state.
    const organizations = await listOrganizations(database.reader);
    if (organizations.length > 0 && (await demoState(database)) === 'absent') return null;
  }
  return config.demo === false ? null : openDemo(runtime);
}

const openDemo = ({ config, database }: Runtime, language: DemoLanguage = 'en'): Promise<Demo> =>
  loadDemo(database, {
    adminEmails: [config.adminEmail ?? DEMO_ADMIN_EMAIL, DEMO_ADMIN_EMAIL],
    password: config.adminPassword,
    // Keys and passwords in clear text are written to a file only for the embedded database.
    keysFile: config.isEmbedded ? join(config.dataDir, 'demo.json') : null,
    onProgress: say,
    language,
  });

function describe({ organization, keys, login, loadedNow }: Demo): string[] {
  return [
    loadedNow
      ? `The demo organization "${organization.code}" is loaded.`
      : `The demo organization "${organization.code}" already exists; nothing was changed.`,
    ...keys.map(({ owner, apiKey, keyId }) =>
      apiKey === null
        ? `  key ${keyId} of ${owner} was shown when it was created; for a new one: lotward key rotate ${keyId}`
        : `  key of ${owner}: ${apiKey}`,
    ),
    ...(login === null ? [] : [`  sign in as ${login.emails.join(', ')} with ${login.password}`]),
  ];
}
