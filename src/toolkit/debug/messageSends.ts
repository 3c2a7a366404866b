import type { Address, Cell, ExternalAddress, Message } from '@ton/core';
import { loadStateInit } from '@ton/core';
import { readRichBounce } from '../contracts/opcodes/richBounce';
import { actionTags } from '../contracts/opcodes/walletCodes';
import type { Recording } from '../recording/recording';
import { instructionAt, isOwnStep, onlyEstimates } from '../recording/recording';
import { depthAt, wordAt } from '../recording/followValue';
import type { ValuePart } from '../recording/valueParts';
import { cellIn, isSame, readWord, wholeValue } from '../recording/valueParts';

/** An instruction that sent a message. */
export interface SendStep {
  step: number;
  /** Slot of the cell with the message, counted from the bottom of the stack. */
  slot: number;
  /** The references that lead from that cell to the message; none if it is the message. */
  path: readonly number[];
  /** The message. */
  cell: Cell;
  mode: number;
  /** Within the message. */
  parts: MessageParts;
}

/** Where the parts of a message lie in its cell. */
export interface MessageParts {
  /** Of its value, with the length before it; undefined for one to the outside. */
  value: ValuePart | undefined;
  destination: ValuePart | undefined;
  /** Where its body begins. */
  body: { path: readonly number[]; bit: number; ref: number };
}

/**
 * The messages that an execution sent, in order; not those that it took back. Some contracts, such as wallets v5, write a
 * list of actions as a whole: its messages are sent by the instruction that does.
 */
export function sendSteps(recording: Recording): SendStep[] {
  let found: SendStep[] = [];
  for (const step of recording.writes) {
    if (instructionAt(recording, step) === 'POP c5' && !isOwnStep(recording, step + 1)) {
      found = listedSends(recording, step, found);
      continue;
    }
    if (!sendsOne(recording, step)) {
      continue;
    }
    const depth = depthAt(recording, step);
    const slot = depth - 2;
    const cell = cellIn(readWord(wordAt(recording, { step, slot })));
    const mode = Number(wordAt(recording, { step, slot: depth - 1 }));
    const parts = cell && messageParts(cell);
    if (cell !== undefined && parts !== undefined) {
      found.push({ step, slot, path: [], cell, mode, parts });
    }
  }
  return found;
}

/** Whether a step adds a message to the actions, and not only estimates what it costs. */
export function sendsOne(recording: Recording, step: number): boolean {
  return (
    /^SEND(?:RAW)?MSG$/.test(instructionAt(recording, step)) &&
    !isOwnStep(recording, step + 1) &&
    !onlyEstimates(recording, step)
  );
}

/** The messages of a list that a step writes. It may go on with those that were sent before, which keep their steps. */
function listedSends(recording: Recording, step: number, before: readonly SendStep[]): SendStep[] {
  const slot = depthAt(recording, step) - 1;
  const list = cellIn(readWord(wordAt(recording, { step, slot })));
  const sends: SendStep[] = [];
  const path: number[] = [];
  for (
    let one = list;
    one !== undefined && one.bits.length > 0 && path.length <= mostActions;
    one = one.refs[0]
  ) {
    const slice = one.isExotic ? undefined : one.beginParse();
    const cell = one.refs[1];
    if (slice !== undefined && slice.remainingBits >= 40 && slice.loadUint(32) === actionTags.sendMessage) {
      const parts = cell && messageParts(cell);
      if (cell !== undefined && parts !== undefined) {
        sends.unshift({ step, slot, path: [...path, 1], cell, mode: slice.loadUint(8), parts });
      }
    }
    path.push(0);
  }
  return sends.map((send, index) => {
    const known = before[index];
    return known?.cell.equals(send.cell) === true ? known : send;
  });
}

/** The most actions that a transaction may have. */
const mostActions = 255;

/** A part of a message as a part of the cell that has it. */
export function inSlot({ path }: SendStep, part: ValuePart): ValuePart {
  return { ...part, path: [...path, ...part.path] };
}

/** Where the parts of a message lie; undefined if the cell is none. */
export function messageParts(cell: Cell): MessageParts | undefined {
  try {
    const slice = cell.beginParse();
    let value: ValuePart | undefined;
    let destination: ValuePart | undefined;
    const loadAddress = (): readonly [number, number] => {
      const from = slice.offsetBits;
      slice.loadAddressAny();
      return [from, slice.offsetBits];
    };
    if (!slice.loadBit()) {
      slice.skip(3);
      loadAddress();
      destination = { path: [], bits: loadAddress() };
      const from = slice.offsetBits;
      slice.loadCoins();
      value = { path: [], bits: [from, slice.offsetBits] };
      slice.loadMaybeRef();
      slice.loadCoins();
      slice.loadCoins();
      slice.skip(64 + 32);
    } else {
      const isIn = !slice.loadBit();
      loadAddress();
      loadAddress();
      if (isIn) {
        slice.loadCoins();
      } else {
        slice.skip(64 + 32);
      }
    }
    if (slice.loadBit()) {
      if (slice.loadBit()) {
        slice.loadRef();
      } else {
        loadStateInit(slice);
      }
    }
    const isRef = slice.loadBit();
    const body = isRef
      ? { path: [slice.offsetRefs], bit: 0, ref: 0 }
      : { path: [], bit: slice.offsetBits, ref: slice.offsetRefs };
    return { value, destination, body };
  } catch {
    return undefined;
  }
}

