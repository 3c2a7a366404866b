import { KeptBytes } from './keptBytes';
import type { TransactionRecord } from './transactionRecord';

/** An account's state at one moment. */
export class AccountVersion extends KeptBytes {
  constructor(
    packed: Buffer,
    readonly codeHash: string | null,
    /** Seqno of the block that brought it. */
    readonly seqno: number,
    /** Null when the state was set from outside (genesis, control). */
    readonly transaction: TransactionRecord | null,
  ) {
    super(packed);
  }

  /** ShardAccount as BoC, its code replaced by an empty cell (packAccount.ts). */
  get packed(): Buffer {
    return this.bytes;
  }
}
