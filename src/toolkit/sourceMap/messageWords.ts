import { Address, beginCell, Cell, loadMessage } from '@ton/core';
import type { Message } from '@ton/core';
import { fittingLayout } from '../layouts/fittingLayout';
import type { BodyValue, DecodedBody } from '../opcodes/decodedBody';
import { stackTextAt } from '../recording/recording';
import type { Recording } from '../recording/recording';
import { splitStack } from '../recording/splitStack';
import type { SourceMap, SourceVariable, VariableSlot } from './sourceMap';

/** A part of the received message, as the VM's log would print it. */
export interface MessageWord extends Pick<VariableSlot, 'kind'> {
  word: string;
}

/**
 * What a variable has that is read from the received message: `in.valueCoins`, and the fields of `msg` in
 * `val msg = lazy InMsg.fromSlice(in.body)`. The compiler keeps no names for them.
 */
export function messageWords(
  recording: Recording,
  map: SourceMap,
  { name, isMessage, body }: SourceVariable,
): ReadonlyMap<string, MessageWord> {
  const received = isMessage === true || body !== undefined ? receivedMessage(recording) : undefined;
  const words = new Map<string, MessageWord>();
  if (received?.info.type !== 'internal' || received.info.bounced) {
    return words;
  }
  const { info } = received;
  if (isMessage === true) {
    const own: [string, BodyValue][] = [
      ['senderAddress', { type: 'address', value: info.src.toRawString() }],
      ['valueCoins', { type: 'coins', value: info.value.coins }],
      ['createdAt', { type: 'int', value: BigInt(info.createdAt) }],
      ['createdLt', { type: 'int', value: info.createdLt }],
      ['isBounced', { type: 'bool', value: info.bounced }],
      ['body', { type: 'cell', value: received.body.toBoc().toString('base64') }],
    ];
    own.forEach(([field, value]) => addWords(words, `${name}.${field}`, value));
    return words;
  }
  const isExpected = (layout: { name: string }): boolean => body?.includes(layout.name) === true;
  const decoded = map.layouts && fittingLayout(received.body, [map.layouts], isExpected);
  if (decoded !== undefined && isExpected(decoded)) {
    addFields(words, name, decoded);
  }
  return words;
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
    return loadMessage(Cell.fromHex(boc).beginParse());
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
      words.set(path, { word: value.value.toString(), kind: 'coins' });
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
      words.set(path, { word: wordOf(path.endsWith('.body') ? 'CS' : 'C', Cell.fromBase64(value.value)) });
      break;
    case 'text':
    case 'bytes':
    case 'map':
      break;
  }
}

function wordOf(kind: 'C' | 'CS', cell: Cell): string {
  return `${kind}{${cell.toBoc({ idx: false }).toString('hex').toUpperCase()}}`;
}
