import type { AbiType } from './abiType';
import { unknownType } from './abiType';
import type { GetMethodSignature, SignatureParameter } from './getMethodSignature';
import { limits } from '../limits';
import { tokenize, TokenReader, UnexpectedToken } from './sourceTokens';
import { ownValue } from '../ownValue';

/**
 * The get-methods that a TypeScript wrapper (as Blueprint makes them) calls: every `provider.get('name', args)` inside an
 * `async getX(provider: ContractProvider, …)`. Types come from the stack items written and the `stack.readX()` that
 * follow, or from a TupleBuilder. A call whose arguments are made otherwise is left out: its parameters are unknown.
 */
export function readWrapperSource(text: string): GetMethodSignature[] {
  // TypeScript's words, brackets and comments are those of Tolk; its quotes are not.
  const tokens = tokenize(
    text.replace(/'([^'\\\n]*)'/g, (_, inner: string) => `"${inner.replaceAll('"', ' ')}"`),
    'tolk',
  );
  const reader = new TokenReader(tokens);
  const methods = new Map<string, GetMethodSignature>();
  while (!reader.atEnd() && methods.size < limits.sourceMethods.most) {
    const token = reader.next();
    const before = reader.tokens.slice(Math.max(0, reader.position - 3), reader.position - 1);
    const isCall = token.text === 'get' && before.map(({ text: word }) => word).join('') === 'provider.';
    if (!isCall || reader.peek() !== '(' || !/^"[^"]+"$/.test(reader.peek(1))) {
      continue;
    }
    const position = reader.position;
    reader.spend(nearby);
    try {
      const method = readCall(reader);
      if (method !== undefined && !methods.has(method.name)) {
        methods.set(method.name, method);
      }
    } catch (error) {
      if (!(error instanceof UnexpectedToken)) {
        throw error;
      }
      reader.recover(position);
    }
  }
  return [...methods.values()];
}

/** Tokens before and after a call that are looked at: a method of a wrapper is short. */
const nearby = 400;

/** Reads `("name", […])` and the reads that follow it in the same method; undefined where the arguments are not told. */
function readCall(reader: TokenReader): GetMethodSignature | undefined {
  const before = reader.position;
  reader.expect('(');
  const name = reader.next();
  const parameters = reader.take(',') && reader.peek() !== ')' ? readParameters(reader, before) : [];
  if (parameters === undefined) {
    return undefined;
  }
  return {
    name: name.text.slice(1, -1),
    parameters,
    result: readResult(reader),
    origin: 'TypeScript wrapper',
    offset: name.offset + 1,
  };
}

/** `[item, …]` or `builder.build()`. */
function readParameters(reader: TokenReader, call: number): SignatureParameter[] | undefined {
  if (!reader.take('[')) {
    const isBuilt = reader.peek(1) === '.' && reader.peek(2) === 'build';
    return isBuilt ? writtenTo(reader, reader.peek(), call) : undefined;
  }
  const parameters: SignatureParameter[] = [];
  while (!reader.take(']')) {
    parameters.push(readItem(reader, parameters.length));
    reader.take(',');
  }
  return parameters;
}

const writes: Readonly<Record<string, AbiType>> = {
  writeNumber: { kind: 'int' },
  writeBoolean: { kind: 'bool' },
  writeAddress: { kind: 'address' },
  writeCell: { kind: 'cell' },
  writeSlice: { kind: 'slice' },
  writeBuilder: { kind: 'builder' },
  writeString: { kind: 'string' },
  writeTuple: { kind: 'tuple' },
};

/** What the tokens before a call write to `const NAME = new TupleBuilder()`; undefined where that cannot be followed. */
function writtenTo(reader: TokenReader, name: string, call: number): SignatureParameter[] | undefined {
  const words = reader.tokens.slice(Math.max(0, call - nearby), call).map(({ text }) => text);
  const made = words.lastIndexOf('TupleBuilder');
  if (made < 3 || words[made - 3] !== name) {
    return undefined;
  }
  const parameters: SignatureParameter[] = [];
  for (let at = made; at < words.length; at++) {
    const word = words[at + 2] ?? '';
    if (words[at] === name && words[at + 1] === '.') {
      const type = ownValue(writes, word);
      if (type === undefined) {
        return undefined;
      }
      parameters.push({ name: nameAt(words, at + 4) ?? `argument${parameters.length}`, type });
    }
  }
  return parameters;
}

/** The name that an expression has: the last of `args.owner`, that in `BigInt(index)`. */
function nameAt(words: readonly string[], start: number): string | undefined {
  let at = start;
  while (words[at + 1] === '.' || (words[at + 1] === '(' && /^(?:BigInt|toNano)$/.test(words[at] ?? ''))) {
    at += 2;
  }
  const name = words[at];
  const isName = name !== undefined && /^[a-z_]\w*$/i.test(name) && words[at + 1] !== '(';
  return isName ? name : undefined;
}

/** `{ type: 'int', value: x }`, `{ type: 'slice', cell: beginCell().storeAddress(owner).endCell() }` */
function readItem(reader: TokenReader, place: number): SignatureParameter {
  const start = reader.position;
  reader.skipBalanced();
  const words = reader.tokens.slice(start, reader.position).map(({ text }) => text);
  const type = words[words.indexOf('type') + 2]?.replaceAll('"', '') ?? '';
  const address = words.indexOf('storeAddress');
  const key = words.findIndex((word) => word === 'value' || word === 'cell');
  const value = address >= 0 ? address + 2 : words[key + 1] === ':' ? key + 2 : key;
  return {
    name: nameAt(words, value) ?? `argument${place}`,
    type: address < 0 ? itemType(type) : { kind: 'address' },
  };
}

function itemType(type: string): AbiType {
  switch (type) {
    case 'int':
    case 'cell':
    case 'slice':
    case 'builder':
    case 'tuple':
    case 'null':
      return { kind: type };
    default:
      return unknownType;
  }
}

const reads: Readonly<Record<string, AbiType>> = {
  readNumber: { kind: 'int' },
  readBigNumber: { kind: 'int' },
  readNumberOpt: { kind: 'nullable', inner: { kind: 'int' } },
  readBigNumberOpt: { kind: 'nullable', inner: { kind: 'int' } },
  readBoolean: { kind: 'bool' },
  readBooleanOpt: { kind: 'nullable', inner: { kind: 'bool' } },
  readAddress: { kind: 'address' },
  readAddressOpt: { kind: 'nullable', inner: { kind: 'address' } },
  readCell: { kind: 'cell' },
  readCellOpt: { kind: 'nullable', inner: { kind: 'cell' } },
  readString: { kind: 'string' },
  readStringOpt: { kind: 'nullable', inner: { kind: 'string' } },
  readBuffer: { kind: 'slice' },
  readTuple: { kind: 'tuple' },
  readTupleOpt: { kind: 'nullable', inner: { kind: 'tuple' } },
  readLispList: { kind: 'list', inner: unknownType },
  readCellDict: { kind: 'dictionary' },
};

/** The `read…()` calls up to the end of the block that the call stands in. */
function readResult(reader: TokenReader): AbiType {
  const items: { name: string; type: AbiType }[] = [];
  let depth = 0;
  for (let ahead = 0; depth >= -1 && ahead < nearby; ahead++) {
    const token = reader.tokens[reader.position + ahead];
    if (token === undefined) {
      break;
    }
    depth += /^[{]$/.test(token.text) ? 1 : token.text === '}' ? -1 : 0;
    if (depth < 0) {
      break;
    }
    const type = ownValue(reads, token.text);
    if (type !== undefined) {
      items.push({ name: nameBefore(reader, ahead) ?? `result${items.length}`, type });
    }
  }
  const [only] = items;
  if (only === undefined) {
    return unknownType;
  }
  return items.length === 1 ? only.type : { kind: 'struct', name: '', fields: items };
}

/** The variable or field that the read is assigned to: `const x = …stack.readCell()`, `x: stack.readCell()`. */
function nameBefore(reader: TokenReader, ahead: number): string | undefined {
  for (let back = 1; back <= 6; back++) {
    const token = reader.tokens[reader.position + ahead - back];
    if (token?.text === '=' || token?.text === ':') {
      const name = reader.tokens[reader.position + ahead - back - 1]?.text;
      return name !== undefined && /^[a-z_]\w*$/i.test(name) ? name : undefined;
    }
  }
  return undefined;
}
