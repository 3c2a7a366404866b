import { Address, Cell, contractAddress, loadStateInit } from '@ton/core';
import type { ExternalAddress, Message, MessageRelaxed, StateInit } from '@ton/core';
import { decodeCell } from '../opcodes/decodeBody';
import type { BodyValue, DecodedBody } from '../opcodes/decodeBody';
import { decodeSigned } from '../opcodes/decodeSigned';
import { walletCodes } from '../opcodes/walletCodes';
import { loadAnyMessage } from './loadAnyMessage';

type Field = DecodedBody['fields'][number];

/** Reads a body that the table of known messages does not tell, by what the caller knows; undefined where nothing fits. */
export type ReadBody = (body: Cell) => DecodedBody | undefined;

/** Messages inside messages are followed this far. */
const deepest = 3;

/**
 * What a cell says when it is a message, a state init or a known body (a comment, a TEP message, a signed wallet
 * request) or what `readBody` knows; undefined when nothing fits. A body whose layout fits only in part comes last, as
 * `broken`.
 */
export function decodeStructure(cell: Cell, readBody: ReadBody = () => undefined): DecodedBody | undefined {
  if (cell.isExotic || (cell.bits.length === 0 && cell.refs.length === 0)) {
    return undefined;
  }
  const body = attempt(() => decodeCell(cell, {}, 0));
  if (fits(body)) {
    return body;
  }
  const own = attempt(() => readBody(cell));
  if (own !== undefined) {
    return own;
  }
  const message = loadAnyMessage(cell);
  if (message !== undefined) {
    return messageStructure(message, 0, readBody);
  }
  return attempt(() => decodeInit(cell)) ?? body ?? attempt(() => decodeSigned(cell, []));
}

function fits(body: DecodedBody | undefined): body is DecodedBody {
  return body !== undefined && !body.broken && body.left.bits + body.left.refs === 0;
}

/** A message as named fields; its state init, its body and the messages inside a wallet's request nest. */
export function messageStructure(
  message: Message | MessageRelaxed,
  depth: number,
  readBody: ReadBody,
): DecodedBody {
  const { info, init, body } = message;
  const external = info.type === 'external-in';
  return structure(`${info.type.replaceAll('-', '_')}_message`, 'block.tlb', [
    ...infoFields(info),
    ...(init == null
      ? []
      : [bodyField('state_init', initStructure(init, info.dest instanceof Address ? info.dest : undefined))]),
    ...(body.bits.length + body.refs.length === 0
      ? []
      : [{ name: 'body', value: bodyValue(body, external, depth, readBody) }]),
  ]);
}

function infoFields(info: (Message | MessageRelaxed)['info']): Field[] {
  const source = info.src == null ? [] : [address('source', info.src)];
  switch (info.type) {
    case 'internal':
      return [
        ...source,
        address('destination', info.dest),
        coins('value', info.value.coins),
        ...(info.value.other?.size ? [integer('extra_currencies', info.value.other.size)] : []),
        flag('bounce', info.bounce),
        ...(info.bounced ? [flag('bounced', true)] : []),
        ...(info.forwardFee > 0n ? [coins('forward_fee', info.forwardFee)] : []),
        ...(info.createdLt > 0n ? [integer('created_lt', info.createdLt)] : []),
        ...(info.createdAt > 0 ? [integer('created_at', info.createdAt)] : []),
      ];
    case 'external-in':
      return [
        ...source,
        address('destination', info.dest),
        ...(info.importFee > 0n ? [coins('import_fee', info.importFee)] : []),
      ];
    case 'external-out':
      return [
        ...source,
        ...(info.dest == null ? [] : [address('destination', info.dest)]),
        integer('created_lt', info.createdLt),
        integer('created_at', info.createdAt),
      ];
  }
}

/** Account code and data (block.tlb: StateInit); refuses what is left over or empty. */
function decodeInit(cell: Cell): DecodedBody | undefined {
  const slice = cell.beginParse();
  const init = loadStateInit(slice);
  const whole = slice.remainingBits === 0 && slice.remainingRefs === 0;
  return whole && init.code != null ? initStructure(init, undefined) : undefined;
}

function initStructure(init: StateInit, destination: Address | undefined): DecodedBody {
  const own = contractAddress(destination?.workChain ?? 0, init);
  const codeHash = init.code?.hash().toString('hex');
  const wallet = codeHash === undefined ? undefined : walletCodes.get(codeHash)?.name;
  return structure('state_init', 'block.tlb', [
    address('address', own),
    ...(destination === undefined ? [] : [flag('address_matches', own.equals(destination))]),
    ...(wallet === undefined ? [] : [text('contract', wallet)]),
    ...(init.splitDepth == null ? [] : [integer('split_depth', init.splitDepth)]),
    ...(init.special == null ? [] : [flag('tick', init.special.tick), flag('tock', init.special.tock)]),
    ...(codeHash === undefined
      ? []
      : [{ name: 'code_hash', value: { type: 'bytes', value: codeHash } as const }]),
    ...(init.code == null ? [] : [cellField('code', init.code)]),
    ...(init.data == null ? [] : [cellField('data', init.data)]),
    ...(init.libraries?.size ? [integer('libraries', init.libraries.size)] : []),
  ]);
}

function bodyValue(body: Cell, external: boolean, depth: number, readBody: ReadBody): BodyValue {
  const decoded = attempt(() => (external ? decodeSigned(body, []) : decodeCell(body, {}, 0)));
  const known = fits(decoded) ? decoded : (attempt(() => readBody(body)) ?? decoded);
  if (known === undefined) {
    return cellField('', body).value;
  }
  return { type: 'body', value: depth < deepest ? withMessages(known, depth, readBody) : known };
}

/** The messages of a wallet's request, decoded in place. */
function withMessages(body: DecodedBody, depth: number, readBody: ReadBody): DecodedBody {
  const fields = body.fields.map((field): Field => {
    if (!field.name.startsWith('message_') || field.value.type !== 'cell') {
      return field;
    }
    const message = loadAnyMessage(Cell.fromBase64(field.value.value));
    return message === undefined
      ? field
      : bodyField(field.name, messageStructure(message, depth + 1, readBody));
  });
  return { ...body, fields };
}

function structure(name: string, source: string, fields: Field[]): DecodedBody {
  return {
    name,
    opcode: undefined,
    source,
    fields,
    broken: false,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
}

const bodyField = (name: string, value: DecodedBody): Field => ({ name, value: { type: 'body', value } });
const coins = (name: string, value: bigint): Field => ({ name, value: { type: 'coins', value } });
const flag = (name: string, value: boolean): Field => ({ name, value: { type: 'bool', value } });
const text = (name: string, value: string): Field => ({ name, value: { type: 'text', value } });
const integer = (name: string, value: bigint | number): Field => ({
  name,
  value: { type: 'int', value: BigInt(value) },
});
const cellField = (name: string, cell: Cell): Field => ({
  name,
  value: { type: 'cell', value: cell.toBoc().toString('base64') },
});

function address(name: string, value: Address | ExternalAddress): Field {
  const shown = Address.isAddress(value) ? value.toRawString() : value.toString();
  return { name, value: { type: 'address', value: shown } };
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
