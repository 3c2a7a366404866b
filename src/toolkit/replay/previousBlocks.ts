import { serializeTuple } from '@ton/core';
import type { Cell, TupleItem } from '@ton/core';
import { disassembleCode } from '../cell/disassembleCode';

/** A masterchain block. */
export interface MasterchainBlock {
  seqno: number;
  /** Lowercase hex. */
  rootHash: string;
  fileHash: string;
}

/** The blocks that code can ask for with PREVMCBLOCKS and its siblings. */
export interface PreviousBlocks {
  /** The 16 newest, newest first. */
  last: readonly MasterchainBlock[];
  /** The newest key block. */
  key: MasterchainBlock;
  /**
   * The 16 newest whose seqno is divisible by 100, newest first; empty if the code does not ask for them. Undefined if
   * the VM had no such list.
   */
  hundreds?: readonly MasterchainBlock[] | undefined;
}

/** Whether code asks for previous blocks: for none, for those but the hundreds, or for all. */
export type PreviousBlocksUse = 'none' | 'recent' | 'all';

/**
 * Finds the instructions that read previous blocks in codes. Data that looks like such an instruction counts, too: a few
 * requests too many do no harm.
 */
export async function previousBlocksUse(codes: readonly Cell[]): Promise<PreviousBlocksUse> {
  let use: PreviousBlocksUse = 'none';
  for (const code of codes) {
    const text = await disassembleCode(code).then(
      (listing) => listing.text,
      // What cannot be read may ask for them.
      () => 'PREVMCBLOCKS',
    );
    if (/\b(?:PREVMCBLOCKS_100|PREVBLOCKSINFOTUPLE|GETPARAM(?:LONG)? 13)\b/.test(text)) {
      return 'all';
    }
    if (/\b(?:PREVMCBLOCKS|PREVKEYBLOCK)\b/.test(text)) {
      use = 'recent';
    }
  }
  return use;
}

/** Previous blocks as the engine takes them: a tuple of the VM, BoC in base64. */
export function previousBlocksBoc({ last, key, hundreds }: PreviousBlocks): string {
  const items = [
    tuple(last.map(blockTuple)),
    blockTuple(key),
    ...(hundreds === undefined ? [] : [tuple(hundreds.map(blockTuple))]),
  ];
  const stack = serializeTuple([tuple(items)]).beginParse();
  // The depth of the stack and the rest below: what remains is the value.
  stack.skip(24);
  stack.loadRef();
  return stack.asCell().toBoc().toString('base64');
}

function blockTuple({ seqno, rootHash, fileHash }: MasterchainBlock): TupleItem {
  return tuple([
    int(-1n),
    int(-(1n << 63n)),
    int(BigInt(seqno)),
    int(BigInt(`0x${rootHash}`)),
    int(BigInt(`0x${fileHash}`)),
  ]);
}

function int(value: bigint): TupleItem {
  return { type: 'int', value };
}

function tuple(items: TupleItem[]): TupleItem {
  return { type: 'tuple', items };
}
