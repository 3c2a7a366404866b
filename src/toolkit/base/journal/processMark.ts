import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** Identifies a process even after its pid is reused. */
export interface ProcessMark {
  pid: number;
  /** Its start time, as the system reports it; empty if the system does not. */
  started: string;
  /** Identifies the machine since its last boot, and the container: pids mean nothing beyond. */
  machine: string;
}

/** `ending`: killed and about to exit; `stopped`: alive but suspended (Ctrl+Z, a debugger). */
export type ProcessState = 'running' | 'stopped' | 'ending' | 'gone';

/** Process information, as a parameter so that tests can invent processes. */
export interface Processes {
  self(): ProcessMark;
  /** Of a process on this machine. */
  state(mark: ProcessMark): ProcessState;
}

/** The system's own implementation. */
export const systemProcesses: Processes = {
  self: () => ({ pid: process.pid, started: startOf(process.pid), machine: machine() }),
  state: (mark) => {
    if (!exists(mark.pid)) {
      return 'gone';
    }
    const started = startOf(mark.pid);
    if (started !== '' && mark.started !== '' && started !== mark.started) {
      return 'gone';
    }
    return process.platform === 'linux' ? linuxState(mark.pid) : 'running';
  },
};

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function machine(): string {
  if (process.platform !== 'linux') {
    return os.hostname();
  }
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

function startOf(pid: number): string {
  switch (process.platform) {
    case 'linux':
      return linuxStat(pid)?.[19] ?? '';
    case 'win32':
      return windowsStart(pid);
    default:
      // Normalizes the format of the time, wherever it comes from.
      return ask('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { LC_ALL: 'C', TZ: 'UTC' });
  }
}

/** The fields of /proc/PID/stat from the third (the state) on; the second is a name that may contain anything. */
function linuxStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** PF_EXITING of the kernel's flags. */
const exiting = 0x4;
const killPending = 1n << 8n;

function linuxState(pid: number): ProcessState {
  const stat = linuxStat(pid);
  const state = stat?.[0];
  if (state === undefined) {
    // It ended meanwhile, or /proc hides other users' processes.
    return exists(pid) ? 'running' : 'gone';
  }
  if (state === 'Z' || state === 'X') {
    return threadsOf(pid) > 1 ? 'ending' : 'gone';
  }
  if ((Number(stat?.[6]) & exiting) !== 0 || isKilled(pid)) {
    return 'ending';
  }
  return state === 'T' || state === 't' ? 'stopped' : 'running';
}

function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

/** SIGKILL is pending: it runs no more code of its own, but a write in progress may still complete. */
function isKilled(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)].some(
      ([, mask]) => (BigInt(`0x${mask}`) & killPending) !== 0n,
    );
  } catch {
    return false;
  }
}

function windowsStart(pid: number): string {
  return ask('powershell.exe', [
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`,
  ]);
}

function ask(command: string, parameters: string[], env?: NodeJS.ProcessEnv): string {
  try {
    return execFileSync(command, parameters, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
      windowsHide: true,
      ...(env && { env }),
    }).trim();
  } catch {
    return '';
  }
}
