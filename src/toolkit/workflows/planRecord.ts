import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { WorkbenchError, checkVersion } from '../base/errors';
import { removeTonFile, tonFolder, writeTonFile } from '../base/journal/tonFolder';
import { jsonFacts } from '../base/jsonFacts';
import { readUserText } from '../base/readUserFile';
import { handedOverEntry } from './handOverJournal';

const handed = z.object({
  entry: handedOverEntry,
  /** The message as the wallet was asked for it, without its sender: a BoC in base64. */
  message: z.string(),
  chain: z.string(),
});

const action = z.object({
  /** What the step does, as the sheet says it. */
  title: z.string(),
  /**
   * `handed`: the wallet was asked, and may send it. `sent`: its message ended on the chain. `done`: what the step expects
   * was met, too; `failed`: it was not. Steps without a message are only ever `done`.
   */
  state: z.enum(['handed', 'sent', 'failed', 'done']),
  handed: handed.optional(),
  /** Of the message that was sent: its transaction, or the message's own hash as the wallet told it. */
  hash: jsonFacts.hash.optional(),
  /** Of requestKey, of the message that was sent; absent where an earlier version has written it. */
  key: z.string().optional(),
  /** Normalized hash of the message, if it came signed: it stands for this step and no other. */
  signed: jsonFacts.hash.optional(),
});

const record = z.object({
  version: z.literal(1),
  /** The sheet's path in the project. */
  sheet: z.string(),
  actions: z.record(z.string(), action),
  /** Values of variables that were read from answers, as stack text. */
  answers: z.record(z.string(), z.string()),
});

/** What a plan has recorded of one step. */
export type PlanAction = z.infer<typeof action>;

type PlanFile = z.infer<typeof record>;

/** Where the text of a plan's record is kept. Each write replaces all of it, in one step for every reader. */
export interface PlanStore {
  read(): string | undefined;
  write(text: string): void;
  remove(): void;
}

const version = 1;

/** Seconds after a request's end until a wallet cannot have sent it any more, also by a late index. */
const lateSeconds = 300;

/**
 * How far the messages of a call sheet are that the user's own wallet signs. Each is written down before it is handed
 * over, and again when it was sent, so that a run that was ended at any point goes on where it was.
 */
export class PlanRecord {
  readonly #store: PlanStore;
  readonly #sheet: string;
  #file: PlanFile;

  /**
   * @param sheet the sheet's path in the project
   * @throws WorkbenchError `hand-over-open`, `format-newer` (input) if what is there cannot be read
   */
  constructor(store: PlanStore, sheet: string) {
    this.#store = store;
    this.#sheet = sheet;
    this.#file = this.#read() ?? this.#empty();
  }

  /** What is known of a step, by its key. */
  action(key: string): PlanAction | undefined {
    return this.#file.actions[key];
  }

  /** The normalized hashes of the messages that came signed, and which step each is for. */
  get signed(): ReadonlyMap<string, string> {
    return new Map(
      Object.entries(this.#file.actions).flatMap(([key, { signed }]) =>
        signed === undefined ? [] : [[signed, key] as const],
      ),
    );
  }

  /** Keeps what a step has come to; undefined forgets it. */
  set(key: string, action: PlanAction | undefined): void {
    const { [key]: _before, ...others } = this.#file.actions;
    this.#write({ ...this.#file, actions: action === undefined ? others : { ...others, [key]: action } });
  }

  /** The value of a variable that was read from an answer, as stack text. */
  answer(name: string): string | undefined {
    return this.#file.answers[name];
  }

  setAnswer(name: string, text: string): void {
    this.#write({ ...this.#file, answers: { ...this.#file.answers, [name]: text } });
  }

  /**
   * Begins anew: all of it may be sent again.
   * @param now milliseconds
   * @throws WorkbenchError `hand-over-open` (failed) while a wallet may still send something that it was asked for
   */
  forget(now: number): void {
    const open = Object.values(this.#file.actions).find(
      ({ state, handed: sent }) =>
        state === 'handed' && sent !== undefined && now / 1000 <= sent.entry.validUntil + lateSeconds,
    );
    if (open !== undefined) {
      throw stillOpenError(open);
    }
    this.#file = this.#empty();
    this.#store.remove();
  }

  #empty(): PlanFile {
    return { version, sheet: this.#sheet, actions: {}, answers: {} };
  }

  #write(file: PlanFile): void {
    try {
      this.#store.write(`${JSON.stringify(file, undefined, 2)}\n`);
    } catch (cause) {
      throw new WorkbenchError({
        code: 'hand-over-open',
        kind: 'failed',
        message: `How far ${this.#sheet} is cannot be kept (${String(cause)}), so nothing more was handed over.`,
        hint: `Make ${tonFolder} in the project writable, or make room. Then run the sheet again.`,
        cause,
      });
    }
    this.#file = file;
  }

  #read(): PlanFile | undefined {
    const text = this.#store.read();
    if (text === undefined) {
      return undefined;
    }
    try {
      const value: unknown = JSON.parse(text);
      checkVersion('The record of the sheet', value, version);
      return record.parse(value);
    } catch (cause) {
      throw WorkbenchError.is(cause)
        ? cause
        : new WorkbenchError({
            code: 'hand-over-open',
            kind: 'input',
            message: `The record of how far ${this.#sheet} is cannot be read. Nothing was handed over.`,
            hint: `Look in the wallet and on the chain what was sent, then remove ${tonFolder}/${planFile(this.#sheet)}.`,
            cause,
          });
    }
  }
}

/**
 * The record of a sheet in the `.ton` folder of its project.
 * @param sheet the sheet's path in the project
 */
export function planStore(project: string, sheet: string): PlanStore {
  const name = planFile(sheet);
  return {
    read: () => {
      try {
        return readUserText(path.join(project, tonFolder, name), 'planFile');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
          return undefined;
        }
        throw error;
      }
    },
    write: (text) => writeTonFile(project, name, text),
    remove: () => removeTonFile(project, name),
  };
}

function planFile(sheet: string): string {
  return `plan-${createHash('sha256').update(sheet).digest('hex').slice(0, 32)}.json`;
}

function stillOpenError({ title }: PlanAction): WorkbenchError {
  return new WorkbenchError({
    code: 'hand-over-open',
    kind: 'failed',
    message: `Nothing was forgotten: your wallet may still send “${title}”.`,
    hint: 'Run the sheet without beginning anew: it looks for the message first. Or decline it in the wallet.',
  });
}
