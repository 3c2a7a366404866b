import path from 'node:path';
import type { JournalFileSystem } from './fileSystem';
import { journalInUseError } from './journalErrors';

/** What tells one process from another that got the same id later. */
export interface ProcessIdentity {
  pid: number;
  /** Milliseconds since the epoch, to about a second. */
  startedAt: number;
  isAlive(pid: number): boolean;
}

/** This process. */
export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  startedAt: Date.now() - Math.round(process.uptime() * 1_000),
  isAlive: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
});

const sameStartMs = 5_000;

/**
 * Takes the directory for one listener: two would each take a repeat for new. A lock left behind by a process that was
 * killed is taken over. Returns the function that gives it back.
 * @throws WorkbenchError `journal-in-use` (input)
 */
export async function lockJournal(
  directory: string,
  fileSystem: JournalFileSystem,
  self: ProcessIdentity,
): Promise<() => Promise<void>> {
  const file = path.join(directory, 'lock.json');
  const content = JSON.stringify({ pid: self.pid, startedAt: self.startedAt });
  try {
    await fileSystem.writeFile(file, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
    const holder = readHolder((await fileSystem.readFile(file)).toString('utf8'));
    if (holder !== undefined && holds(holder, self)) {
      throw journalInUseError(directory, holder.pid);
    }
    await fileSystem.writeFile(file, content, { flag: 'w', mode: 0o600 });
  }
  return () => fileSystem.unlink(file);
}

type Holder = Pick<ProcessIdentity, 'pid' | 'startedAt'>;

function holds(holder: Holder, self: ProcessIdentity): boolean {
  return holder.pid === self.pid
    ? Math.abs(holder.startedAt - self.startedAt) < sameStartMs
    : self.isAlive(holder.pid);
}

function readHolder(text: string): Holder | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text) as Record<string, unknown>;
    return typeof pid === 'number' && typeof startedAt === 'number' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}
