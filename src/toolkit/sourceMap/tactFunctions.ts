import type { SourceToken } from '../contracts/abi/tokenize';
import { TokenReader, UnexpectedToken } from '../contracts/abi/tokenize';

/** A function in a Tact source, or a contract, whose code selects the receiver. */
export interface TactFunction {
  /** `Counter.value`, `Counter.receive(Increase)`, `cube`, or the contract's name. */
  name: string;
  /** Offset of its name, or of what it receives. */
  offset: number;
  /** Index of the token with its opening brace. */
  open: number;
  /** Index of the token with its closing brace. */
  close: number;
  /** `message` is a receiver of a message struct, `rest` one of everything else; `receiver` is any other one. */
  kind: 'contract' | 'function' | 'message' | 'rest' | 'receiver';
}

const receivers = new Set(['receive', 'external', 'bounced']);

/** The contracts and functions of a Tact source that have code, each contract before its functions. */
export function tactFunctions(tokens: readonly SourceToken[]): TactFunction[] {
  return new OutlineReader(tokens).read();
}

class OutlineReader {
  readonly #found: TactFunction[] = [];
  readonly #reader: TokenReader;

  constructor(private readonly tokens: readonly SourceToken[]) {
    this.#reader = new TokenReader(tokens);
  }

  read(): TactFunction[] {
    while (!this.#reader.atEnd()) {
      const start = this.#reader.position;
      try {
        this.#item(undefined);
      } catch (error) {
        if (!(error instanceof UnexpectedToken)) {
          throw error;
        }
        this.#reader.recover(start + 1);
      }
    }
    return this.#found;
  }

  /** @param owner the contract or trait around it */
  #item(owner: string | undefined): void {
    const reader = this.#reader;
    const { text, offset } = reader.next();
    if (text === 'fun') {
      const { text: name, offset: at } = reader.name();
      this.#function(owner === undefined ? name : `${owner}.${name}`, at, 'function');
    } else if (owner === undefined && (text === 'contract' || text === 'trait')) {
      this.#container(text);
    } else if (owner !== undefined && (text === 'init' || receivers.has(text)) && reader.peek() === '(') {
      this.#receiver(owner, text, offset);
    } else if (text === 'asm') {
      // Its body is assembly.
      this.#toBody();
      reader.skipBalanced();
    } else if (/^[([{]$/.test(text)) {
      reader.position -= 1;
      reader.skipBalanced();
    }
  }

  #container(kind: 'contract' | 'trait'): void {
    const reader = this.#reader;
    const { text: name, offset } = reader.name();
    this.#toBody();
    if (kind === 'contract') {
      this.#add(name, offset, kind);
    }
    reader.expect('{');
    while (!reader.take('}')) {
      this.#item(name);
    }
  }

  #receiver(owner: string, word: string, offset: number): void {
    const reader = this.#reader;
    const open = reader.position;
    reader.skipBalanced();
    const inside = this.tokens.slice(open + 1, reader.position - 1).map(({ text }) => text);
    const colon = inside.indexOf(':');
    const type = inside.slice(colon + 1).join('');
    const isStruct = colon >= 0 && type !== 'Slice' && type !== 'String';
    const isRest = word !== 'bounced' && type === 'Slice';
    const kind = isStruct ? 'message' : isRest ? 'rest' : 'receiver';
    const isInit = word === 'init';
    this.#function(`${owner}.${isInit ? word : `${word}(${type})`}`, offset, isInit ? 'function' : kind);
  }

  /** Reads on after its name. */
  #function(name: string, offset: number, kind: TactFunction['kind']): void {
    if (this.#toBody()) {
      this.#add(name, offset, kind);
      this.#reader.skipBalanced();
    }
  }

  #add(name: string, offset: number, kind: TactFunction['kind']): void {
    const reader = this.#reader;
    const open = reader.position;
    reader.skipBalanced();
    const close = reader.position - 1;
    reader.position = open;
    this.#found.push({ name, offset, open, close, kind });
  }

  /** Moves to the opening brace; false if there is none before the declaration's end. */
  #toBody(): boolean {
    const reader = this.#reader;
    for (;;) {
      const text = reader.peek();
      if (text === '{') {
        return true;
      }
      if (reader.take(';')) {
        return false;
      }
      reader.skipBalanced();
    }
  }
}
