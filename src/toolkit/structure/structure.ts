import { Address } from '@ton/core';
import type { Cell, CurrencyCollection, ExternalAddress } from '@ton/core';
import type { DecodedBody } from '../opcodes/decodedBody';

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
