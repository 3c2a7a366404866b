import * as vscode from 'vscode';
import type { Redactor } from '../../toolkit/base/log';
import { textSecret } from '../../toolkit/webhook/delivery/secretForm';
import type { SecretForm } from '../../toolkit/webhook/delivery/secretForm';

/** A secret without its value, for lists. */
export interface SecretName {
  name: string;
  /** False after rotation: no longer accepted, but an error can name it. */
  accepted: boolean;
}

/** A secret with its value, only for verifying and signing. */
export interface StoredSecret extends SecretName {
  value: string;
  /** Made here for tests: only these are ever given out again. */
  made?: true;
}

const storageKey = 'webhookSecrets';
const hadSecretsKey = 'hadWebhookSecrets';

/** This machine's named webhook secrets, in SecretStorage only. The log redacts a value before its first use. */
export class WebhookSecrets implements vscode.Disposable {
  readonly #storage: vscode.SecretStorage;
  readonly #redactor: Redactor;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Also fires for changes made in another window. */
  readonly onDidChange = this.#changed.event;
  readonly #forgotten = new vscode.EventEmitter<void>();
  /** The editor did not keep the secrets, as some do not over a reload, and new ones take their place. */
  readonly onForgotten = this.#forgotten.event;
  readonly #state: vscode.Memento;
  readonly #subscription: vscode.Disposable;
  #writing: Promise<void> = Promise.resolve();

  /** @param state remembers that there were secrets */
  constructor(storage: vscode.SecretStorage, redactor: Redactor, state: vscode.Memento) {
    this.#storage = storage;
    this.#state = state;
    this.#redactor = redactor;
    this.#subscription = storage.onDidChange(({ key }) => {
      if (key === storageKey) {
        this.#changed.fire();
      }
    });
  }

  async names(): Promise<SecretName[]> {
    return (await this.#read()).map(({ name, accepted }) => ({ name, accepted }));
  }

  /** With their values, only for verifying and signing. */
  async all(): Promise<StoredSecret[]> {
    return this.#read();
  }

  /** The secrets made here, which may be copied. */
  async made(): Promise<StoredSecret[]> {
    return (await this.#read()).filter((secret) => secret.made === true);
  }

  /** Adds a random secret for tests. */
  async make(name: string, form?: SecretForm): Promise<StoredSecret> {
    const made = madeSecret(name, form);
    await this.#make((secrets) => [...secrets.filter((secret) => secret.name !== name), made]);
    return made;
  }

  /** An accepted secret that was made here, which may be given to a shop; made under this name if there is none. */
  async forTests(name: string): Promise<StoredSecret> {
    return (await this.made()).find(({ accepted }) => accepted) ?? this.make(name);
  }

  /**
   * Adds a random secret unless there is any of this form.
   * @returns its name, if it was made for the first time
   */
  async makeFirst(form: SecretForm): Promise<string | undefined> {
    let name: string | undefined;
    const isAgain = await this.#make((secrets) => {
      if (secrets.some(({ value }) => form.problem(value) === undefined)) {
        return secrets;
      }
      name = freeName(
        'test',
        secrets.map((secret) => secret.name),
      );
      return [...secrets, madeSecret(name, form)];
    });
    return isAgain ? undefined : name;
  }

  /** Adds a secret, or changes the value of an existing name. */
  async set(name: string, value: string): Promise<void> {
    await this.#change((secrets) => [
      ...secrets.filter((secret) => secret.name !== name),
      { name, value, accepted: true },
    ]);
  }

  /**
   * Gives a name a new value and keeps the old one under another name.
   * @param accepted whether the old value stays accepted
   * @returns the old value's new name
   */
  async rotate(name: string, value: string, accepted: boolean): Promise<string> {
    let oldName = '';
    await this.#change((secrets) => {
      oldName = freeName(
        `${name} (old)`,
        secrets.map((secret) => secret.name),
      );
      const old = secrets
        .filter((secret) => secret.name === name)
        .map((secret) => ({ ...secret, name: oldName, accepted }));
      const rest = secrets.filter((secret) => secret.name !== name);
      return [{ name, value, accepted: true }, ...rest, ...old];
    });
    return oldName;
  }

  async remove(name: string): Promise<void> {
    await this.#change((secrets) => secrets.filter((secret) => secret.name !== name));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#forgotten.dispose();
  }

  async #read(): Promise<StoredSecret[]> {
    const text = await this.#storage.get(storageKey);
    const secrets = text === undefined ? [] : (JSON.parse(text) as StoredSecret[]);
    secrets.forEach(({ value }) => this.#redactor.add(value));
    return secrets;
  }

  /**
   * Changes the secrets by making one.
   * @returns whether it takes the place of one that the editor did not keep
   */
  async #make(change: (secrets: StoredSecret[]) => StoredSecret[]): Promise<boolean> {
    let isForgotten = false;
    await this.#change((secrets) => {
      isForgotten = secrets.length === 0 && this.#state.get(hadSecretsKey) === true;
      return change(secrets);
    });
    if (isForgotten) {
      this.#forgotten.fire();
    }
    return isForgotten;
  }

  /** One change at a time: concurrent ones would overwrite each other. */
  #change(change: (secrets: StoredSecret[]) => StoredSecret[]): Promise<void> {
    const done = this.#writing.then(async () => {
      const secrets = change(await this.#read());
      secrets.forEach(({ value }) => this.#redactor.add(value));
      await this.#storage.store(storageKey, JSON.stringify(secrets));
      await this.#state.update(hadSecretsKey, secrets.length > 0);
    });
    this.#writing = done.catch(() => undefined);
    return done;
  }
}

function madeSecret(name: string, form = textSecret): StoredSecret {
  return { name, value: form.make(), accepted: true, made: true };
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number++) {
    name = `${wanted} ${number}`;
  }
  return name;
}
