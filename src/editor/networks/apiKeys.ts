import type * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import type { Redactor } from '../../toolkit/base/log';

/** The origins that a network's keys are bound to: one, or two if its APIs have different hosts. */
export function networkOrigins(network: Network): string[] {
  const origins = [network.v2, network.v3].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
  return [...new Set(origins)];
}

/**
 * API keys, in SecretStorage only, each bound to the origin it was entered for: a network whose URL changes loses its
 * key.
 */
export class ApiKeys {
  readonly #secrets: vscode.SecretStorage;
  readonly #redactor: Redactor;

  constructor(secrets: vscode.SecretStorage, redactor: Redactor) {
    this.#secrets = secrets;
    this.#redactor = redactor;
  }

  /** The key for an origin such as `https://toncenter.com`. The log redacts it from then on. */
  async get(origin: string): Promise<string | undefined> {
    const key = await this.#secrets.get(storageKey(origin));
    if (key !== undefined) {
      this.#redactor.add(key);
    }
    return key;
  }

  async set(origin: string, key: string): Promise<void> {
    this.#redactor.add(key);
    await this.#secrets.store(storageKey(origin), key);
  }

  async remove(origin: string): Promise<void> {
    await this.#secrets.delete(storageKey(origin));
  }
}

function storageKey(origin: string): string {
  return `apiKey:${origin}`;
}

/**
 * The client name in a window's requests to the local network, which distinguishes them from those of
 * programs in its log.
 */
export const windowClient = 'ton-workbench-editor';
