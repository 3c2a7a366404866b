import type { Exact } from '../../api/openObject';
import type { V3Transaction, V3Message } from '../../api/v3Objects';
import { Cell, loadMessage } from '@ton/core';
import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell } from '../../cell/light/readLightCell';
import { readTransaction } from '../../cell/light/readTransaction';
import { writeLightCell } from '../../cell/light/writeLightCell';
import type { CodeHashOf } from '../../execution/encode/encodeMessage';
import { encodeMessage } from '../../execution/encode/encodeMessage';
import { encodeTracedTransaction } from '../../execution/encode/encodeTracedTransaction';
import type { MessageRecord, TransactionRecord } from '../records/records';
import type { EncodeContext } from './encodeContext';
import { loadFolded } from '../../cell/loadFolded';

export const basechainShard = '8000000000000000';

/** A transaction in the indexed API's format. */
export function encodeV3Transaction(context: EncodeContext, record: TransactionRecord): Exact<V3Transaction> {
  const root = record.trace.transactions[0] as TransactionRecord;
  const printed = context.ledger.debug.of(record.hash);
  return {
    ...encodeTracedTransaction(record, { codeHashOf: codesIn(context), printed, traceId: root.hash }),
    mc_block_seqno: record.block.seqno,
    block_ref: blockReference(record),
    emulated: false,
    finality: 'finalized',
  };
}

/** Transactions of masterchain accounts are in the masterchain block itself. */
function blockReference(record: TransactionRecord): Exact<V3Transaction>['block_ref'] {
  const workchain = record.account.address.startsWith('-1:') ? -1 : 0;
  return { workchain, shard: basechainShard, seqno: record.block.seqno };
}

function codesIn({ ledger }: EncodeContext): CodeHashOf {
  return (address) => ledger.accounts.get(address)?.versions.at(-1)?.codeHash;
}

/**
 * A message by itself, read from a transaction that contains it: the receiver's, which has no other inbound message.
 */
export function encodeMessageOf(context: EncodeContext, record: MessageRecord): Exact<V3Message> {
  const { producer, consumer } = record;
  const { boc } = (consumer ?? producer) as TransactionRecord;
  const { inMessage, outMessages } = readTransaction(readLightCell(boc));
  const cell = consumer === null ? outMessages[producer?.outMessages.indexOf(record) ?? 0] : inMessage;
  const [root] = Cell.fromBoc(writeLightCell(cell as LightCell));
  return encodeMessage(codesIn(context), record, loadFolded(root as Cell, loadMessage));
}
