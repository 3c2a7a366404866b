import { randomBytes } from 'node:crypto';
import { crc32c } from '../cell/crc32c';

/*
 * A file begins with the magic, a random id of 8 bytes and the CRC-32C of both. Frames follow, each
 *
 * marker (4) number (4) length (4) CRC of the payload (4) CRC of the id and the 16 bytes before (4) payload
 *
 * all big-endian. So no byte is trusted before its checksum: a length only with its header, and a frame from another
 * file or position has the wrong id or number.
 */
const magic = Buffer.from('TONWBJ3\n');
const idSize = 8;
export const fileHeaderSize = magic.length + idSize + 4;
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

/** The id that a file's frames are bound to; undefined if `bytes` do not begin with a file header. */
export function readFileHeader(bytes: Buffer): Buffer | undefined {
  const head = bytes.subarray(0, fileHeaderSize - 4);
  const isHeader =
    bytes.length >= fileHeaderSize &&
    head.subarray(0, magic.length).equals(magic) &&
    crc32c(head) === bytes.readUInt32BE(head.length);
  return isHeader ? head.subarray(magic.length) : undefined;
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
export function readFrame(bytes: Buffer, id: Buffer, at: number, number: number): FrameReading {
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
export function findFrame(bytes: Buffer, id: Buffer, from: number, number: number): Frame | undefined {
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
