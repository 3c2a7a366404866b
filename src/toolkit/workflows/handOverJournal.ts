import path from 'node:path';
import * as z from 'zod';
import { WorkbenchError, checkVersion } from '../base/errors';
import { listTonFiles, removeTonFile, tonFolder, writeTonFile } from '../base/journal/tonFolder';
import { readUserText } from '../base/readUserFile';

/** An entry as it is written. */
export const handedOverEntry = z.object({
  /** Of requestKey. */
  key: z.string(),
  /** What was handed over, for people. */
  what: z.string(),
  way: z.string(),
  network: z.string(),
  /** Milliseconds when it was handed over. */
  at: z.number(),
  /** Unix seconds. */
  validUntil: z.number(),
  /** The logical time that the receiver had reached before it, decimal. */
  after: z.string().regex(/^\d+$/),
});

/** A message that was handed to a wallet, and whose outcome nobody has told yet. */
export type HandedOverEntry = z.infer<typeof handedOverEntry>;

/** What handing over needs of a journal. */
export type HandOverEntries = Pick<HandOverJournal, 'find' | 'add' | 'settle'>;

const prefix = 'handed-';
const version = 1;

/**
 * What was handed to wallets in a project, one file each in its `.ton` folder. A file is there before its message leaves,
 * and until its outcome was told: whoever wants to hand over the same message again must ask the chain first.
 */
export class HandOverJournal {
  constructor(
    /** The project's folder. */
    private readonly project: string,
  ) {}

  /** @throws WorkbenchError `hand-over-open`, `format-newer` (input) if what is there cannot be read */
  find(key: string): HandedOverEntry | undefined {
    return this.#read(nameOf(key));
  }

  /** All that are open, the oldest first. */
  list(): HandedOverEntry[] {
    return listTonFiles(this.project)
      .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
      .flatMap((name) => this.#read(name) ?? [])
      .sort((one, other) => one.at - other.at);
  }

  /**
   * Keeps an entry before its message leaves.
   * @returns false if another process has handed the same message over in the meantime
   * @throws WorkbenchError `hand-over-open` (input) if it cannot be kept: then nothing may leave
   */
  add(handed: HandedOverEntry): boolean {
    try {
      const content = `${JSON.stringify({ version, ...handed }, undefined, 2)}\n`;
      writeTonFile(this.project, nameOf(handed.key), content, { isNew: true });
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
        return false;
      }
      throw new WorkbenchError({
        code: 'hand-over-open',
        kind: 'failed',
        message: `Nothing was handed over: ${path.join(this.project, tonFolder)} cannot keep what is open (${String(cause)}).`,
        hint: 'Make the folder writable, or make room.',
        cause,
      });
    }
  }

  /** Its outcome is known and was told. */
  settle(key: string): void {
    removeTonFile(this.project, nameOf(key));
  }

  #read(name: string): HandedOverEntry | undefined {
    const file = path.join(this.project, tonFolder, name);
    let text: string;
    try {
      text = readUserText(file, 'handOverFile');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
        return undefined;
      }
      throw unreadableError(file, cause);
    }
    try {
      const value: unknown = JSON.parse(text);
      checkVersion(file, value, version);
      return handedOverEntry.parse(value);
    } catch (cause) {
      throw WorkbenchError.is(cause) ? cause : unreadableError(file, cause);
    }
  }
}

function nameOf(key: string): string {
  return `${prefix}${key.slice(0, 32)}.json`;
}

function unreadableError(file: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'hand-over-open',
    kind: 'input',
    message: `${file} says that this message was handed over before, and cannot be read.`,
    hint: 'Look in the wallet and on the chain what became of it, then remove the file. Nothing was handed over.',
    cause,
  });
}
