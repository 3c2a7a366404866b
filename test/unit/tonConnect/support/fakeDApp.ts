import { Base64, SessionCrypto, hexToByteArray } from '@tonconnect/protocol';
import type { TestWallet } from '../../../../src/toolkit/tonConnect/testWallet';

/** What a wallet sends: an event, or an answer. */
export interface Heard {
  event?: string;
  id: number | string;
  payload?: { code?: number; items?: { name: string; network?: string }[] };
  result?: unknown;
  error?: { code: number; message: string };
}

/** A dApp that listens to a wallet's bridge; it outlives the wallet. */
export class FakeDApp {
  readonly #keys = new SessionCrypto();
  readonly app = this.#keys.sessionId;
  readonly heard: Heard[] = [];
  #last = 0;
  #session = '';
  #requests = 0;
  #end: (() => void) | undefined;

  listen(wallet: TestWallet): void {
    this.#end?.();
    this.#end = wallet.bridge.listen([this.app], this.#last, ({ id, from, message }) => {
      this.#last = id;
      this.#session = from;
      const text = this.#keys.decrypt(Base64.decode(message).toUint8Array(), hexToByteArray(from));
      this.heard.push(JSON.parse(text) as Heard);
    });
  }

  /** Closes its stream. */
  leave(): void {
    this.#end?.();
    this.#end = undefined;
  }

  connect(wallet: TestWallet, items: object[] = [{ name: 'ton_addr' }]): Promise<unknown> {
    const request = { manifestUrl: 'https://shop.example/manifest.json', items: items as { name: string }[] };
    return wallet.connect({ app: this.app, request });
  }

  /** The message of a request, ready to be posted; the next id unless given. */
  message(method: string, params: unknown[], id = `${this.#requests++}`, session = this.#session): string {
    const text = JSON.stringify({ method, params, id });
    return Base64.encode(this.#keys.encrypt(text, hexToByteArray(session)));
  }

  post(wallet: TestWallet, message: string): string {
    return wallet.receive(this.app, this.#session, message);
  }

  send(wallet: TestWallet, method: string, parameter: unknown): string {
    return this.post(wallet, this.message(method, [JSON.stringify(parameter)]));
  }

  get session(): string {
    return this.#session;
  }
}
