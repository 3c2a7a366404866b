import { fileHeaderSize, findFrame, frameHeaderSize, readFrame } from './frames';
import type { Frame } from './frames';

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
export interface JournalReading {
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
