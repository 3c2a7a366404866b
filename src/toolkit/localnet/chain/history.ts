import { readBoc } from '../cells/readBoc';
import { writeBoc } from '../cells/writeBoc';
import type { QueuedMessage } from './blockBuilder';
import type { BlockInput } from './ledger';
import { Ledger } from './ledger';
import { unpackAccount } from './packAccount';
import { readTransaction } from './readTransaction';
import type { AccountVersion, BlockRecord } from './records';

/** The ledger as it was at the end of a block. */
export function ledgerUpTo(ledger: Ledger, seqno: number): Ledger {
  const earlier = new Ledger();
  for (const block of ledger.blocks.slice(0, seqno)) {
    earlier.apply(blockInput(ledger, block));
  }
  return earlier;
}

/** What a block was made of. */
export function blockInput(ledger: Ledger, block: BlockRecord): BlockInput {
  const shardAccount = (version: AccountVersion): Buffer => {
    const code = version.codeHash === null ? null : (ledger.codes.get(version.codeHash) ?? null);
    return writeBoc(unpackAccount(version.packed, code));
  };
  return {
    genUtime: block.genUtime,
    startLt: block.startLt,
    changes: block.changed.map((account) => {
      const version = account.versions.find(
        ({ seqno, transaction }) => seqno === block.seqno && transaction === null,
      );
      return { address: account.address, shardAccount: shardAccount(version as AccountVersion) };
    }),
    transactions: block.transactions.map(({ account, boc, after, ignoreSignatures }) => ({
      address: account.address,
      boc,
      shardAccount: shardAccount(after),
      ignoreSignatures,
    })),
  };
}

/** Internal messages that were sent and not yet received, in the order of their lt. */
export function messagesUnderWay(ledger: Ledger): QueuedMessage[] {
  const found: { lt: bigint; message: QueuedMessage }[] = [];
  for (const { transactions } of ledger.openTraces) {
    for (const { boc, outMessages } of transactions) {
      const waiting = outMessages.filter(({ consumer, kind }) => consumer === null && kind === 'internal');
      const cells = waiting.length === 0 ? [] : readTransaction(readBoc(boc)).outMessages;
      for (const record of waiting) {
        const cell = cells[outMessages.indexOf(record)];
        if (cell !== undefined && record.destination !== null) {
          const message = { boc: writeBoc(cell).toString('base64'), destination: record.destination };
          found.push({ lt: record.createdLt, message });
        }
      }
    }
  }
  return found.sort((a, b) => Number(a.lt - b.lt)).map(({ message }) => message);
}
