import { Address, Cell, contractAddress, loadStateInit } from '@ton/core';
import type { Message, MessageRelaxed, StateInit } from '@ton/core';
import { decodeBodyCell } from '../opcodes/decodeBody';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { BodyValue } from '../opcodes/decodedBody';
import { decodeSigned } from '../opcodes/decodeSigned';
import { tokenContentBody } from '../opcodes/tokenContentBody';
import { accountStructure } from './accountStructure';
import { initFields } from './initFields';
import { isEvidentMessage } from './isEvidentMessage';
import { loadFolded } from '../cell/loadFolded';
import { loadAnyMessage } from '../cell/loadAnyMessage';
import { normalizedHash } from '../cell/normalizedHash';
import { field, structure } from './structure';
import { isReadableText } from '../text';
import { transactionStructure } from './transactionStructure';

type Field = DecodedBody['fields'][number];

/** Reads a body unknown to the built-in message table, using the caller's knowledge; undefined if nothing fits. */
export type ReadBody = (body: Cell) => DecodedBody | undefined;

/** Maximum nesting of messages that is decoded. */
const deepest = 3;

/**
 * Decodes a cell as a transaction, an account state, a message, a state init, a known body (a comment, a TEP message,
 * a signed wallet request), or one that `readBody` knows; undefined if nothing fits. The least ambiguous structures
 * are tried first; a body whose layout fits only in part comes last, as `broken`.
 */
export function decodeStructure(cell: Cell, readBody: ReadBody = () => undefined): DecodedBody | undefined {
  if (cell.isExotic || (cell.bits.length === 0 && cell.refs.length === 0)) {
    return undefined;
  }
  const body = attempt(() => decodeBodyCell(cell, {}, 0));
  if (fits(body) && isEvidentBody(body)) {
    return withMessages(body, 0, readBody);
  }
  const content = tokenContentBody(cell);
  if (content !== undefined) {
    return content;
  }
  const certain =
    transactionStructure(cell, (message) => messageStructure(message, 0, readBody)) ?? accountStructure(cell);
  if (certain !== undefined) {
    return certain;
  }
  const own = attempt(() => readBody(cell));
  if (own !== undefined) {
    return own;
  }
  const message = loadAnyMessage(cell);
  if (message !== undefined && isEvidentMessage(message)) {
    return messageStructure(message, 0, readBody);
  }
  return (
    attempt(() => decodeInit(cell)) ??
    (body !== undefined && isEvidentBody(body) ? body : undefined) ??
    attempt(() => evidentRequest(cell, readBody))
  );
}

/** A signature could be any 512 bits: only a request with messages is recognizable. */
function evidentRequest(cell: Cell, readBody: ReadBody): DecodedBody | undefined {
  const request = decodeSigned(cell, []);
  const messages =
    request?.fields.flatMap(({ value }) =>
      value.type === 'cell' && value.isMessage === true ? [value.value] : [],
    ) ?? [];
  const isMessage = (boc: string): boolean => loadAnyMessage(Cell.fromBase64(boc)) !== undefined;
  return request !== undefined && messages.length > 0 && messages.every(isMessage)
    ? withMessages(request, 0, readBody)
    : undefined;
}

/** A comment is only marked by 32 zero bits, with which much other data begins: it must be text. */
function isEvidentBody({ name, fields }: DecodedBody): boolean {
  return (
    name !== 'text_comment' ||
    fields.every(({ value }) => value.type !== 'text' || isReadableText(value.value))
  );
}

function fits(body: DecodedBody | undefined): body is DecodedBody {
  return body !== undefined && !body.broken && body.left.bits + body.left.refs === 0;
}

/** A message as named fields; its state init, its body, and the messages inside a wallet's request are nested. */
function messageStructure(message: Message | MessageRelaxed, depth: number, readBody: ReadBody): DecodedBody {
  const { info, init, body } = message;
  const external = info.type === 'external-in';
  return structure(`${info.type.replaceAll('-', '_')}_message`, [
    ...infoFields(info),
    // By it, indexers find the trace of the message.
    ...(external ? [field.bytes('normalized_hash', normalizedHash({ info, body }))] : []),
    ...(init == null
      ? []
      : [
          field.body('state_init', initStructure(init, info.dest instanceof Address ? info.dest : undefined)),
        ]),
    ...(body.bits.length + body.refs.length === 0
      ? []
      : [{ name: 'body', value: bodyValue(body, external, depth, readBody) }]),
  ]);
}

function infoFields(info: (Message | MessageRelaxed)['info']): Field[] {
  const source = info.src == null ? [] : [field.address('source', info.src)];
  switch (info.type) {
    case 'internal':
      return [
        ...source,
        field.address('destination', info.dest),
        field.coins('value', info.value.coins),
        ...field.extraCurrencies(info.value.other),
        field.flag('bounce', info.bounce),
        ...(info.bounced ? [field.flag('bounced', true)] : []),
        ...(info.forwardFee > 0n ? [field.coins('forward_fee', info.forwardFee)] : []),
        ...(info.createdLt > 0n ? [field.integer('created_lt', info.createdLt)] : []),
        ...(info.createdAt > 0 ? [field.integer('created_at', info.createdAt)] : []),
      ];
    case 'external-in':
      return [
        ...source,
        field.address('destination', info.dest),
        ...(info.importFee > 0n ? [field.coins('import_fee', info.importFee)] : []),
      ];
    case 'external-out':
      return [
        ...source,
        ...(info.dest == null ? [] : [field.address('destination', info.dest)]),
        field.integer('created_lt', info.createdLt),
        field.integer('created_at', info.createdAt),
      ];
  }
}

/** Account code and data (block.tlb: StateInit); rejects leftover or empty data. */
function decodeInit(cell: Cell): DecodedBody | undefined {
  const { init, slice } = loadFolded(cell, (slice) => ({ init: loadStateInit(slice), slice }));
  const whole = slice.remainingBits === 0 && slice.remainingRefs === 0;
  return whole && init.code != null ? initStructure(init, undefined) : undefined;
}

function initStructure(init: StateInit, destination: Address | undefined): DecodedBody {
  const own = contractAddress(destination?.workChain ?? 0, init);
  return structure('state_init', [
    field.address('address', own),
    ...(destination === undefined ? [] : [field.flag('address_matches', own.equals(destination))]),
    ...initFields(init),
  ]);
}

function bodyValue(body: Cell, external: boolean, depth: number, readBody: ReadBody): BodyValue {
  const decoded = attempt(() => (external ? decodeSigned(body, []) : decodeBodyCell(body, {}, 0)));
  const known = fits(decoded) ? decoded : (attempt(() => readBody(body)) ?? decoded);
  if (known === undefined) {
    return field.cell('', body).value;
  }
  return { type: 'body', value: depth < deepest ? withMessages(known, depth, readBody) : known };
}

/** The messages of a wallet's request, decoded in place. */
function withMessages(body: DecodedBody, depth: number, readBody: ReadBody): DecodedBody {
  const fields = body.fields.map((given): Field => {
    if (given.value.type !== 'cell' || given.value.isMessage !== true) {
      return given;
    }
    const message = loadAnyMessage(Cell.fromBase64(given.value.value));
    return message === undefined
      ? given
      : field.body(given.name, messageStructure(message, depth + 1, readBody));
  });
  return { ...body, fields };
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
