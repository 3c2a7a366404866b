import { Address, Cell, comment, contractAddress } from '@ton/core';
import type { ContractRef } from '../contracts/abi/projectContract';
import { linkedAccount } from '../address/parseAddressInput';
import { addressNamed, bareName } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import { parseStructCell } from '../contracts/layouts/encodeByLayout';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import { messageNamed, messageNames } from '../contracts/layouts/messagesOfContract';
import { parseCellExpression, parseCodeName, startsBits, startsBuilder } from '../stack/parseCellExpression';
import { looksLikeAddress, parseAddressWord, parseInteger, parseQuoted } from '../stack/scalarText';
import type { StackTextOptions, Word } from '../stack/stackTextContext';
import { StackTextContext, knownNames, shown, suggestionFor } from '../stack/stackTextContext';
import { composeLineError } from './composeLineError';
import type { ComposedMessage } from './prepareComposed';

/** The names that a line may use. */
export interface ComposeLineOptions extends StackTextOptions {
  /** Names of the wallets that can sign; the first is the default. */
  wallets: readonly string[];
  /** The contracts whose messages may be written as structs: `AddGuardian {who: bob}`. */
  layouts?: readonly LayoutSet[];
  /** The contract of the project with the code at a raw address, whose messages need no contract before their names. */
  contractAt?: ((address: string) => ContractRef | undefined) | undefined;
  /** The contract of the project that `new` deploys; its messages need no contract before their names, either. */
  deploys?: ContractRef | undefined;
}

/** What may follow destination and amount, each at most once, in any order. */
const composeClauses = ['body', 'comment', 'from', 'as', 'code', 'data', 'bounce', 'no-bounce'] as const;
type Clause = (typeof composeClauses)[number];

/** The clauses that were read. */
interface Clauses {
  body?: Cell;
  messageName?: string;
  from?: string;
  as?: Address;
  code?: Cell;
  data?: Cell;
  bounce?: boolean;
}

/** Clauses of the same group exclude each other. */
const group: Readonly<Record<Clause, string>> = {
  body: 'the body',
  comment: 'the body',
  from: 'the sender',
  as: 'the sender',
  code: 'the code',
  data: 'the data',
  bounce: 'whether it bounces',
  'no-bounce': 'whether it bounces',
};

interface Destination {
  /** `new`: the address derived from code and data. */
  address: Address | 'new';
  /** The flag in the address's form (TEP-2: UQ… is not bounceable); undefined if the form has none. */
  bounce: boolean | undefined;
  word: Word;
}

/** Coins have at most 120 bits (block.tlb: VarUInteger 16). */
const coins = { name: 'an amount', bits: 120, signed: false };

/**
 * Parses a message from one line: `[send] DESTINATION [MESSAGE] AMOUNT [body CELL | comment "text"] [from
 * WALLET | as CONTRACT] [code CELL data CELL] [bounce | no-bounce]`. MESSAGE is a struct of the contract,
 * `AddGuardian {who: bob}`; it may also follow the amount. DESTINATION and CONTRACT are a name or an address
 * in any form; DESTINATION may also be `new`, the address derived from code and data. AMOUNT and CELL are
 * stack text: `0.1ton`, `b(u32 7)`, `te6cc…`.
 *
 * It bounces unless the line says `no-bounce`, the address is in its non-bounceable form (UQ…), or the
 * message deploys a contract.
 *
 * @throws WorkbenchError `compose-line-invalid` (input) with `details.offset` and `details.length`
 */
export function parseComposeLine(line: string, options: ComposeLineOptions): ComposedMessage {
  try {
    return new Parser(line, options).read();
  } catch (error) {
    throw WorkbenchError.is(error, 'stack-text-invalid') ? composeLineError(error) : error;
  }
}

class Parser {
  readonly #context: StackTextContext;
  readonly #read = new Map<string, Word>();

  constructor(
    line: string,
    private readonly options: ComposeLineOptions,
  ) {
    this.#context = new StackTextContext(line, options);
  }

  read(): ComposedMessage {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    if (scanner.peekWord().text === 'send') {
      scanner.takeWord();
    }
    const destination = this.#destination();
    const clauses: Clauses = {};
    scanner.skipBlanks();
    this.#typedBody(clauses, destination);
    const value = this.#amount();
    for (scanner.skipBlanks(); !scanner.atEnd(); scanner.skipBlanks()) {
      if (!this.#typedBody(clauses, destination)) {
        this.#clause(clauses);
      }
    }
    return this.#message(destination, value, clauses);
  }

