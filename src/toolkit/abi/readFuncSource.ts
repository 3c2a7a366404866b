import type { AbiType, SimpleKind } from './abiType';
import { unknownType } from './abiType';
import type { GetMethodSignature, SignatureParameter } from './getMethodSignature';
import { limits } from '../limits';
import { numberOf, tokenize, TokenReader, UnexpectedToken, withoutBackticks } from './sourceTokens';
import type { SourceToken } from './sourceTokens';
import { readSeveralTypes } from './readSeveralTypes';
import { ownValue } from '../ownValue';

const simple: Readonly<Record<string, SimpleKind>> = {
  cell: 'cell',
  slice: 'slice',
  builder: 'builder',
  cont: 'continuation',
  tuple: 'tuple',
  var: 'unknown',
  _: 'unknown',
};

/** The get-methods defined in a FunC text: functions with `method_id` or `method_id(…)` among their specifiers. */
export function readFuncSource(text: string): GetMethodSignature[] {
  const reader = new TokenReader(tokenize(text, 'func'));
  const methods = new Map<string, GetMethodSignature>();
  while (!reader.atEnd() && methods.size < limits.sourceMethods.most) {
    const start = reader.position;
    try {
      const method = readDefinition(reader);
      // A declaration without a body may precede the definition.
      if (method !== undefined && !methods.has(method.name)) {
        methods.set(method.name, method);
      }
    } catch (error) {
      if (!(error instanceof UnexpectedToken)) {
        throw error;
      }
      // Not understood: definitions start on their own lines.
      reader.recover(start + 1);
      while (!reader.atEnd() && reader.tokens[reader.position]?.startsLine !== true) {
        reader.next();
      }
    }
  }
  return [...methods.values()];
}

/** Reads one top-level definition; undefined if it is not a get-method. */
function readDefinition(reader: TokenReader): GetMethodSignature | undefined {
  const first = reader.peek();
  if (first.startsWith('#') || first === 'const' || first === 'global') {
    skipDefinition(reader);
    return undefined;
  }
  const comment = reader.tokens[reader.position]?.comment;
  if (reader.take('forall')) {
    while (reader.next().text !== '->');
  }
  const result = readType(reader);
  const name = functionName(reader);
  reader.expect('(');
  const parameters = reader.list(')', () => readParameter(reader));
  const id = readSpecifiers(reader);
  if (id === undefined) {
    return undefined;
  }
  const unnamed = parameters.map((parameter, index) =>
    parameter.name === '' ? { ...parameter, name: `argument${index}` } : parameter,
  );
  return {
    name: name.text,
    ...(id === 'by name' ? {} : { methodId: id }),
    parameters: unnamed,
    result,
    origin: 'FunC source',
    ...(comment === undefined ? {} : { comment }),
    offset: name.offset,
  };
}

/** The specifiers up to the body or `;`, both skipped. */
function readSpecifiers(reader: TokenReader): number | 'by name' | undefined {
  let id: number | 'by name' | undefined;
  for (;;) {
    const { text } = reader.next();
    switch (text) {
      case 'method_id':
        id = 'by name';
        if (reader.peek() === '(') {
          id = Number(numberOf(reader.peek(1)) ?? NaN);
          reader.skipBalanced();
          id = Number.isNaN(id) ? 'by name' : id;
        }
        break;
      case '{':
        reader.position--;
        reader.skipBalanced();
        return id;
      case ';':
        return id;
      case 'asm':
        skipDefinition(reader);
        return undefined;
    }
  }
}

function skipDefinition(reader: TokenReader): void {
  while (!reader.atEnd()) {
    const text = reader.peek();
    if (/^[([{]$/.test(text)) {
      try {
        reader.skipBalanced();
      } catch {
        return;
      }
      if (text === '{') {
        return;
      }
    } else {
      reader.next();
      if (text === ';' || text === '}') {
        return;
      }
    }
  }
}

function functionName(reader: TokenReader): SourceToken {
  const token = reader.next();
  if (/^[()[\]{},;"]|^->$/.test(token.text)) {
    throw new UnexpectedToken(token.text);
  }
  return withoutBackticks(token);
}

/** `int`, `(int, slice)`, `[int, cell]`, `()`, a type variable, `A -> B`. */
function readType(reader: TokenReader): AbiType {
  const type = readAtom(reader);
  if (reader.take('->')) {
    reader.nested(() => readType(reader));
    return { kind: 'continuation' };
  }
  return type;
}

function readAtom(reader: TokenReader): AbiType {
  const several = readSeveralTypes(reader, readType);
  if (several !== undefined) {
    return several;
  }
  const { text } = functionName(reader);
  if (text === 'int') {
    return { kind: 'int', isTruth: true };
  }
  const kind = ownValue(simple, text);
  return kind === undefined ? unknownType : { kind };
}

/** `int amount`, `amount`, `_`, or a tensor of names such as `(int, int) pair`. */
function readParameter(reader: TokenReader): SignatureParameter {
  const ends = (): boolean => reader.peek() === ',' || reader.peek() === ')';
  const word = reader.peek();
  const type = readType(reader);
  if (ends()) {
    // A single word is a type if it is one of FunC's, else a name without a type.
    const isType = type.kind !== 'unknown' || word === '_' || word === 'var';
    return isType ? { name: '', type } : { name: word.replaceAll('`', ''), type: unknownType };
  }
  const { text: name } = functionName(reader);
  if (!ends()) {
    throw new UnexpectedToken(reader.peek());
  }
  return { name: name === '_' ? '' : name, type };
}
