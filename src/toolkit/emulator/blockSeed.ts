import { createHash } from 'node:crypto';

/** The random seed of a masterchain block: deterministic, and never all zero (which the emulator would replace). */
export function blockSeed(seqno: number): Buffer {
  return createHash('sha256').update(`ton-workbench block seed ${seqno}`).digest();
}
