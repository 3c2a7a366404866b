import { Address, beginCell, Cell, loadMessage } from '@ton/core';
import type { Message } from '@ton/core';
import { readBodyCell } from '../contracts/layouts/fittingLayout';
import type { BodyValue, DecodedBody } from '../contracts/opcodes/decodedBody';
import { stackTextAt } from '../recording/recording';
import type { Recording } from '../recording/recording';
import { splitStack } from '../recording/splitStack';
import type { SourceMap, SourceVariable, VariableSlot } from './sourceMap';
import { loadFolded } from '../cell/loadFolded';

/** What the VM has no value for. */
export type WordlessValue = Extract<BodyValue, { type: 'text' | 'bytes' | 'map' }>;

/** A part of the received message. */
export interface MessageWord extends Pick<VariableSlot, 'kind'> {
  /** As the VM's log would print it; empty for a field. */
  word: string;
  /** Of a layout. */
  field?: WordlessValue;
}

/** Each variable of an execution is read once: stops and conditions ask for it again and again. */
const known = new WeakMap<Recording, WeakMap<SourceVariable, ReadonlyMap<string, MessageWord>>>();

/**
 * What a variable has that is read from the received message: `in.valueCoins`, and the fields of `msg` in
 * `val msg = lazy InMsg.fromSlice(in.body)`. The compiler keeps no names for them.
 */
export function messageWords(
  recording: Recording,
  map: SourceMap,
  variable: SourceVariable,
): ReadonlyMap<string, MessageWord> {
  const ofRecording = known.get(recording) ?? new WeakMap<SourceVariable, ReadonlyMap<string, MessageWord>>();
  const words = ofRecording.get(variable) ?? readWords(recording, map, variable);
  known.set(recording, ofRecording.set(variable, words));
  return words;
}

function readWords(
  recording: Recording,
  map: SourceMap,
  variable: SourceVariable,
): ReadonlyMap<string, MessageWord> {
  const { name, isMessage, body } = variable;
  const received = isMessage !== undefined || body !== undefined ? receivedMessage(recording) : undefined;
  const words = new Map<string, MessageWord>();
  if (received?.info.type !== 'internal') {
    return words;
  }
  const { info } = received;
  if (isMessage !== undefined) {
    const own: [string, BodyValue][] = [
      ['senderAddress', { type: 'address', value: info.src.toRawString() }],
      ['valueCoins', { type: 'coins', value: info.value.coins }],
      ['createdAt', { type: 'int', value: BigInt(info.createdAt) }],
      ['createdLt', { type: 'int', value: info.createdLt }],
      ...(isMessage === 'bounced' ? [] : [isBounced(info.bounced)]),
      [
        isMessage === 'bounced' ? 'bouncedBody' : 'body',
        { type: 'cell', value: received.body.toBoc().toString('base64') },
      ],
    ];
    own.forEach(([field, value]) => addWords(words, `${name}.${field}`, value));
    return words;
  }
  const decoded = bodyFor(received, map, variable);
  if (decoded !== undefined) {
    addFields(words, name, decoded);
  }
  return words;
}

function isBounced(value: boolean): [string, BodyValue] {
  return ['isBounced', { type: 'bool', value }];
}

/** The received body, as one of the structs that a variable can be. */
function bodyFor({ body }: Message, map: SourceMap, variable: SourceVariable): DecodedBody | undefined {
  const isExpected = (layout: { name: string }): boolean => variable.body?.includes(layout.name) === true;
  const decoded = map.layouts && readBodyCell(body, [map.layouts], isExpected);
  return decoded !== undefined && isExpected(decoded) ? decoded : undefined;
}

/** Why nothing is known of a variable that is read from the received message, as the end of a sentence. */
export function whyUnread(
  recording: Recording,
  map: SourceMap,
  variable: SourceVariable,
): string | undefined {
  if (variable.isMessage === undefined && variable.body === undefined) {
    return undefined;
  }
  if (recording.stepsMissing > 0) {
    return 'the log has lost the beginning of the execution, which had the message';
  }
  const received = receivedMessage(recording);
  if (received?.info.type !== 'internal') {
    return 'the execution did not begin with an internal message';
  }
  return variable.body === undefined || bodyFor(received, map, variable) !== undefined
    ? undefined
    : map.layouts === undefined
      ? 'the source does not tell how its structs lie in cells'
      : `the received body does not fit ${variable.body.join(' or ')}`;
}

/** The internal message on the stack of an execution's first step; undefined if it begins with something else. */
function receivedMessage({ stepsMissing, ...recording }: Recording): Message | undefined {
  const stack = stepsMissing > 0 ? [] : splitStack(stackTextAt({ stepsMissing, ...recording }, 0));
  const [message = '', body = '', selector] = stack.slice(-3);
  const [, boc] = /^C\{([0-9A-F]+)\}$/.exec(message) ?? [];
  if (boc === undefined || selector !== '0' || !body.startsWith('CS{')) {
    return undefined;
  }
  try {
    return loadFolded(Cell.fromHex(boc), loadMessage);
  } catch {
    return undefined;
  }
}

function addFields(words: Map<string, MessageWord>, path: string, { fields }: DecodedBody): void {
  fields.forEach(({ name, value }) => addWords(words, `${path}.${name}`, value));
}

function addWords(words: Map<string, MessageWord>, path: string, value: BodyValue): void {
  switch (value.type) {
    case 'body':
      addFields(words, path, value.value);
      break;
    case 'int':
      words.set(path, { word: value.value.toString() });
      break;
    case 'coins':
      words.set(path, {
        word: value.value.toString(),
        kind: value.isJetton === true ? 'jettons' : 'coins',
      });
      break;
    case 'bool':
      words.set(path, { word: value.value ? '-1' : '0', kind: 'bool' });
      break;
    case 'address': {
      const address = value.value === undefined ? null : Address.parse(value.value);
      words.set(path, { word: wordOf('CS', beginCell().storeAddress(address).endCell()) });
      break;
    }
    case 'none':
      words.set(path, { word: '(null)' });
      break;
    case 'cell':
      words.set(path, {
        word: wordOf(/\.(?:body|bouncedBody)$/.test(path) ? 'CS' : 'C', Cell.fromBase64(value.value)),
      });
      break;
    case 'text':
    case 'bytes':
    case 'map':
      words.set(path, { word: '', field: value });
      break;
  }
}

function wordOf(kind: 'C' | 'CS', cell: Cell): string {
  return `${kind}{${cell.toBoc({ idx: false }).toString('hex').toUpperCase()}}`;
}