/**
 * The body of a message that was sent.
 * @throws Error if its cell cannot be read
 */
export function sentBody({ cell, parts: { body } }: Pick<SendStep, 'cell' | 'parts'>): Cell {
  const slice = (body.path.length === 0 ? cell : (cell.refs[body.path[0] ?? 0] ?? cell)).beginParse();
  slice.skip(body.bit);
  for (let refs = body.ref; refs > 0; refs -= 1) {
    slice.loadRef();
  }
  return slice.asCell();
}

/** Who gets a message that was sent; undefined for one to the outside. */
export function sentTo({
  cell,
  parts: { destination },
}: Pick<SendStep, 'cell' | 'parts'>): Address | ExternalAddress | null | undefined {
  return destination?.bits && cell.beginParse().skip(destination.bits[0]).loadAddressAny();
}

/** A part of a message's body as a part of its cell. */
export function inMessage({ body }: MessageParts, { path, bits }: ValuePart, all: Cell): ValuePart {
  const [first, ...rest] = path;
  if (first !== undefined) {
    const index = first + (body.path.length === 0 ? body.ref : 0);
    return { path: [...body.path, index, ...rest], bits };
  }
  const cell = body.path.reduce<Cell | undefined>((one, step) => one?.refs[step], all);
  const end = (cell?.bits.length ?? 0) - body.bit;
  const isAll = bits === undefined && body.path.length > 0;
  const [from, to] = bits ?? [0, end];
  return isAll ? { path: body.path } : { path: body.path, bits: [from + body.bit, to + body.bit] };
}

/** A part of a message's cell as a part of its body; undefined if it is not in the body. */
export function inBody({ body }: MessageParts, { path, bits }: ValuePart): ValuePart | undefined {
  if (body.path.length > 0) {
    const [first, ...rest] = path;
    return first === body.path[0] ? { path: rest, bits } : undefined;
  }
  const [first, ...rest] = path;
  if (first !== undefined) {
    return first < body.ref ? undefined : { path: [first - body.ref, ...rest], bits };
  }
  return bits === undefined || bits[0] < body.bit
    ? undefined
    : { path: [], bits: [bits[0] - body.bit, bits[1] - body.bit] };
}

/**
 * What of the message that was bounced a part of the bounced body is: of its body, or its value. Undefined for what
 * whoever bounced it has added.
 */
export function carriedBack(
  back: Recording,
  bouncing: Recording,
  part: ValuePart,
): { in: number; part: ValuePart } | undefined {
  const body = cellIn(readWord(wordAt(back, { step: 0, slot: 3 })));
  const [first, ...path] = part.path;
  const [begin, end] = part.bits ?? [0, 0];
  const isRich = body !== undefined && readRichBounce(body) !== undefined;
  const from = isRich
    ? first === 0
      ? { in: 3, part: { path, bits: part.bits } }
      : first === 1 && path.length === 0 && begin === 0
        ? { in: 1, part: wholeValue }
        : undefined
    : first === undefined && begin >= 32
      ? { in: 3, part: { path: [], bits: [begin - 32, end - 32] as const } }
      : undefined;
  if (body === undefined || from === undefined || depthAt(bouncing, 0) !== 5) {
    return undefined;
  }
  const isEqual = isSame(
    [readWord(wordAt(bouncing, { step: 0, slot: from.in })), from.part],
    [{ type: 'cell', cell: body }, part],
    from.in === 1 ? 'varuint16' : undefined,
  );
  return isEqual ? from : undefined;
}

/**
 * The instruction that sent a message of a transaction: the one whose message has the same receiver and body. Of equal
 * ones, that of the same place in their order. Undefined if that does not tell.
 */
export function senderOf(
  sends: readonly SendStep[],
  out: readonly Message[],
  wanted: Message,
): SendStep | undefined {
  const isAlike = (message: Message): boolean =>
    message.body.equals(wanted.body) && destinationOf(message) === destinationOf(wanted);
  const matching = sends.filter((send) => isOf(send, wanted));
  const alike = out.filter(isAlike);
  const index = alike.indexOf(wanted);
  return matching.length === alike.length ? matching[index] : undefined;
}

function destinationOf({ info }: Message): string {
  return info.dest == null ? '' : info.dest.toString();
}

function isOf(send: Pick<SendStep, 'cell' | 'parts'>, wanted: Message): boolean {
  try {
    if (!sentBody(send).equals(wanted.body)) {
      return false;
    }
    if (send.parts.destination === undefined) {
      return wanted.info.type === 'external-out';
    }
    return String(sentTo(send)) === destinationOf(wanted);
  } catch {
    return false;
  }
}
