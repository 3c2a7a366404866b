import { Cell } from '@ton/core';
import type { V3Message, V3TokenInfo, V3Transaction } from '../api/v3Objects';
import type { ExitSource } from '../contracts/exitCodes';
import type { StateChange } from '../contracts/layouts/initialLayout';
import { stateChanges } from '../contracts/layouts/initialLayout';
import type { StorageLayout } from '../contracts/layouts/layoutSet';
import { bouncedTag, decodeBody, isReadBody, unknownBody } from '../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { valueOf } from '../contracts/opcodes/decodedBody';
import { opcodeHex, opcodeNumber, opcodes } from '../contracts/opcodes/opcodes';
import { richBounceTag } from '../contracts/opcodes/richBounce';
import { walletCodes } from '../contracts/opcodes/walletCodes';
import type { ThrownLine } from '../sourceMap/thrownAt';
import { formatUnits, shortenMiddle, visibleText } from '../base/text';
import { nameAccount, shownAddress } from './accountNames';
import type {
  JettonFacts,
  JettonWallet,
  TraceKnowledge,
  TraceModel,
  TraceNode,
  TraceView,
} from './traceModel';
import { formatCoins, jettonSymbol, plainSymbol } from './figures';
import { inferJettonWallets } from './jettonWallets';

