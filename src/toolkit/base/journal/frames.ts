import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { crc32c } from '../crc32c';
import { checkVersion } from '../errors';

/*
 * A file begins with the magic, a random id of 8 bytes and the CRC-32C of both. Frames follow, each
 *
 * marker (4) number (4) length (4) CRC of the payload (4) CRC of the id and the 16 bytes before (4) payload
 *
 * all big-endian. So no byte is trusted before its checksum: a length only with its header, and a frame from another
 * file or position has the wrong id or number.
 *
 * The digit is the version of all this and of every kind of entry: it grows when an earlier reader would misread either.
 * Files of every version begin with these 20 bytes.
 */
const version = 3;
const magic = Buffer.from(`TONWBJ${version}\n`);
const versionAt = 6;
const idSize = 8;
const fileHeaderSize = magic.length + idSize + 4;
const marker = Buffer.from([0xf5, 0x4a, 0x9e, 0x0b]);
export const frameHeaderSize = 20;
/** Maximum number of frames: a frame's number is 32 bits. */
export const maximumFrames = 0xffff_ffff;

/** The first bytes of a new file. */
export function newFileHeader(): Buffer {
  const head = Buffer.concat([magic, randomBytes(idSize)]);
  const check = Buffer.allocUnsafe(4);
  check.writeUInt32BE(crc32c(head));
  return Buffer.concat([head, check]);
}

/**
 * The id that a file's frames are bound to; undefined if `bytes` do not begin with a file header.
 * @param file its path, for the error
 * @throws WorkbenchError `format-newer` (input)
 */
export function readFileHeader(bytes: Buffer, file: string): Buffer | undefined {
  const head = bytes.subarray(0, fileHeaderSize - 4);
  if (bytes.length < fileHeaderSize || crc32c(head) !== bytes.readUInt32BE(head.length)) {
    return undefined;
  }
  const given = Buffer.from(head.subarray(0, magic.length));
  const digit = given[versionAt]! - 0x30;
  given[versionAt] = magic[versionAt]!;
  if (!given.equals(magic)) {
    return undefined;
  }
  checkVersion(file, { version: digit }, version);
  return digit === version ? head.subarray(magic.length) : undefined;
}

/** Whether these bytes could have been left by a process that died while creating a file. */
export function isBegunFileHeader(bytes: Buffer): boolean {
  return (
    bytes.length < fileHeaderSize &&
    bytes.subarray(0, magic.length).equals(magic.subarray(0, Math.min(bytes.length, magic.length)))
  );
}