  #message(destination: Destination, value: bigint, clauses: Clauses): ComposedMessage {
    const init = this.#init(clauses);
    const { scanner } = this.#context;
    if (destination.address === 'new' && init === undefined) {
      throw scanner.errorFrom(scanner.position, 'a new contract needs its code and its data', {
        expected: ['code', 'data'],
        suggestion: 'write code cell te6cc… data b(…) after it',
      });
    }
    const to = destination.address === 'new' ? contractAddress(0, init!) : destination.address;
    const bounce = clauses.bounce ?? destination.bounce ?? init === undefined;
    const { body = Cell.EMPTY, messageName } = clauses;
    return {
      ...{ sender: this.#sender(clauses), to, value, bounce, body, init },
      ...(messageName === undefined ? {} : { messageName }),
    };
  }

  #sender({ from, as }: Clauses): ComposedMessage['sender'] {
    if (as !== undefined) {
      return { kind: 'contract', address: as };
    }
    const name = from ?? this.options.wallets[0];
    if (name === undefined) {
      const { scanner } = this.#context;
      throw scanner.errorFrom(scanner.position, 'there is no wallet to sign with', {
        expected: ['as'],
        suggestion: "write as ADDRESS to send it in a contract's name",
      });
    }
    return { kind: 'wallet', name };
  }

  #init({ code, data }: Clauses): ComposedMessage['init'] {
    if (code === undefined && data === undefined) {
      return undefined;
    }
    if (code !== undefined && data !== undefined) {
      return { code, data };
    }
    const missing = code === undefined ? 'code' : 'data';
    const { scanner } = this.#context;
    throw scanner.errorFrom(
      scanner.position,
      `${missing} is missing: a contract is deployed with code and data`,
      {
        expected: [missing],
        suggestion: missing === 'data' ? 'write data b() for empty data' : 'write code cell te6cc…',
      },
    );
  }

  #destination(): Destination {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    const word = scanner.peekWord();
    if (word.text === 'new') {
      scanner.takeWord();
      return { address: 'new', bounce: undefined, word };
    }
    const text = this.#linked() ?? word.text;
    const address = text === word.text ? this.#account('a destination') : Address.parse(text);
    // The form in a link is the explorer's choice.
    const friendly = text === word.text && looksLikeAddress(text) && !text.includes(':');
    return { address, bounce: friendly ? Address.parseFriendly(text).isBounceable : undefined, word };
  }

  /** The account of an explorer's link, which is taken; undefined if there is none. */
  #linked(): string | undefined {
    const { scanner } = this.#context;
    const [link] = /^(?:https?|ton):\/\/\S+/i.exec(scanner.text.slice(scanner.position)) ?? [];
    // One to pay says more than whom, which must not be lost.
    if (link === undefined || /^ton:.*\?/i.test(link)) {
      return undefined;
    }
    const start = scanner.position;
    scanner.position += link.length;
    try {
      return linkedAccount(link);
    } catch (error) {
      throw WorkbenchError.is(error) ? scanner.errorFrom(start, error.message.replace(/\.$/, '')) : error;
    }
  }

  /** An address in any form, or an account name with or without @. */
  #account(what: string): Address {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    const word = scanner.takeWord();
    if (word.text === '') {
      throw scanner.errorFrom(word.offset, `${what} is missing`, {
        expected: ['address', ...this.#names()],
        suggestion: `write an address or a name${this.#names().length === 0 ? '' : ` such as ${this.#names()[0]}`}`,
      });
    }
    if (looksLikeAddress(word.text)) {
      return parseAddressWord(this.#context, word);
    }
    const name = bareName(word.text);
    const { accounts } = this.options;
    const known = accounts && addressNamed(name, accounts);
    if (known !== undefined) {
      return Address.parse(known);
    }
    throw scanner.errorFrom(word.offset, `no account is called “${shown(name)}”`, {
      expected: ['address', ...this.#names()],
      ...this.#suggest(name, this.#names()),
    });
  }

  #amount(): bigint {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    const word = scanner.peekWord();
    if (word.text === '' || (composeClauses as readonly string[]).includes(word.text)) {
      scanner.takeWord();
      throw scanner.errorFrom(word.offset, 'an amount is missing after the destination', {
        expected: ['0.1ton'],
        suggestion: 'write 0.1ton',
      });
    }
    return parseInteger(this.#context, coins);
  }

  /** Reads `NAME {…}` if a contract has such a message. */
  #typedBody(clauses: Clauses, { address, word: named }: Destination): boolean {
    const { scanner } = this.#context;
    const word = scanner.peekWord();
    if (word.text === '') {
      return false;
    }
    const isStruct = /^\s*\{/.test(scanner.text.slice(word.offset + word.text.length));
    const { contractAt, deploys } = this.options;
    const contract = address === 'new' ? deploys : contractAt?.(address.toRawString());
    const found = messageNamed(this.options.layouts ?? [], word.text, contract ?? bareName(named.text));
    if (found === undefined) {
      if (isStruct) {
        throw this.#unknownMessage(word);
      }
      return false;
    }
    if ('ambiguous' in found) {
      throw scanner.errorFrom(word.offset, `several contracts have a message ${shown(word)}`, {
        expected: found.ambiguous,
        suggestion: `write ${found.ambiguous.join(' or ')}`,
      });
    }
    const before = this.#read.get(group.body);
    if (before !== undefined) {
      throw scanner.errorFrom(word.offset, `${before.text} already sets ${group.body}`);
    }
    this.#read.set(group.body, word);
    scanner.takeWord();
    scanner.skipBlanks();
    clauses.body = parseStructCell(this.#context, found.layout, found.set);
    clauses.messageName = found.layout.name;
    return true;
  }

  #unknownMessage(word: Word): Error {
    const names = messageNames(this.options.layouts ?? []);
    return this.#context.scanner.errorFrom(
      word.offset,
      names.length === 0
        ? `no contract of the project has a message “${shown(word)}”`
        : `no message is called “${shown(word)}”`,
      { expected: names, ...this.#suggest(word.text, names) },
    );
  }

  #clause(clauses: Clauses): void {
    const { scanner } = this.#context;
    const word = scanner.takeWord();
    const clause = composeClauses.find((name) => name === word.text);
    if (clause === undefined) {
      throw this.#unknownClause(word);
    }
    const before = this.#read.get(group[clause]);
    if (before !== undefined) {
      throw scanner.errorFrom(word.offset, `${before.text} already sets ${group[clause]}`);
    }
    this.#read.set(group[clause], word);
    switch (clause) {
      case 'bounce':
      case 'no-bounce':
        clauses.bounce = clause === 'bounce';
        return;
      case 'from':
        clauses.from = this.#wallet();
        return;
      case 'as':
        clauses.as = this.#account('a contract');
        return;
      case 'comment':
        clauses.body = this.#comment();
        return;
      default:
        clauses[clause] = this.#cell(clause);
    }
  }

  #comment(): Cell {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    const start = scanner.position;
    if (scanner.peek() !== '"' && scanner.peek() !== "'") {
      const word = scanner.takeWord();
      throw scanner.errorFrom(start, 'quoted text is missing after comment', {
        expected: ['"text"'],
        suggestion: `write comment "${word.text === '' ? 'text' : shown(word)}"`,
      });
    }
    return comment(parseQuoted(this.#context));
  }

  /** A cell, with or without its stack type in front. */
  #cell(clause: 'body' | 'code' | 'data'): Cell {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    if (['cell', 'slice'].includes(scanner.peekWord().text)) {
      scanner.takeWord();
    }
    // `code JettonWallet` is one whether it is the clause or a value.
    return clause === 'code' && this.options.codes?.has(scanner.peekWord().text) === true
      ? parseCodeName(this.#context)
      : parseCellExpression(this.#context, clause);
  }

  #wallet(): string {
    const { scanner } = this.#context;
    scanner.skipBlanks();
    const word = scanner.takeWord();
    const name = bareName(word.text);
    const { wallets } = this.options;
    if (wallets.includes(name)) {
      return name;
    }
    const isAccount = looksLikeAddress(word.text) || this.options.accounts?.has(name) === true;
    const message =
      name === '' ? 'a wallet is missing after from' : `no wallet here is called “${shown(name)}”`;
    throw scanner.errorFrom(word.offset, message, {
      expected: [...wallets],
      ...(isAccount
        ? {
            suggestion: `write as ${shown(name)} to send it in that contract's name, without a signature`,
          }
        : this.#suggest(name, wallets)),
    });
  }

  #unknownClause(word: Word): Error {
    const { scanner } = this.#context;
    const text = word.text === '' ? scanner.peek() : shown(word);
    const isCell =
      startsBuilder(this.#context, word) ||
      startsBits(this.#context, word) ||
      ['cell', 'slice', 'te6cc', 'b', 'x'].some((start) => word.text === start) ||
      /^(te6cc|b5ee9c72)/i.test(word.text);
    return scanner.errorFrom(word.offset, `“${text}” is not allowed here`, {
      expected: [...composeClauses],
      ...(isCell
        ? { suggestion: 'write body before the cell' }
        : /^["']$/.test(text)
          ? { suggestion: 'write comment before the text' }
          : this.#suggest(word.text, composeClauses)),
    });
  }

  #names(): string[] {
    return [...(this.options.accounts?.keys() ?? [])];
  }

  #suggest(text: string, candidates: readonly string[]): { suggestion?: string } {
    const suggestion = suggestionFor(text, candidates) ?? knownNames(candidates);
    return suggestion === undefined ? {} : { suggestion };
  }
}
