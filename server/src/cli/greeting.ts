import type { Runtime } from './runtime.js';

/** What a person sees when it is up: where it is, and a line to paste. */
export async function greet(runtime: Runtime, port: number | null): Promise<void> {
  const { config } = runtime;
  const lines = ['', 'Lotward is ready.'];
  if (port !== null) {
    const scheme = config.tls ? 'https' : 'http';
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const url = config.publicUrl?.replace(/\/$/, '') ?? `${scheme}://${host}:${port}`;
    lines.push(`  API            ${url}/v2`, `  API reference  ${url}/docs/api`);
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
