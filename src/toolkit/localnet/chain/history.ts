import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell, writeLightCell } from '../../cell/light/lightCell';
import { readTransaction } from '../../cell/light/bitCursor';
import type { QueuedMessage } from '../../execution/cascade';
import { mapInTurns } from '../../base/turns';
import type { Fork } from '../fork/fork';
import type { JournalEntry, KeptBlock, KeptTransaction } from '../records/blockInput';
import { unpackAccount } from '../records/packAccount';
import type { AccountVersion, BlockRecord, TransactionRecord } from '../records/records';
import { Ledger } from './ledger';

/** The ledger as of the end of a block. */
export function ledgerUpTo(ledger: Ledger, seqno: number): Ledger {
  const earlier = new Ledger(ledger.base);
  for (const step of stepsUpTo(ledger, earlier, seqno)) {
    step();
  }
  return earlier;
}

/** The same, yielding to other work. Meanwhile the ledger may only grow by a fork's reads. */
export async function ledgerUpToInTurns(ledger: Ledger, seqno: number): Promise<Ledger> {
  const earlier = new Ledger(ledger.base);
  await mapInTurns(stepsUpTo(ledger, earlier, seqno), (step) => step());
  for (const step of adoptions(ledger, earlier)) {
    step();
  }
  return earlier;
}

function* stepsUpTo(ledger: Ledger, earlier: Ledger, seqno: number): Iterable<() => void> {
  yield* adoptions(ledger, earlier);
  for (const block of ledger.blocks.slice(0, seqno - ledger.base.seqno)) {
    yield () => void earlier.apply(blockInput(ledger, block));
  }
}

/** Copies the states at a fork's block that the other ledger lacks. */
function* adoptions(ledger: Ledger, earlier: Ledger): Iterable<() => void> {
  for (const [address, version] of adoptedVersions(ledger)) {
    if (!earlier.accounts.has(address)) {
      yield () => void earlier.adopt({ address, shardAccount: wholeAccount(ledger, version) });
    }
  }
}

/** The known states at a fork's block. */
function* adoptedVersions(ledger: Ledger): Iterable<[address: string, version: AccountVersion]> {
  for (const { address, versions } of ledger.accounts.values()) {
    const [first] = versions;
    if (first?.seqno === ledger.base.seqno) {
      yield [address, first];
    }
  }
}

/** The journal entries with which a fork starts over, keeping what it has read. */
export function forkEntries(fork: Fork, ledger: Ledger): JournalEntry[] {
  const states = new Map(adoptedVersions(ledger));
  const fetched = [...fork.accounts].map(([address, known]) => {
    const version = states.get(address);
    return {
      type: 'fetched' as const,
      address,
      fidelity: known === 'absent' ? ('exact' as const) : known,
      shardAccount: version === undefined ? Buffer.alloc(0) : wholeAccount(ledger, version),
    };
  });
  const libraries = [...fork.libraries.values()].map((cell) => ({
    type: 'library' as const,
    boc: cell.toBoc(),
  }));
  return [{ type: 'fork', point: fork.point, settings: fork.settings }, ...libraries, ...fetched];
}

/** ShardAccount as BoC. */
export function wholeAccount(ledger: Ledger, { codeHash, packed }: AccountVersion): Buffer {
  const code = codeHash === null ? null : (ledger.codes.get(codeHash) ?? null);
  return writeLightCell(unpackAccount(packed, code));
}

/** What follows a block, to apply it again. */
export function blocksAfter(ledger: Ledger, seqno: number): Promise<KeptBlock[]> {
  return mapInTurns(ledger.blocks.slice(seqno - ledger.base.seqno), (block) => blockInput(ledger, block));
}

/**
 * Applies blocks of before again, yielding to other work.
 * @param write called with each block first; if it throws, that block and the rest are not applied
 */
export async function applyAgain(
  ledger: Ledger,
  blocks: readonly KeptBlock[],
  write: (block: KeptBlock) => void,
): Promise<void> {
  await mapInTurns(blocks, (block) => {
    write(block);
    ledger.apply(block);
  });
}

/** A block's input, in the form that is cheapest to apply again. */
export function blockInput(ledger: Ledger, block: BlockRecord): KeptBlock {
  return {
    genUtime: block.genUtime,
    startLt: block.startLt,
    changes: block.changed.map((account) => {
      const version = account.versions.find(
        ({ seqno, transaction }) => seqno === block.seqno && transaction === null,
      );
      return { address: account.address, shardAccount: wholeAccount(ledger, version as AccountVersion) };
    }),
    codes: block.newCodes.map((hash) => writeLightCell(ledger.codes.get(hash) as LightCell)),
    transactions: block.transactions.map(keptTransaction),
    failed: block.failed,
    dropped: block.dropped,
  };
}

function keptTransaction(record: TransactionRecord): KeptTransaction {
  const { account, boc, after, ignoreSignatures, inMessage } = record;
  const { hash, lt, now, outMessages } = record;
  return {
    address: account.address,
    boc,
    packed: after.packed,
    codeHash: after.codeHash,
    head: {
      hash,
      lt,
      now,
      inMessage: inMessage?.producer == null ? inMessage : { hash: inMessage.hash },
      outMessages,
    },
    ...(ignoreSignatures ? { ignoreSignatures } : {}),
  };
}

/** Internal messages sent and not yet delivered, by lt. */
export function messagesUnderWay(ledger: Ledger): QueuedMessage[] {
  const found: { lt: bigint; message: QueuedMessage }[] = [];
  for (const { transactions } of ledger.openTraces) {
    for (const { boc, outMessages } of transactions) {
      const waiting = outMessages.filter(
        ({ consumer, kind, hash }) => consumer === null && kind === 'internal' && ledger.isOnItsWay(hash),
      );
      const cells = waiting.length === 0 ? [] : readTransaction(readLightCell(boc)).outMessages;
      for (const record of waiting) {
        const cell = cells[outMessages.indexOf(record)];
        if (cell !== undefined && record.destination !== null) {
          const message = { boc: writeLightCell(cell).toString('base64'), destination: record.destination };
          found.push({ lt: record.createdLt, message });
        }
      }
    }
  }
  return found.sort((a, b) => Number(a.lt - b.lt)).map(({ message }) => message);
}
