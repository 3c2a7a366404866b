import { fileHeaderSize, findFrame, frameHeaderSize, readFrame } from './frames';
import type { Frame } from './frames';

/** Where a payload stands in its file. */
export interface JournalPosition {
  offset: number;
  length: number;
}

export interface ReadOptions {
  /** Takes each whole payload in order; throws when it is no entry, which counts as damage. The payload is a view. */
  onEntry: (payload: Buffer, position: JournalPosition) => void;
  /** Entries that follow damage: `stop` for those that build on one another, `skip` when each stands for itself. */
  afterDamage: 'stop' | 'skip';
}

/** What a journal's bytes hold. */
export interface JournalReading {
  /** End of the whole beginning. */
  end: number;
  /** Frames in it. */
  frames: number;
  /** The file ends inside an entry; `missing` are the bytes that the rest of it lacks, where that is known. */
  cut?: { missing: number | undefined };
  damage?: JournalDamage;
}

interface JournalDamage {
  why: string;
  /** Whole entries behind it. */
  wholeAfter: number;
  /** Those of them that were taken. */
  rescued: Buffer[];
}

/**
 * Gives every whole entry to `onEntry`, with the position it has once damage is cut out. What stands behind damage is
 * looked for in any case, so that the loss can be told.
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

/** Why the entry is none; undefined when it was taken. */
function refusal({ payload }: Frame, at: number, onEntry: ReadOptions['onEntry']): string | undefined {
  try {
    onEntry(payload, { offset: at + frameHeaderSize, length: payload.length });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
