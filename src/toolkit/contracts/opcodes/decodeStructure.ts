import type { Account, Message, MessageRelaxed, StateInit } from '@ton/core';
import { Address, Cell, contractAddress, loadAccount, loadStateInit } from '@ton/core';
import {
  loadAnyMessage,
  loadFolded,
  normalizedHash,
  isNetworkLt,
  isNetworkTime,
  isNetworkWorkchain,
} from '../../cell/loadFolded';
import { decodeBodyCell } from './decodeBody';
import type { BodyValue, DecodedBody } from './decodedBody';
import { decodeSigned, tokenContentBody } from './decodedBody';
import { walletCodes } from './walletCodes';
import { isReadableText } from '../../base/text';
import { field, structure, transactionStructure } from './transactionStructure';

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

/**
 * The state of an account (block.tlb: Account, or the ShardAccount around it) as named fields; undefined if the cell
 * does not match either exactly. Their tags are short, so values must also be plausible: the workchain and payment
 * time must be possible.
 */
function accountStructure(cell: Cell): DecodedBody | undefined {
  try {
    return shardAccount(cell) ?? account(cell);
  } catch {
    return undefined;
  }
}

/** `account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64` */
function shardAccount(cell: Cell): DecodedBody | undefined {
  const [inner] = cell.refs;
  if (cell.bits.length !== 320 || cell.refs.length !== 1 || inner === undefined || inner.isExotic) {
    return undefined;
  }
  // account_none$0
  const isNone = inner.bits.length === 1 && inner.refs.length === 0 && !inner.bits.at(0);
  const state = isNone ? structure('account', [field.text('status', 'nonexist')]) : account(inner);
  const slice = cell.beginParse();
  return state === undefined
    ? undefined
    : structure('shard_account', [
        field.bytes('last_transaction_hash', slice.loadBuffer(32).toString('hex')),
        field.integer('last_transaction_lt', slice.loadUintBig(64)),
        field.body('account', state),
      ]);
}

/** `account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage` */
function account(cell: Cell): DecodedBody | undefined {
  if (!cell.beginParse().loadBit()) {
    return undefined;
  }
  const { loaded, slice } = loadFolded(cell, (slice) => ({ loaded: loadAccount(slice.skip(1)), slice }));
  const isWhole = slice.remainingBits === 0 && slice.remainingRefs === 0;
  const makesSense =
    isNetworkWorkchain(loaded.addr.workChain) &&
    isNetworkTime(loaded.storageStats.lastPaid) &&
    isNetworkLt(loaded.storage.lastTransLt);
  return isWhole && makesSense ? structure('account', accountFields(loaded)) : undefined;
}

function accountFields({ addr, storage, storageStats }: Account): DecodedBody['fields'] {
  const { state, balance } = storage;
  const { lastPaid, duePayment, used } = storageStats;
  return [
    field.address('address', addr),
    field.text('status', state.type),
    field.coins('balance', balance.coins),
    ...field.extraCurrencies(balance.other),
    field.integer('last_transaction_lt', storage.lastTransLt),
    field.integer('storage_cells', used.cells),
    field.integer('storage_bits', used.bits),
    field.integer('storage_paid_until', lastPaid),
    ...(duePayment == null ? [] : [field.coins('storage_debt', duePayment)]),
    ...(state.type === 'active' ? initFields(state.state) : []),
    ...(state.type === 'frozen'
      ? [field.bytes('frozen_hash', state.stateHash.toString(16).padStart(64, '0'))]
      : []),
  ];
}

/** Code, data, and so on of a contract (block.tlb: StateInit); a known wallet is named. */
function initFields(init: StateInit): DecodedBody['fields'] {
  const codeHash = init.code?.hash().toString('hex');
  const wallet = codeHash === undefined ? undefined : walletCodes.get(codeHash)?.name;
  return [
    ...(wallet === undefined ? [] : [field.text('contract', wallet)]),
    ...(init.splitDepth == null ? [] : [field.integer('split_depth', init.splitDepth)]),
    ...(init.special == null
      ? []
      : [field.flag('tick', init.special.tick), field.flag('tock', init.special.tock)]),
    ...(codeHash === undefined ? [] : [field.bytes('code_hash', codeHash)]),
    ...(init.code == null ? [] : [field.cell('code', init.code)]),
    ...(init.data == null ? [] : [field.cell('data', init.data)]),
    ...(init.libraries?.size ? [field.integer('libraries', init.libraries.size)] : []),
  ];
}

/**
 * Whether a cell that parses as a message clearly is one. The layout alone proves little: everything after the head
 * counts as the body, and the head of an external out-message without addresses fits nearly any bits (such as an
 * account's state). Real messages have accounts in existing workchains and plausible times; those without a source
 * were made by a contract, not sent yet, and leave empty what the network fills in. Nobody sets an import fee.
 */
export function isEvidentMessage({ info }: Message | MessageRelaxed): boolean {
  const accounts = [info.src, info.dest].filter((one) => one instanceof Address);
  if (!accounts.every(({ workChain }) => isNetworkWorkchain(workChain))) {
    return false;
  }
  if (info.type === 'external-in') {
    return info.importFee === 0n;
  }
  const isSent = info.createdLt !== 0n && info.createdAt !== 0;
  const isUnsent = info.createdLt === 0n && info.createdAt === 0;
  const isInTime = isNetworkTime(info.createdAt) && isNetworkLt(info.createdLt);
  return info.src == null ? isUnsent : (isSent || isUnsent) && isInTime;
}