/** A model with everything known about it; input of every view. Names and decoded bodies are computed once. */
export class TraceContext implements TraceView {
  readonly coin: string;
  readonly #letters = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #bodies = new WeakMap<V3Message, DecodedBody | { name: undefined }>();
  readonly #changes = new WeakMap<V3Transaction, { of: StateChange[] | undefined }>();
  #codes: ReadonlyMap<string, string> | undefined;
  #wallets: ReadonlyMap<string, JettonWallet> | undefined;
  #symbols: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  /** @param parties the accounts in the order of their letters: for a comparison, those of both traces */
  constructor(
    readonly model: TraceModel,
    readonly knowledge: TraceKnowledge = {},
    parties: readonly string[] = model.accounts,
  ) {
    this.coin = knowledge.coin ?? 'TON';
    parties.forEach((account, index) => this.#letters.set(account, letterOf(index)));
  }

  /** A, B, … Z, AA, … in order of appearance; empty for accounts that are not parties. */
  letter(account: string): string {
    return this.#letters.get(account) ?? '';
  }

  /** The best name known: the user's, the domain, the token's, else the short address. */
  name(account: string): string {
    let name = this.#names.get(account);
    if (name === undefined) {
      name = nameAccount(account, this);
      this.#names.set(account, name);
    }
    return name;
  }

  /** `A alice`. */
  title(account: string): string {
    return `${this.letter(account)} ${this.name(account)}`.trim();
  }

  /** Amount and label: `0.1 TON`. */
  coins(nanocoins: bigint): string {
    return `${formatCoins(nanocoins)} ${this.coin}`;
  }

  /** What the account is, from the service or else the wallet code seen in the trace. */
  interfaces(account: string | undefined): readonly string[] {
    if (account === undefined) {
      return [];
    }
    const known = this.model.addressBook.get(account)?.interfaces?.filter((name) => typeof name === 'string');
    if (known !== undefined && known.length > 0) {
      return known;
    }
    this.#codes ??= codesOf(this.model);
    const wallet = walletCodes.get(this.#codes.get(account) ?? '');
    return wallet === undefined ? [] : [wallet.name];
  }

  /** The exit codes of an account: those in its source, and those of the standards it follows. */
  exitSource(account: string | undefined): ExitSource {
    const source = account === undefined ? undefined : this.knowledge.exitSource?.(account);
    return {
      errors: source?.errors,
      standards: [...(source?.standards ?? []), ...this.interfaces(account)],
    };
  }

  /**
   * What a transaction changed in the account's data, decoded by its source; undefined if the answer lacks
   * the data, or its layout is unknown.
   */
  stateChanges({ account, transaction }: TraceNode): StateChange[] | undefined {
    const before = transaction?.account_state_before?.data_boc;
    const after = transaction?.account_state_after?.data_boc;
    const storage =
      account === undefined || before == null || after == null
        ? undefined
        : this.knowledge.storageOf?.(account);
    if (transaction === undefined || storage === undefined) {
      return undefined;
    }
    let changes = this.#changes.get(transaction);
    if (changes === undefined) {
      changes = { of: readChanges(before ?? '', after ?? '', storage) };
      this.#changes.set(transaction, changes);
    }
    return changes.of;
  }

  isWallet(account: string): boolean {
    return this.interfaces(account).some((name) => /^wallet/i.test(name));
  }

  /** The body decoded by the built-in table or else the contract's ABI. */
  body(message: V3Message): DecodedBody | undefined {
    const cached = this.#bodies.get(message);
    if (cached !== undefined) {
      return cached.name === undefined ? undefined : cached;
    }
    const account = message.destination ?? undefined;
    const text = message.message_content?.body;
    const known =
      typeof text === 'string'
        ? decodeBody(text, {
            interfaces: this.interfaces(account),
            external: message.source == null && message.destination != null,
          })
        : undefined;
    const decoded = isReadBody(known) ? known : (this.knowledge.decodeBody?.(message) ?? known);
    this.#bodies.set(message, decoded ?? { name: undefined });
    return decoded;
  }

  /** First 32 bits of the body; of the original body for a bounced message. */
  opcode(message: V3Message): number | undefined {
    const code = opcodeNumber(message.opcode);
    if (code !== undefined && code !== bouncedTag && code !== richBounceTag) {
      return code;
    }
    const text = this.body(message)?.opcode;
    return opcodeNumber(text);
  }

  /** What the body begins with as its layout declares it, which may be shorter than 32 bits: `0x77`. */
  declaredCode(message: V3Message): string | undefined {
    return this.body(message)?.prefix;
  }

  /** A message's name: from the service, the table, the ABI, or the source, else its opcode. */
  messageName(message: V3Message): string {
    if (message.source == null) {
      return 'external message';
    }
    const bounced = message.bounced === true ? 'bounced ' : '';
    if (message.destination == null) {
      return 'external out';
    }
    const named = message.decoded_opcode;
    if (typeof named === 'string' && named !== '' && bounced === '') {
      return visibleText(named, 60);
    }
    const code = this.opcode(message);
    const body = this.body(message);
    const own = this.knowledge.decodeBody === undefined ? undefined : body?.name;
    const name =
      (code === undefined ? undefined : opcodes.get(code)?.name) ??
      (own === unknownBody || own === 'empty' ? undefined : own) ??
      this.knowledge.messageName?.(code, message);
    if (name === undefined && code === undefined) {
      return bounced + (body === undefined && message.message_content?.body ? 'message' : 'transfer');
    }
    return bounced + visibleText(name ?? opcodeHex(code ?? 0), 60);
  }

  /** A message's comment, directly or in a jetton's or NFT's forward payload; not yet made visible. */
  comment(message: V3Message): string | undefined {
    return commentIn(this.body(message));
  }

  /** The line at which a transaction's code threw, if it was found. */
  thrownLine(node: TraceNode | undefined): ThrownLine | undefined {
    return node?.hash === undefined ? undefined : this.knowledge.thrownLine?.(node.hash);
  }

  /** Owner and master of a jetton wallet, if known from the data. */
  jettonWallet(account: string): JettonWallet | undefined {
    this.#wallets ??= inferJettonWallets(this);
    return this.#wallets.get(account);
  }

  /** All jetton wallets of which something is known. */
  jettonWallets(): JettonWallet[] {
    this.#wallets ??= inferJettonWallets(this);
    return [...this.#wallets.values()];
  }

  /**
   * Symbol and decimals of a jetton; without metadata the decimals are 0: then amounts are in base units. Jettons choose
   * their symbols themselves: that of the coin, and one that several have, stand with what tells them apart.
   */
  jetton(master: string): JettonFacts {
    const facts = this.#jettonFacts(master);
    if (facts.unnamed === true) {
      return facts;
    }
    const { symbol } = facts;
    this.#symbols ??= this.#jettonSymbols();
    const isShared = (this.#symbols.get(plainSymbol(symbol))?.size ?? 0) > 1;
    const address = isShared ? ` ${shortenMiddle(shownAddress(master, this))}` : '';
    return { ...facts, symbol: `${jettonSymbol(symbol, this.coin)}${address}` };
  }

  /** The jettons of each symbol, as far as the data names any. */
  #jettonSymbols(): Map<string, Set<string>> {
    const symbols = new Map<string, Set<string>>();
    for (const master of [...(this.knowledge.jettons?.keys() ?? []), ...this.model.metadata.keys()]) {
      const symbol = plainSymbol(this.#symbolOf(master));
      if (symbol !== '') {
        symbols.set(symbol, (symbols.get(symbol) ?? new Set()).add(master));
      }
    }
    return symbols;
  }

  /** What a jetton calls itself; empty if the data does not say. */
  #symbolOf(master: string): string {
    const known = this.knowledge.jettons?.get(master);
    const token = this.token(master, 'jetton_masters');
    return known === undefined
      ? visibleText(token?.symbol || token?.name || '', 24)
      : known.unnamed === true
        ? ''
        : known.symbol;
  }

  #jettonFacts(master: string): JettonFacts {
    const known = this.knowledge.jettons?.get(master);
    if (known !== undefined) {
      return known.unnamed === true ? { ...known, symbol: `jettons of ${this.name(master)}` } : known;
    }
    const token = this.token(master, 'jetton_masters');
    const symbol = this.#symbolOf(master);
    // Without decimals there are 9 (TEP-64), but only if its content was read at all.
    const decimals = Number(token?.extra?.decimals ?? (symbol === '' ? 0 : 9));
    const isScale = Number.isInteger(decimals) && decimals >= 0 && decimals <= 255;
    const unit = isScale && token?.extra?.decimals != null ? 'jettons' : 'units';
    return {
      symbol: symbol === '' ? `${unit} of ${this.name(master)}` : symbol,
      decimals: isScale ? decimals : 0,
      unnamed: symbol === '',
      scam: token?.is_scam === true,
    };
  }

  /** The jetton of a jetton wallet or master, as far as the data tells; undefined for any other account. */
  jettonOf(account: string): JettonFacts | undefined {
    const master =
      this.jettonWallet(account)?.master ??
      (this.token(account, 'jetton_masters') !== undefined || this.knowledge.jettons?.has(account) === true
        ? account
        : undefined);
    return master === undefined ? undefined : this.jetton(master);
  }

  /** An amount in a jetton's own unit: `2.5 GRM`. */
  jettonAmount(amount: bigint, master: string): string {
    const { name, decimals } = this.jettonUnit(master);
    return `${formatUnits(amount, decimals)} ${name}`;
  }

  /** How amounts of a jetton are written. */
  jettonUnit(master: string): { name: string; decimals: number } {
    const { symbol, decimals, scam } = this.jetton(master);
    return { name: `${symbol}${scam === true ? ' (scam)' : ''}`, decimals };
  }

  /** The metadata row of a kind. */
  token(account: string, type: string): V3TokenInfo | undefined {
    const rows = this.model.metadata.get(account)?.token_info;
    return rows?.find((row) => row.type === type);
  }
}

/** Both BoCs in base64, as received from a service. */
function readChanges(before: string, after: string, storage: StorageLayout): StateChange[] | undefined {
  try {
    return stateChanges(Cell.fromBase64(before), Cell.fromBase64(after), storage);
  } catch {
    return undefined;
  }
}

function commentIn(body: DecodedBody | undefined): string | undefined {
  let current = body;
  while (current !== undefined) {
    const comment = valueOf(current, 'comment');
    if (current.name === 'text_comment' && comment?.type === 'text') {
      return comment.value;
    }
    const payload = valueOf(current, 'forward_payload');
    current = payload?.type === 'body' ? payload.value : undefined;
  }
  return undefined;
}

function letterOf(index: number): string {
  let rest = index;
  let letters = '';
  do {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26) - 1;
  } while (rest >= 0);
  return letters;
}

/** Code hash by account, lowercase hex, as far as the trace shows. */
export function codesOf(model: TraceModel): Map<string, string> {
  const codes = new Map<string, string>();
  for (const { account, transaction } of model.nodes) {
    const hash = transaction?.account_state_before?.code_hash ?? transaction?.account_state_after?.code_hash;
    if (account !== undefined && typeof hash === 'string') {
      codes.set(account, hash);
    }
  }
  return codes;
}