/** Encodes payloads for the file with this id; the first is frame `number`. */
export function frameBytes(id: Buffer, number: number, payloads: readonly Buffer[]): Buffer {
  const size = payloads.reduce((sum, payload) => sum + frameHeaderSize + payload.length, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  payloads.forEach((payload, index) => {
    marker.copy(bytes, at);
    bytes.writeUInt32BE(number + index, at + 4);
    bytes.writeUInt32BE(payload.length, at + 8);
    bytes.writeUInt32BE(crc32c(payload), at + 12);
    bytes.writeUInt32BE(headerCheck(id, bytes, at), at + 16);
    payload.copy(bytes, at + frameHeaderSize);
    at += frameHeaderSize + payload.length;
  });
  return bytes;
}

/** A whole frame in a file. */
export interface Frame {
  number: number;
  payload: Buffer;
  /** Offset of the payload in the file. */
  offset: number;
  /** Offset of the next frame. */
  end: number;
}

/** What is found at an offset of a file. */
export type FrameReading =
  | { kind: 'frame'; frame: Frame }
  /** The file ends here, or inside an unfinished frame; `needed` is the number of missing bytes, if known. */
  | { kind: 'end' }
  | { kind: 'cut'; needed: number | undefined }
  | { kind: 'damaged' };

/** Reads the frame at `at`, which must be frame `number`. The payload is a view. */
function readFrame(bytes: Buffer, id: Buffer, at: number, number: number): FrameReading {
  if (at === bytes.length) {
    return { kind: 'end' };
  }
  const head = readHead(bytes, id, at);
  if (head === undefined) {
    return isBegunHead(bytes.subarray(at), number) ? { kind: 'cut', needed: undefined } : { kind: 'damaged' };
  }
  const offset = at + frameHeaderSize;
  const end = offset + head.length;
  if (head.number !== number) {
    return { kind: 'damaged' };
  }
  if (end > bytes.length) {
    return { kind: 'cut', needed: end - bytes.length };
  }
  const payload = bytes.subarray(offset, end);
  return crc32c(payload) === head.check
    ? { kind: 'frame', frame: { number, payload, offset, end } }
    : { kind: 'damaged' };
}

/** The next whole frame of this file from `from` on with a number of at least `number`: the data after damage. */
function findFrame(bytes: Buffer, id: Buffer, from: number, number: number): Frame | undefined {
  for (let at = bytes.indexOf(marker, from); at >= 0; at = bytes.indexOf(marker, at + 1)) {
    const head = readHead(bytes, id, at);
    if (head !== undefined && head.number >= number) {
      const reading = readFrame(bytes, id, at, head.number);
      if (reading.kind === 'frame') {
        return reading.frame;
      }
    }
  }
  return undefined;
}

interface FrameHead {
  number: number;
  length: number;
  check: number;
}

function readHead(bytes: Buffer, id: Buffer, at: number): FrameHead | undefined {
  if (
    at + frameHeaderSize > bytes.length ||
    bytes.compare(marker, 0, marker.length, at, at + marker.length) !== 0 ||
    headerCheck(id, bytes, at) !== bytes.readUInt32BE(at + 16)
  ) {
    return undefined;
  }
  return {
    number: bytes.readUInt32BE(at + 4),
    length: bytes.readUInt32BE(at + 8),
    check: bytes.readUInt32BE(at + 12),
  };
}

const checked = Buffer.allocUnsafe(idSize + frameHeaderSize - 4);

function headerCheck(id: Buffer, bytes: Buffer, at: number): number {
  id.copy(checked);
  bytes.copy(checked, idSize, at, at + frameHeaderSize - 4);
  return crc32c(checked);
}

/**
 * Whether these bytes at the end of a file could have been left by a process that died while writing frame
 * `number`.
 */
function isBegunHead(rest: Buffer, number: number): boolean {
  const expected = Buffer.allocUnsafe(8);
  marker.copy(expected);
  expected.writeUInt32BE(number, 4);
  const known = Math.min(rest.length, expected.length);
  return rest.length < frameHeaderSize && rest.subarray(0, known).equals(expected.subarray(0, known));
}

/** The position of a payload in its file. */
export interface JournalPosition {
  offset: number;
  length: number;
}

export interface ReadOptions {
  /**
   * Receives each whole payload in order; throws if it is not an entry, which counts as damage. The payload is a
   * view.
   */
  onEntry: (payload: Buffer, position: JournalPosition) => void;
  /** Entries after damage: `stop` if they build on one another, `skip` if each is independent. */
  afterDamage: 'stop' | 'skip';
}

/** The contents of a journal's bytes. */
interface JournalReading {
  /** End of the intact beginning. */
  end: number;
  /** Frames in it. */
  frames: number;
  /** The file ends inside an entry; `missing` is the number of missing bytes, if known. */
  cut?: { missing: number | undefined };
  damage?: JournalDamage;
}

interface JournalDamage {
  why: string;
  /** Whole entries after it. */
  wholeAfter: number;
  /** The number of those that were used. */
  rescued: Buffer[];
}

/**
 * Passes every whole entry to `onEntry`, with its position once damage is cut out. Always searches beyond damage, so
 * that the loss can be reported.
 */
export function readJournal(bytes: Buffer, id: Buffer, options: ReadOptions): JournalReading {
  let at = fileHeaderSize;
  for (let frames = 0; ; frames += 1) {
    const reading = readFrame(bytes, id, at, frames);
    if (reading.kind === 'end') {
      return { end: at, frames };
    }
    if (reading.kind === 'cut') {
      return { end: at, frames, cut: { missing: reading.needed } };
    }
    const why =
      reading.kind === 'damaged' ? 'a checksum is wrong' : refusal(reading.frame, at, options.onEntry);
    if (why !== undefined) {
      const from = reading.kind === 'frame' ? reading.frame.end : at + 1;
      return { end: at, frames, damage: { why, ...behindDamage(bytes, id, { at, from, frames }, options) } };
    }
    at = (reading as { frame: Frame }).frame.end;
  }
}

function behindDamage(
  bytes: Buffer,
  id: Buffer,
  place: { at: number; from: number; frames: number },
  { onEntry, afterDamage }: ReadOptions,
): Pick<JournalDamage, 'wholeAfter' | 'rescued'> {
  const rescued: Buffer[] = [];
  let { at } = place;
  let wholeAfter = 0;
  let frame = findFrame(bytes, id, place.from, place.frames);
  while (frame !== undefined) {
    wholeAfter += 1;
    if (afterDamage === 'skip' && refusal(frame, at, onEntry) === undefined) {
      rescued.push(frame.payload);
      at += frameHeaderSize + frame.payload.length;
    }
    frame = findFrame(bytes, id, frame.end, frame.number + 1);
  }
  return { wholeAfter, rescued };
}

/** Why the payload is not an entry; undefined if it was accepted. */
function refusal({ payload }: Frame, at: number, onEntry: ReadOptions['onEntry']): string | undefined {
  try {
    onEntry(payload, { offset: at + frameHeaderSize, length: payload.length });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A problem found in a journal when it was opened. Nothing is dropped without one. */
export interface JournalFinding {
  /**
   * `cut`: the last entry is incomplete. `damaged`: bytes have changed since they were written. `unreadable`: not a
   * journal, or one of another version.
   */
  kind: 'cut' | 'damaged' | 'unreadable';
  /** For people: what was found, what is used, and where the rest is. */
  text: string;
  /** The file that holds the found data completely; null if only what `text` says was lost. */
  keptAs: string | null;
}

export function cutFinding(file: string, bytes: number, missing: number | undefined): JournalFinding {
  const lacks =
    missing === undefined ? '' : `; ${count(missing, 'byte')} ${missing === 1 ? 'is' : 'are'} missing`;
  return {
    kind: 'cut',
    text:
      `The last entry of ${file} is incomplete (${count(bytes, 'byte')} ${bytes === 1 ? 'was' : 'were'} written${lacks}) and was dropped. ` +
      'An entry cut off by a crash was never acknowledged; everything before it is there.',
    keptAs: null,
  };
}

/** An empty or barely begun file: it never had contents, or was emptied. */
export function emptyFinding(file: string, bytes: number): JournalFinding {
  return {
    kind: 'cut',
    text: `${file} has ${count(bytes, 'byte')} and no entry, so a new one was started. If it had entries, another program removed them.`,
    keptAs: null,
  };
}

export function damageFinding(
  file: string,
  { end, frames, damage }: JournalReading,
  keptAs: string,
): JournalFinding {
  const { why = '', wholeAfter = 0, rescued = [] } = damage ?? {};
  const after =
    wholeAfter === 0
      ? ''
      : ` Of the ${count(wholeAfter, 'whole entry', 'whole entries')} after the damage, ${rescued.length === 0 ? 'none' : rescued.length} could be used.`;
  return {
    kind: 'damaged',
    text: `${file} is damaged at byte ${end} (${why}). The ${count(frames, 'entry', 'entries')} before the damage ${frames === 1 ? 'was' : 'were'} kept.${after} The damaged file was saved as ${path.basename(keptAs)}.`,
    keptAs,
  };
}

export function unreadableFinding(file: string, keptAs: string): JournalFinding {
  return {
    kind: 'unreadable',
    text: `${file} is not a journal of this version. It was saved as ${path.basename(keptAs)}, and a new one was started.`,
    keptAs,
  };
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
