import type { TupleItem } from '@ton/core';
import { beginCell } from '@ton/core';
import { methodIdOf } from '../../contracts/abi/methodIdOf';
import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell } from '../../cell/light/lightCell';
import { walkDictionary } from '../../cell/light/bitCursor';
import { readSnake } from '../../cell/tokenContent';
import { isTurnOver, nextTurn } from '../../base/turns';
import { contractMethods } from '../chain/contractMethods';
import type { GetMethodChain } from '../chain/executeGetMethod';
import { executeGetMethod } from '../chain/executeGetMethod';
import type { LocalChain } from '../chain/localChain';
import type { DnsEntry } from '../dns/dnsRecords';
import { encodeDomain, readDnsRecords } from '../dns/dnsRecords';
import type { AccountRecord, BlockRecord } from '../records/records';
import { readToken, tokenMethods } from './readToken';
import type { Token, TokenKind } from './readToken';

/** Code stored in a network library: the contract's own code is only the library's hash. */
class LibraryCodes {
  #source: string | null = null;
  #libraries = new Map<string, LightCell>();

  constructor(private readonly chain: Pick<LocalChain, 'libraries'>) {}

  /** The code that runs; null if the network has no such library. */
  resolve(code: LightCell): LightCell | null {
    if (!code.isLibrary) {
      return code;
    }
    this.#read();
    return this.#libraries.get(code.data.subarray(1, 33).toString('hex')) ?? null;
  }

  #read(): void {
    const { libraries } = this.chain;
    if (libraries === this.#source) {
      return;
    }
    this.#source = libraries;
    this.#libraries = new Map();
    if (libraries !== null) {
      walkDictionary(readLightCell(Buffer.from(libraries, 'base64')), 256, (hash, value) => {
        this.#libraries.set(hash.toString(16).padStart(64, '0'), value.ref());
      });
    }
  }
}

const ids = tokenMethods.map(({ kind, method }) => ({ kind, id: methodIdOf(method) }));
const contentMethod = methodIdOf('get_nft_content');
const domainMethod = methodIdOf('get_domain');
const resolveMethod = methodIdOf('dnsresolve');

/** What is known about jettons, NFTs, and the like. */
export type Tokens = Pick<TokenIndex, keyof TokenIndex>;

/** What the contracts are read from. */
export type TokenChain = GetMethodChain & Pick<LocalChain, 'onAdopt' | 'onBlock' | 'onReset'>;

