import type { Cell, Message, StateInit } from '@ton/core';
import { beginCell, storeStateInit } from '@ton/core';
import { upperHex } from '../../address/hash';
import type { Exact, V3Message, V3MessageContent } from '../../api/v3Objects';
import type { MessageHead } from '../../cell/light/readMessage';
import type { BodyContext } from '../../contracts/opcodes/decodeBody';
import { decodeBodyCell } from '../../contracts/opcodes/decodeBody';
import type { BodyValue, DecodedBody } from '../../contracts/opcodes/decodedBody';
import type { FieldType } from '../../contracts/opcodes/opcodes';
import { opcodes } from '../../contracts/opcodes/opcodes';
import { localWallets } from '../../contracts/opcodes/walletCodes';

/** The service decoder's reading of a body: its fields depend on the message named by `@type`. */
export interface DecodedJson {
  '@type': string;
  [field: string]: unknown;
}

/** A body as decoded by the service: an object whose `@type` names the message. Null if unknown. */
export function decodedBody(body: Cell, context: BodyContext = {}): DecodedJson | null {
  const decoded = decodeBodyCell(body, context, 0);
  return decoded === undefined || decoded.broken || decoded.bounced ? null : encodeTop(decoded);
}

/** The service's name of an opcode. */
function opcodeName(opcode: number | null): string | null {
  return opcode === null ? null : (opcodes.get(opcode)?.name ?? null);
}

function encodeTop(decoded: DecodedBody): DecodedJson {
  if (decoded.name === 'text_comment') {
    const comment = decoded.fields[0]?.value;
    const text = comment?.type === 'text' ? comment.value : '';
    return { '@type': 'text_comment', comment: text, type: 'text_comment' };
  }
  return encodeBody(decoded);
}

function encodeBody(decoded: DecodedBody): DecodedJson {
  if (decoded.name === 'empty') {
    return { '@type': 'empty_cell' };
  }
  if (decoded.name === 'text_comment') {
    const comment = decoded.fields[0]?.value;
    return { '@type': 'text_comment', text: comment?.type === 'text' ? comment.value : '' };
  }
  const types = decoded.opcode === undefined ? undefined : opcodes.get(Number(decoded.opcode))?.fields;
  const fields = decoded.fields.map(({ name, value }, place) => [
    name,
    encodeValue(value, types?.[place]?.[1]),
  ]);
  return { '@type': decoded.name, ...(Object.fromEntries(fields) as Record<string, unknown>) };
}

function encodeValue(value: BodyValue, type: FieldType | undefined): unknown {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'coins':
      return { '@type': 'var_uint', len: byteLength(value.value).toString(), value: value.value.toString() };
    case 'bool':
    case 'text':
      return value.value;
    case 'bytes':
      return upperHex(value.value);
    case 'address':
      return encodeAddress(value.value);
    case 'none':
      return type === 'either'
        ? { '@type': 'first_from_either', value: { '@type': 'empty_cell' } }
        : { '@type': 'nothing_from_maybe' };
    case 'cell':
      return inPlace(value.value, value.isReferred, type);
    case 'body':
      return inPlace(encodeBody(value.value), value.isReferred, type);
    case 'map':
      throw new TypeError('the table of known messages has no maps');
  }
}

function inPlace(value: unknown, isReferred: true | undefined, type: FieldType | undefined): unknown {
  if (type === 'either') {
    return isReferred === true
      ? { '@type': 'second_from_either', value: { cell_reference: value } }
      : { '@type': 'first_from_either', value };
  }
  return type === 'maybeRef' ? { '@type': 'just_from_maybe', value } : value;
}

function encodeAddress(address: string | undefined): DecodedJson {
  if (address === undefined) {
    return { '@type': 'addr_none' };
  }
  const [workchain, hex] = address.split(':') as [string, string];
  const anycast = { '@type': 'nothing_from_maybe' };
  return { '@type': 'addr_std', anycast, workchain_id: workchain, address: upperHex(hex) };
}

function byteLength(value: bigint): number {
  return value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
}

/** The code hash of an account, if known. */
export type CodeHashOf = (address: string) => string | null | undefined;

/** A message as described by the indexed API (fields that do not apply to its kind are null). */
export function encodeMessage(
  codeHashOf: CodeHashOf,
  record: MessageHead,
  message: Message,
): Exact<V3Message> {
  const { info } = message;
  const internal = info.type === 'internal' ? info : undefined;
  const external = record.kind === 'external-in';
  const opcode = record.opcode === null ? null : `0x${record.opcode.toString(16).padStart(8, '0')}`;
  return {
    hash: record.hash,
    source: record.source,
    destination: record.destination,
    value: internal?.value.coins ?? null,
    value_extra_currencies: internal === undefined ? null : currencies(internal.value.other),
    fwd_fee: internal?.forwardFee ?? null,
    ihr_fee: internal === undefined ? null : 0n,
    // Since TVM version 12, the former IHR fee field holds flags.
    extra_flags: internal?.ihrFee ?? null,
    created_lt: external ? null : record.createdLt,
    created_at: external ? null : record.createdAt,
    opcode,
    decoded_opcode: external ? null : opcodeName(record.opcode),
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    import_fee: info.type === 'external-in' ? info.importFee : null,
    message_content: {
      hash: record.bodyHash,
      body: message.body.toBoc().toString('base64'),
      decoded: decodedBody(message.body, { external, interfaces: walletInterfaces(codeHashOf, record) }),
    },
    init_state: message.init == null ? null : encodeInit(message.init),
    ...(record.normalized === null ? {} : { hash_norm: record.normalized }),
  };
}

/** A wallet's signed body does not identify its format: the receiver determines it. */
function walletInterfaces(codeHashOf: CodeHashOf, { kind, destination }: MessageHead): string[] {
  const codeHash = kind === 'external-in' && destination !== null ? codeHashOf(destination) : undefined;
  const wallet = localWallets.get(codeHash ?? '');
  return wallet === undefined ? [] : [wallet.interface];
}

function encodeInit(init: StateInit): Exact<V3MessageContent> {
  const cell = beginCell().store(storeStateInit(init)).endCell();
  return {
    hash: cell.hash().toString('hex'),
    body: cell.toBoc().toString('base64'),
    decoded: null,
  };
}

function currencies(other: Iterable<[number, bigint]> | null | undefined): Record<string, bigint> {
  return Object.fromEntries(other ?? []);
}
