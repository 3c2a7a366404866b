import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';

/** The first field of a recording's first line. */
export const recordingFormat = 'ton-workbench-tests';
export const recordingVersion = 1;
/** How the name of a recording ends. */
export const recordingEnding = '.tontests';
/** Where recordings of a project are, below its folder. */
export const recordingsFolder = '.ton/tests';

/**
 * A recording is text: one JSON document per line, the header first. Blobs come before the lines that name them. Cells are
 * BoCs in base64, hashes and seeds lowercase hex, amounts and logical times decimal.
 */
export interface HeaderLine {
  format: typeof recordingFormat;
  version: number;
  /** The test file, relative to the project, with forward slashes. */
  file: string;
  /** `jest`, `vitest`, `mocha`, or `unknown`. */
  runner: string;
  /** Versions of the packages and of the engine that ran, as far as they are known. */
  versions: {
    runner?: string | undefined;
    sandbox?: string | undefined;
    /** Commit of the TON sources that the engine was built from. */
    engine?: string | undefined;
  };
}

/** A configuration, a code, or a library dictionary. */
export interface BlobLine {
  /** Its name in later lines: the first 32 digits of the SHA-256 of its text. */
  blob: string;
  boc: string;
}

/** Where a test called the sandbox. */
export interface CallPlace {
  /** Relative to the project; undefined in the test file itself. */
  file?: string | undefined;
  /** One-based. */
  line: number;
  column: number;
}

/** What all records have. */
interface RecordedRun {
  /** Counts the records of the file, from 1. */
  n: number;
  /** Full name of the test, with those of its suites; undefined outside of tests. */
  test?: string | undefined;
  at?: CallPlace | undefined;
  /** Counts the instances of `Blockchain`, from 1. */
  chain: number;
  /** Blobs. */
  config: string;
  libs?: string | undefined;
  now: number;
  /** 32 bytes; undefined if the engine drew one that nobody knows. */
  seed?: string | undefined;
  /** The sandbox gave none, so the recorder drew it. */
  drawn?: true | undefined;
  /** The engine was told to print debug output. */
  debug?: true | undefined;
  blocks?: RecordedBlocks | undefined;
  /** The test gave an executor of its own. */
  replaced?: true | undefined;
}

/** A block as the sandbox gives it: workchain, shard, seqno, root hash, file hash. */
export type RecordedBlock = readonly [number, string, number, string, string];

/** Previous blocks that the code could read. */
export interface RecordedBlocks {
  last: readonly RecordedBlock[];
  key: RecordedBlock;
  hundreds?: readonly RecordedBlock[] | undefined;
}

/** A message to an account, or a tick or tock of it. */
export interface ExecutionLine extends RecordedRun {
  kind: 'message' | 'tick' | 'tock';
  /** ShardAccount before it. */
  state: string;
  lt: string;
  /** All signature checks passed. */
  ignoreSignatures?: true | undefined;
  /** The transaction; undefined if there is none. */
  transaction?: string | undefined;
  /** The message, if there is no transaction that holds it. */
  message?: string | undefined;
  /** Why there is no transaction. */
  error?: string | undefined;
  /** Exit code of a message that was not accepted. */
  exit?: number | undefined;
}

/** A get-method. */
export interface GetMethodLine extends RecordedRun {
  kind: 'get';
  /** A blob. */
  code: string;
  data: string;
  /** Raw. */
  address: string;
  balance: string;
  /** Amounts by the number of the currency. */
  extra?: Readonly<Record<string, string>> | undefined;
  methodId: number;
  /** The arguments: a VmStack. */
  stack: string;
  gasLimit: string;
  /** The answer; undefined if the engine failed. */
  exit?: number | undefined;
  gas?: string | undefined;
  answer?: string | undefined;
  error?: string | undefined;
}

/** A wallet that a test has made by a name; told once. */
export interface WalletLine {
  wallet: string;
  /** Raw. */
  address: string;
}

/** Something that could not be recorded. */
export interface LostLine {
  lost: 'debug-executor';
  test?: string | undefined;
  at?: CallPlace | undefined;
}

/** The last line if there was more than a recording may hold. */
export interface CutLine {
  cut: 'limit' | 'disk';
  /** How many records are left out. */
  left: number;
}

const mebibyte = 1024 * 1024;
/** Bytes that the recordings of a project may take together. */
const recordingsMost = 256 * mebibyte;
/** After how many bytes it is looked again how much the other workers have written. */
const lookEvery = 4 * mebibyte;
/** Room for the last line, which counts what is left out. */
const cutLength = 60;

/** @param file of the test, relative to the project, with forward slashes */
export function recordingName(file: string): string {
  return `${file.replaceAll('../', 'up/').replaceAll(/[/\\:*?"<>|#]/g, '--')}${recordingEnding}`;
}

/**
 * The recording of one test file. Every line is written at once, because a write of some kilobytes takes microseconds and
 * a run can be killed at any time.
 */
export class RecordingFile {
  readonly #file: number;
  /** Names of blobs, by their texts. */
  readonly #blobs = new Map<string, string>();
  #position = 0;
  /** Where it is looked again. */
  #lookAt = 0;
  /** Where this file has to end. */
  #end = 0;
  #cut: CutLine | undefined;

  /**
   * @param folder of the recordings, which exists
   * @param most bytes of all recordings in the folder
   * @throws the file system's errors
   */
  constructor(
    private readonly folder: string,
    header: HeaderLine,
    private readonly most = recordingsMost,
  ) {
    this.#file = fs.openSync(path.join(folder, recordingName(header.file)), 'w');
    this.#append(header);
  }

  /** Writes a text once, and gives its name. */
  blob(boc: string): string {
    const known = this.#blobs.get(boc);
    if (known !== undefined) {
      return known;
    }
    const blob = createHash('sha256').update(boc).digest('hex').slice(0, 32);
    this.#blobs.set(boc, blob);
    this.#append({ blob, boc } satisfies BlobLine);
    return blob;
  }

  /** Writes a line. Once the recordings are full or the disk fails, it only counts what is left out. */
  write(line: object): void {
    if (!this.#append(line) && this.#cut !== undefined) {
      this.#cut.left += 1;
      fs.writeSync(this.#file, `${JSON.stringify(this.#cut)}\n`, this.#position);
    }
  }

  #append(line: object): boolean {
    if (this.#cut !== undefined) {
      return false;
    }
    if (this.#position >= this.#lookAt) {
      this.#lookAt = this.#position + lookEvery;
      this.#end = this.#position + Math.max(0, this.most - this.#allBytes());
    }
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    if (this.#position + bytes.length + cutLength > this.#end) {
      this.#cut = { cut: 'limit', left: 0 };
      return false;
    }
    try {
      for (let written = 0; written < bytes.length;) {
        written += fs.writeSync(this.#file, bytes, written, bytes.length - written, this.#position + written);
      }
    } catch {
      // Such as a full disk: what is whole stays.
      fs.ftruncateSync(this.#file, this.#position);
      this.#cut = { cut: 'disk', left: 0 };
      return false;
    }
    this.#position += bytes.length;
    return true;
  }

  #allBytes(): number {
    const names = fs.readdirSync(this.folder).filter((name) => name.endsWith(recordingEnding));
    const sizes = names.map(
      (name) => fs.statSync(path.join(this.folder, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}
