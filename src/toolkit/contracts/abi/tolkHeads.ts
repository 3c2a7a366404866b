import type { AbiType } from './abiType';
import { readTolkType } from './readTolkType';
import { bare, isTolkName } from './tolkFunctions';
import { TokenReader, UnexpectedToken, closersOf } from './tokenize';
import type { SourceToken } from './tokenize';

/** A function of a Tolk text with the types in its head, and its body as a range of the text's tokens. */
export interface TolkHead {
  name: string;
  /** The type that it is a method of: `Box<T>` in `fun Box<T>.open(self)`. */
  receiver: AbiType | undefined;
  /** Names of its own type parameters. */
  typeParameters: readonly string[];
  /** `mutates`: it changes the variable that it is given. */
  parameters: readonly { name: string; type: AbiType | undefined; mutates: boolean }[];
  /** What it is declared to return. */
  result: AbiType | undefined;
  /** undefined for a function in assembler, and for one of the compiler's. */
  body: TolkRange | undefined;
}

/** Some tokens of a text: from the first to behind the last. */
export interface TolkRange {
  tokens: readonly SourceToken[];
  /** The closing bracket of each opening one among the tokens. */
  closers: ReadonlyMap<number, number>;
  from: number;
  to: number;
}

/** What a Tolk text declares at its top, besides types. */
export interface TolkHeads {
  functions: readonly TolkHead[];
  /** Constants and globals: each with its declared type, or the value that has it. */
  values: ReadonlyMap<string, { type: AbiType } | { value: TolkRange }>;
}

/** The result of what never returns: a function that always throws. No value has this type. */
export const neverType: AbiType = { kind: 'named', name: 'never', arguments: [] };

/** Finds the functions, constants, and globals of a Tolk text by its tokens. What is not understood is skipped. */
export function readTolkHeads(tokens: readonly SourceToken[]): TolkHeads {
  const closers = closersOf(tokens);
  const functions: TolkHead[] = [];
  const values = new Map<string, { type: AbiType } | { value: TolkRange }>();
  const reader = new TokenReader(tokens);
  for (let place = 0; place < tokens.length; place++) {
    const { text } = tokens[place]!;
    const next = tokens[place + 1]?.text;
    reader.position = place + 1;
    try {
      if (text === 'fun' || (text === 'get' && isTolkName(next) && tokens[place + 2]?.text === '(')) {
        const head = readHead(reader, closers);
        functions.push(head);
        place = head.body?.to ?? reader.position - 1;
      } else if ((text === 'const' || text === 'global') && isTolkName(next)) {
        const name = bare(reader.next().text);
        const type = reader.take(':') ? readTolkType(reader) : undefined;
        if (type !== undefined) {
          values.set(name, { type });
        } else if (reader.take('=')) {
          values.set(name, { value: { tokens, closers, from: reader.position, to: tokens.length } });
        }
      } else {
        place = closers.get(place) ?? place;
      }
    } catch (error) {
      if (!(error instanceof UnexpectedToken)) {
        throw error;
      }
    }
  }
  return { functions, values };
}

function readHead(reader: TokenReader, closers: ReadonlyMap<number, number>): TolkHead {
  const { tokens } = reader;
  const receiver = readReceiver(reader);
  const { text: name } = reader.name();
  const typeParameters = reader.take('<') ? reader.list('>', () => typeParameter(reader)) : [];
  reader.expect('(');
  const parameters = reader.list(')', () => {
    const mutates = reader.take('mutate');
    const parameter = reader.name().text;
    const type = reader.take(':') ? readTolkType(reader) : undefined;
    while (reader.peek() !== ',' && reader.peek() !== ')') {
      // A default value.
      reader.position = (closers.get(reader.position) ?? reader.position) + 1;
    }
    return { name: parameter, type, mutates };
  });
  const result = reader.take(':') ? readResult(reader) : undefined;
  const from = reader.position + 1;
  const to = reader.peek() === '{' ? closers.get(reader.position) : undefined;
  return {
    ...{ name, receiver, typeParameters, parameters, result },
    body: to === undefined ? undefined : { tokens, closers, from, to },
  };
}

/** The declared type, of `never` too, which {@link readTolkType} takes for void. */
function readResult(reader: TokenReader): AbiType {
  const isNever = reader.peek() === 'never';
  const type = readTolkType(reader);
  return isNever ? neverType : type;
}

/** The type before the point in `fun Box<T>.open(`; undefined if there is none, and then nothing is read. */
function readReceiver(reader: TokenReader): AbiType | undefined {
  const start = reader.position;
  try {
    const type = readTolkType(reader);
    if (reader.take('.')) {
      return type;
    }
  } catch (error) {
    if (!(error instanceof UnexpectedToken)) {
      throw error;
    }
  }
  reader.position = start;
  return undefined;
}

/** `T`, or `T = int`. */
function typeParameter(reader: TokenReader): string {
  const { text } = reader.name();
  if (reader.take('=')) {
    readTolkType(reader);
  }
  return text;
}
