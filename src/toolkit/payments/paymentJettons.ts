import { Address, beginCell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { canonicalAddress } from '../address/canonicalAddress';
import { runGetMethod } from '../getMethods/runGetMethod';
import { knownDecimals } from '../webhook/values/asset';

/** What a payment needs to know of its jetton. */
export interface PaymentJetton {
  decimals: number;
  /** The ticker; undefined if the jetton does not say. */
  ticker: string | undefined;
  /** Raw address of an owner's jetton wallet. */
  walletOf: (owner: string) => Promise<string>;
}

/** Owners whose wallets are remembered. */
const mostWallets = 10_000;
/** Of TEP-64, for jettons that do not say. */
const usualDecimals = 9;

/** Reads jettons of one network, each once. */
export class PaymentJettons {
  readonly #access: Access;
  readonly #known = new Map<string, Promise<PaymentJetton | undefined>>();
  readonly #wallets = new Map<string, Promise<string>>();

  constructor(access: Access) {
    this.#access = access;
  }

  /** @param master raw address; undefined if there is no such jetton */
  facts(master: string): Promise<PaymentJetton | undefined> {
    const known = this.#known.get(master);
    if (known !== undefined) {
      return known;
    }
    const reading = this.#read(master);
    this.#known.set(master, reading);
    // A jetton that is not deployed yet may be a moment later.
    const forget = (): boolean => this.#known.delete(master);
    void reading.then((facts) => (facts === undefined ? forget() : false), forget);
    return reading;
  }

  async #read(master: string): Promise<PaymentJetton | undefined> {
    const { jetton_masters: found } = await this.#access.v3.jettonMasters({ address: [master], limit: 1 });
    const content = found?.[0]?.jetton_content;
    if (found?.[0] === undefined) {
      return undefined;
    }
    const told = Number(content?.['decimals'] ?? NaN);
    const decimals = Number.isInteger(told) && told >= 0 && told <= 255 ? told : undefined;
    const symbol = content?.['symbol'];
    return {
      decimals: decimals ?? knownDecimals(master) ?? usualDecimals,
      ticker: typeof symbol === 'string' && symbol.length <= 64 ? symbol : undefined,
      walletOf: (owner) => this.#walletOf(master, owner),
    };
  }

  #walletOf(master: string, owner: string): Promise<string> {
    const key = `${master} ${owner}`;
    const known = this.#wallets.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#wallets.size >= mostWallets) {
      this.#wallets.clear();
    }
    const asking = this.#ask(master, owner);
    this.#wallets.set(key, asking);
    asking.catch(() => this.#wallets.delete(key));
    return asking;
  }

  async #ask(master: string, owner: string): Promise<string> {
    const cell = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
    const { stack } = await runGetMethod(this.#access, {
      address: master,
      method: 'get_wallet_address',
      stack: [{ type: 'slice', cell }],
    });
    const decoded = stack[0]?.decoded;
    const address = decoded?.kind === 'address' ? decoded.address : null;
    const raw = address === null ? undefined : canonicalAddress(address);
    if (raw === undefined) {
      throw new RangeError('the jetton does not report the wallets of its owners');
    }
    return raw;
  }
}
