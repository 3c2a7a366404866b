import { Cell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import { decodeBodyCell } from '../../opcodes/decodeBody';
import type { DecodedBody } from '../../opcodes/decodedBody';
import { readLightCell } from '../../cell/light/readLightCell';
import type { LightCell } from '../../cell/light/lightCell';
import { writeLightCell } from '../../cell/light/writeLightCell';
import { readMessage } from '../../cell/light/readMessage';
import { readAborted, readTransaction } from '../../cell/light/readTransaction';
import type { TransactionRecord } from '../records/records';
import type { Step } from './classifyStep';

/**
 * What the classifiers need from a transaction; undefined without a caller, or if a message only bounced back to it.
 */
export function readStep(transaction: TransactionRecord): Step | undefined {
  const message = transaction.inMessage;
  const cell = readLightCell(transaction.boc);
  const { inMessage } = readTransaction(cell);
  if (message === null || inMessage === null) {
    return undefined;
  }
  const { body, value, bounced, hasInit: init } = readMessage(inMessage);
  if (bounced) {
    // It takes back what an action sent, and is not an action itself.
    return undefined;
  }
  const decoded = message.kind === 'internal' ? decode(body) : undefined;
  return {
    message,
    transaction,
    body: decoded,
    value,
    init,
    aborted: readAborted(cell) ?? aborted(transaction),
  };
}

/** Light cells are parsed ten times as fast; the decoder takes those of @ton/core. */
function decode(body: LightCell): DecodedBody | undefined {
  if (body.bitLength === 0 && body.refs.length === 0 && !body.exotic) {
    return decodeBodyCell(Cell.EMPTY, {}, 0);
  }
  return decodeBodyCell(Cell.fromBoc(writeLightCell(body))[0] as Cell, {}, 0);
}

function aborted({ boc }: TransactionRecord): boolean {
  const { description } = loadAnyTransaction(Cell.fromBoc(boc)[0] as Cell);
  return 'aborted' in description && description.aborted;
}
