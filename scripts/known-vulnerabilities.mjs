import { spawnSync } from 'node:child_process';

/** Why no release is made with the dependencies that go out, or null. Asks the registry. */
export function vulnerabilityProblem(root) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' });
  const found = JSON.parse(stdout || '{}');
  if (!found.metadata)
    return `The registry does not say which vulnerabilities are known: ${found.message ?? 'no answer'}.`;
  const { high, critical } = found.metadata.vulnerabilities;
  return high + critical > 0
    ? `Dependencies with a severe or critical vulnerability: ${high + critical} (npm audit --omit=dev).`
    : null;
}
