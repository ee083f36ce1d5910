import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessInfo {
  /** Differs between two processes that had the same number, even across a reboot. */
  started: string;
  commandLine: string;
}

/** The process with this number, or undefined if there is none. */
export async function processInfo(pid: number): Promise<ProcessInfo | undefined> {
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const [stat, commandLine, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    // The program name in parentheses may contain anything; the state follows it and, 19 fields later, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return undefined;
    return { started: boot.slice(0, 8) + fields[19], commandLine: commandLine.replaceAll('\0', ' ') };
  } catch {
    return undefined;
  }
}

async function fromPs(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const ask = ['-ww', '-o', 'lstart=', '-o', 'args=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)('ps', ask, { env: { ...process.env, LC_ALL: 'C' } });
    const [, started = '', commandLine = ''] = /^(.{24})(.*)/.exec(stdout.trimStart()) ?? [];
    return { started: started.replace(/\W/g, ''), commandLine: `${commandLine.trim()} ` };
  } catch {
    return undefined;
  }
}
