import type { Cell, CurrencyCollection, ExternalAddress, Message, Transaction } from '@ton/core';
import { Address } from '@ton/core';
import { loadAnyTransaction, isNetworkLt, isNetworkTime } from '../../cell/loadFolded';
import type { DecodedBody } from './decodedBody';

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

type Field = DecodedBody['fields'][number];

/** A structure of block.tlb as named fields, in the format of bodies. */
export function structure(name: string, fields: Field[]): DecodedBody {
  return {
    name,
    opcode: undefined,
    source: 'block.tlb',
    fields,
    broken: false,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
}

/** The fields of a {@link structure}, by type. */
export const field = {
  body: (name: string, value: DecodedBody): Field => ({ name, value: { type: 'body', value } }),
  coins: (name: string, value: bigint): Field => ({ name, value: { type: 'coins', value } }),
  flag: (name: string, value: boolean): Field => ({ name, value: { type: 'bool', value } }),
  text: (name: string, value: string): Field => ({ name, value: { type: 'text', value } }),
  bytes: (name: string, value: string): Field => ({ name, value: { type: 'bytes', value } }),
  integer: (name: string, value: bigint | number): Field => ({
    name,
    value: { type: 'int', value: BigInt(value) },
  }),
  /** Amounts by id, in the smallest units, whose number of decimals no cell says; nothing if there are none. */
  extraCurrencies: (other: CurrencyCollection['other'], name = 'extra_currencies'): Field[] =>
    other == null || other.size === 0
      ? []
      : [
          {
            name,
            value: {
              type: 'map',
              entries: other.keys().map((id) => ({
                key: { type: 'int', value: BigInt(id) },
                value: { type: 'int', value: other.get(id) ?? 0n },
              })),
            },
          },
        ],
  cell: (name: string, cell: Cell): Field => ({
    name,
    value: { type: 'cell', value: cell.toBoc().toString('base64') },
  }),
  address: (name: string, value: Address | ExternalAddress): Field => ({
    name,
    value: {
      type: 'address',
      value: Address.isAddress(value) ? value.toRawString() : value.toString(),
    },
  }),
};
