import { ownValue } from '../../base/collections';
import { limits, overLimitError } from '../../base/limits';
import { abiUnreadableError } from './readAbi';
import type { AbiType, SimpleKind } from './abiType';
import { unknownType } from './abiType';
import type { GetMethodSignature, SignatureParameter } from './getMethodSignature';
import { inferFuncResults } from './getMethodSignature';
import { readSeveralTypes } from './readTolkType';
import { readTactSource } from './readTactSource';
import { readTolkSource } from './readTolkSource';
import { readWrapperSource } from './readWrapperSource';
import { SourceReadings } from './sourceLanguage';
import type { SourceToken } from './tokenize';
import { TokenReader, UnexpectedToken, numberOf, tokenize, withoutBackticks } from './tokenize';

/** Extensions of files that signatures can be read from. */
const signatureFileEndings = ['.tolk', '.fc', '.func', '.tact', '.abi', '.pkg', '.json', '.ts'] as const;

/**
 * The get-methods that a file describes, by its extension: Tolk, FunC, and Tact source, the ABI of the Tact compiler
 * (.abi, .pkg) and of the Tolk compiler (.json), TypeScript wrappers.
 *
 * @param imported texts of the same language that declare types used here
 * @param readings caches parsed texts
 * @throws WorkbenchError `abi-unreadable`, `over-limit` (input)
 */
export async function readSignatures(
  fileName: string,
  text: string,
  imported: readonly string[] = [],
  readings = new SourceReadings(),
): Promise<GetMethodSignature[]> {
  const ending = /\.[a-z]+$/i.exec(fileName)?.[0].toLowerCase() ?? '';
  const limit = isSource(ending) ? 'sourceText' : 'projectFileBytes';
  if (text.length > limits[limit].most) {
    throw overLimitError(limit, { what: `The file ${fileName}` });
  }
  switch (ending) {
    case '.tolk':
      return readTolkSource(text, imported, readings);
    case '.fc':
    case '.func':
      return inferFuncResults(
        text,
        readings.of('func', text, () => readFuncSource(text)),
        imported,
        readings,
      );
    case '.tact':
      return readTactSource(text, imported, readings);
    case '.ts':
      return readWrapperSource(text);
    case '.abi':
    case '.pkg':
      return (await import('./readTactAbi')).readTactAbi(text).methods;
    case '.json':
      return /"abi_schema_version"/.test(text)
        ? (await import('./readTolkAbi')).readTolkAbi(text).methods
        : (await import('./readTactAbi')).readTactAbi(text).methods;
    default:
      throw abiUnreadableError(
        'file with get-methods',
        `the extension of ${JSON.stringify(fileName)} is not one of ${signatureFileEndings.join(' ')}`,
      );
  }
}

/** Sources are small; anything larger was generated, or is not a source. */
function isSource(ending: string): boolean {
  return ['.tolk', '.fc', '.func', '.tact', '.ts'].includes(ending);
}

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