/** Which contracts are jettons and NFTs, by their own get-methods; updated as accounts change. */
export class TokenIndex {
  readonly #tokens = new Map<string, Token>();
  readonly #byKind: Record<TokenKind, Set<string>> = {
    'jetton-master': new Set(),
    'jetton-wallet': new Set(),
    'nft-collection': new Set(),
    'nft-item': new Set(),
    'nft-sale': new Set(),
    multisig: new Set(),
    'multisig-order': new Set(),
    vesting: new Set(),
  };
  /** Addresses of tokens by owner, jetton, admin, or collection. */
  readonly #byRelation = new Map<string, Set<string>>();
  readonly #changed = new Set<AccountRecord>();
  #refreshing: Promise<void> | undefined;
  readonly #libraryCodes: LibraryCodes;
  /** Accounts whose code is in a library. */
  readonly #inLibraries = new Set<string>();
  #libraries: string | null = null;

  constructor(private readonly chain: TokenChain) {
    this.#libraryCodes = new LibraryCodes(chain);
    this.#begin();
    chain.onBlock((block) => this.#note(block));
    chain.onReset(() => this.#begin());
    chain.onAdopt((account) => this.#changed.add(account));
  }

  #begin(): void {
    this.#tokens.clear();
    this.#byRelation.clear();
    Object.values(this.#byKind).forEach((addresses) => addresses.clear());
    this.#changed.clear();
    this.#inLibraries.clear();
    for (const account of this.chain.ledger.accounts.values()) {
      this.#changed.add(account);
    }
  }

  /** The contract's get-method results as of the last block. */
  async get(address: string): Promise<Token | undefined> {
    await this.refresh();
    return this.#tokens.get(address);
  }

  /** Like {@link get}, for answers made right after {@link refresh}. */
  known(address: string): Token | undefined {
    return this.#tokens.get(address);
  }

  /** Addresses of one kind, in order of discovery. */
  addresses(kind: TokenKind): Iterable<string> {
    return this.#byKind[kind];
  }

  /** Addresses of tokens with this owner, admin, jetton, or collection. */
  related(address: string): Iterable<string> {
    return this.#byRelation.get(address) ?? [];
  }

  /** Ids of the account's get-methods, even if its code is in a library; null if unknown. */
  methodsOf({ facts, address }: AccountRecord): number[] | null {
    if (facts.code === null) {
      return null;
    }
    if (facts.code.isLibrary) {
      this.#inLibraries.add(address);
    }
    const code = this.#libraryCodes.resolve(facts.code);
    return code === null ? null : contractMethods(code);
  }

  /** The name (with `.ton`) of an item whose wallet record is this address. */
  domainOf(address: string): string | null {
    for (const item of this.related(address)) {
      const token = this.#tokens.get(item);
      if (token?.kind === 'nft-item' && token.domain !== null && dnsWallet(token.records) === address) {
        return `${token.domain}.ton`;
      }
    }
    return null;
  }

  /** Reads contracts that have changed, and those whose library may have appeared or disappeared. */
  async refresh(): Promise<void> {
    const { libraries, ledger } = this.chain;
    if (libraries !== this.#libraries) {
      this.#libraries = libraries;
      for (const address of this.#inLibraries) {
        const account = ledger.accounts.get(address);
        if (account !== undefined) {
          this.#changed.add(account);
        }
      }
    }
    while (this.#refreshing !== undefined) {
      await this.#refreshing;
    }
    if (this.#changed.size > 0) {
      this.#refreshing = this.#askAll();
      try {
        await this.#refreshing;
      } finally {
        this.#refreshing = undefined;
      }
    }
  }

  #note(block: BlockRecord): void {
    for (const account of block.changed) {
      this.#changed.add(account);
    }
    for (const { account } of block.transactions) {
      this.#changed.add(account);
    }
  }

  async #askAll(): Promise<void> {
    for (const account of this.#changed) {
      this.#changed.delete(account);
      if (isTurnOver()) {
        await nextTurn();
      }
      // On a fork, the contract may need an account that cannot be read right now.
      const token = await this.#ask(account).catch(() => null);
      this.#forget(account.address);
      if (token !== null) {
        this.#keep(account.address, token);
      }
    }
  }

  #keep(address: string, token: Token): void {
    this.#tokens.set(address, token);
    this.#byKind[token.kind].add(address);
    for (const other of relations(token)) {
      const found = this.#byRelation.get(other);
      if (found === undefined) {
        this.#byRelation.set(other, new Set([address]));
      } else {
        found.add(address);
      }
    }
  }

  #forget(address: string): void {
    const before = this.#tokens.get(address);
    if (before !== undefined) {
      this.#tokens.delete(address);
      this.#byKind[before.kind].delete(address);
      relations(before).forEach((other) => this.#byRelation.get(other)?.delete(address));
    }
  }

  async #ask(account: AccountRecord): Promise<Token | null> {
    if (account.versions.at(-1)?.codeHash === null) {
      // Most accounts in a long history are plain addresses and are not even read.
      return null;
    }
    const methods = this.methodsOf(account);
    for (const { kind, id } of ids) {
      if (methods?.includes(id) === true) {
        const outcome = await executeGetMethod(this.chain, account.address, id, []);
        const token = outcome.exitCode === 0 ? readToken(kind, outcome.stack) : null;
        if (token?.kind === 'nft-item') {
          return this.#completeItem(account, token, methods);
        }
        return token;
      }
    }
    return null;
  }

  async #completeItem(
    account: AccountRecord,
    token: Extract<Token, { kind: 'nft-item' }>,
    methods: readonly number[],
  ): Promise<Token> {
    if (token.collection !== null && token.content !== null) {
      const stack: TupleItem[] = [
        { type: 'int', value: token.index },
        { type: 'cell', cell: token.content },
      ];
      const { exitCode, stack: result } = await executeGetMethod(
        this.chain,
        token.collection,
        contentMethod,
        stack,
      );
      const [content] = result;
      if (exitCode === 0 && content?.type === 'cell') {
        token.fullContent = content.cell;
      }
    }
    if (methods.includes(domainMethod)) {
      const { exitCode, stack: result } = await executeGetMethod(
        this.chain,
        account.address,
        domainMethod,
        [],
      );
      const [name] = result;
      if (exitCode === 0 && name?.type === 'slice') {
        token.domain = readSnake(beginCell().storeSlice(name.cell.beginParse()).endCell().beginParse());
        token.records = await this.#recordsOf(account);
      }
    }
    return token;
  }

  /** All records of a domain item (TEP-81): `dnsresolve` of the item itself, category 0. */
  async #recordsOf({ address }: AccountRecord): Promise<DnsEntry[]> {
    const { exitCode, stack } = await executeGetMethod(this.chain, address, resolveMethod, [
      { type: 'slice', cell: encodeDomain('') },
      { type: 'int', value: 0n },
    ]);
    const [, found] = stack;
    return exitCode === 0 && found?.type === 'cell' ? readDnsRecords(found.cell) : [];
  }
}

/** The wallet address of a name, if it has one. */
export function dnsWallet(records: readonly DnsEntry[]): string | null {
  const record = records.find(({ name }) => name === 'wallet')?.record;
  return record?.type === 'contract' ? record.value : null;
}

/** Addresses by which a contract is looked up. */
function relations(token: Token): string[] {
  const named = ((): readonly (string | null)[] => {
    switch (token.kind) {
      case 'jetton-master':
        return [token.admin];
      case 'jetton-wallet':
        return [token.owner, token.jetton];
      case 'nft-collection':
        return [token.owner];
      case 'nft-item':
        return [token.owner, token.collection, dnsWallet(token.records)];
      case 'nft-sale':
        return [token.nft, token.nftOwner];
      case 'multisig':
        return [...token.signers, ...token.proposers];
      case 'multisig-order':
        return [token.multisig];
      case 'vesting':
        return [token.sender, token.owner, ...token.whitelist];
    }
  })();
  return named.filter((address) => address !== null);
}
