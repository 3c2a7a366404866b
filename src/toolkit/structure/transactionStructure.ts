import { Address } from '@ton/core';
import type { Cell, Message, Transaction } from '@ton/core';
import type { DecodedBody } from '../opcodes/decodedBody';
import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import { isNetworkLt, isNetworkTime } from '../cell/networkFacts';
import { field, structure } from './structure';

type Fields = DecodedBody['fields'];

/**
 * A transaction (block.tlb: Transaction) as named fields; undefined if the cell is not one. Its tag, that of the
 * state update, and the layouts of its parts make it unambiguous.
 *
 * @param message how to render the messages inside
 */
export function transactionStructure(
  cell: Cell,
  message: (message: Message) => DecodedBody,
): DecodedBody | undefined {
  let transaction: Transaction;
  try {
    transaction = loadAnyTransaction(cell);
  } catch {
    return undefined;
  }
  if (!isNetworkTime(transaction.now) || !isNetworkLt(transaction.lt)) {
    return undefined;
  }
  const { inMessage, outMessages } = transaction;
  return structure('transaction', [
    accountField(transaction),
    field.integer('lt', transaction.lt),
    field.integer('now', transaction.now),
    field.text('status_before', transaction.oldStatus),
    field.text('status_after', transaction.endStatus),
    field.coins('total_fees', transaction.totalFees.coins),
    ...field.extraCurrencies(transaction.totalFees.other, 'total_fees_extra_currencies'),
    ...descriptionFields(transaction.description),
    field.bytes('previous_hash', hashHex(transaction.prevTransactionHash)),
    field.integer('previous_lt', transaction.prevTransactionLt),
    field.bytes('state_hash_before', transaction.stateUpdate.oldHash.toString('hex')),
    field.bytes('state_hash_after', transaction.stateUpdate.newHash.toString('hex')),
    ...(inMessage == null ? [] : [field.body('in_message', message(inMessage))]),
    ...outMessages.values().map((one, index) => field.body(`out_message_${index + 1}`, message(one))),
  ]);
}

/** A transaction has its account without the workchain, which its messages have. */
function accountField({ address, inMessage, outMessages }: Transaction): Fields[number] {
  const known = [inMessage?.info.dest, ...outMessages.values().map(({ info }) => info.src)].find(
    (one) => one instanceof Address,
  );
  const hash = hashHex(address);
  return known === undefined
    ? field.bytes('account', hash)
    : field.address('account', new Address(known.workChain, Buffer.from(hash, 'hex')));
}

function descriptionFields(description: Transaction['description']): Fields {
  const kind = field.text('kind', description.type === 'generic' ? 'ordinary' : description.type);
  if (description.type !== 'generic' && description.type !== 'tick-tock') {
    return [kind];
  }
  const { computePhase: compute, actionPhase: action } = description;
  const bounce = description.type === 'generic' ? description.bouncePhase : undefined;
  return [
    kind,
    field.flag('aborted', description.aborted),
    ...(description.destroyed ? [field.flag('destroyed', true)] : []),
    ...(compute.type === 'skipped'
      ? [field.text('compute_skipped', compute.reason)]
      : [
          field.integer('exit_code', compute.exitCode),
          field.integer('gas_used', compute.gasUsed),
          field.coins('gas_fees', compute.gasFees),
        ]),
    ...(action == null
      ? []
      : [
          field.integer('action_result_code', action.resultCode),
          field.integer('actions', action.totalActions),
          ...(action.skippedActions > 0 ? [field.integer('actions_left_out', action.skippedActions)] : []),
        ]),
    ...(bounce == null ? [] : [field.text('bounce', bounce.type)]),
  ];
}

function hashHex(hash: bigint): string {
  return hash.toString(16).padStart(64, '0');
}
