import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { recordingEnding } from './recordLines';
import type { BlobLine, CutLine, HeaderLine } from './recordLines';

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
