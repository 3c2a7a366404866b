import { parseEach, parseSeparator } from '../stack/parseStackText';
import type { StackTextContext } from '../stack/stackTextContext';
import type { StackValue } from '../stack/stackValue';
import { typeText } from './abiType';
import type { AbiType } from './abiType';
import { dictionaryCell, dictionaryKeyBits } from './mapCells';
import type { MapEntry } from './mapCells';
import { closeBrace, nextWord, parseCellLike, takeColon, takeNull } from './typedLeaves';

/** Reads a value of a type that takes one stack entry. */
type ParseOne = (context: StackTextContext, type: AbiType, name: string) => StackValue;

/** `{key: value, …}`, `null`, or the dictionary's cell. An empty map is null on the stack. */
export function parseMap(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'map' }>,
  name: string,
  parseOne: ParseOne,
): StackValue {
  const { scanner } = context;
  if (nextWord(context) === 'null') {
    return takeNull(context);
  }
  const start = scanner.position;
  if (!scanner.take('{')) {
    return parseCellLike(
      context,
      { kind: 'cell' },
      name,
      'a map is {key: value, …}, or the cell of a dictionary',
    );
  }
  const keyBits = dictionaryKeyBits(type.key);
  if (keyBits === undefined) {
    throw scanner.errorFrom(start, `a map with ${typeText(type.key)} keys cannot be written here`, {
      suggestion: 'give its cell',
    });
  }
  const entries: MapEntry[] = [];
  context.nested(start, () => {
    parseEach(context, () => entries.push(parseMapEntry(context, type, name, entries, parseOne)));
  });
  closeBrace(context, start);
  const cell = dictionaryCell(type, entries);
  return cell === undefined ? { type: 'null' } : { type: 'cell', cell };
}

function parseMapEntry(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'map' }>,
  name: string,
  before: readonly MapEntry[],
  parseOne: ParseOne,
): MapEntry {
  const { scanner } = context;
  const start = scanner.position;
  context.count(start);
  const key = parseOne(context, type.key, `a key of ${name}`);
  const isRepeated = before.some((entry) => sameKey(entry.key, key));
  if (isRepeated) {
    throw scanner.errorFrom(start, 'this key is given twice');
  }
  takeColon(context, 'the key');
  const valueStart = scanner.position;
  const isPlain = ['int', 'coins', 'bool', 'address', 'cell', 'cellOf', 'enum'].includes(type.value.kind);
  // Values with a storage format of their own (structs, for example) are given as the bits and references of a slice.
  const value = isPlain
    ? parseOne(context, type.value, `a value of ${name}`)
    : parseCellLike(context, { kind: 'slice' }, `a value of ${name}`, 'write its bits: b(u8 1, coins 1ton)');
  try {
    dictionaryCell(type, [{ key, value }]);
  } catch (error) {
    throw scanner.errorFrom(
      valueStart,
      `this is not a valid ${typeText(type.value)} value (${String(error)})`,
    );
  }
  parseSeparator(context);
  return { key, value };
}

function sameKey(a: StackValue, b: StackValue): boolean {
  if (a.type === 'int' && b.type === 'int') {
    return a.value === b.value;
  }
  return 'cell' in a && 'cell' in b && a.cell.equals(b.cell);
}
