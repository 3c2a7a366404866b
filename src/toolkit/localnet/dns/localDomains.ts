import { Address, beginCell } from '@ton/core';
import { readSnake } from '../../cell/tokenContent';
import type { AccountRecord, BlockRecord } from '../records/records';
import type { LocalChain } from '../chain/localChain';
import { rawAddress } from '../../cell/light/readMessage';
import { executeGetMethod } from '../chain/executeGetMethod';
import { methodIdOf } from '../../contracts/abi/methodIdOf';
import { resolverIn, systemAddresses, withNames } from '../system/systemAccounts';

const domainMethod = methodIdOf('get_domain');
const resolveMethod = methodIdOf('dnsresolve');

/** A name below `.ton`: fits one cell and contains no separator. */
const label = /^[^.\0]{1,126}$/u;

/**
 * Maintains the `.ton` resolver: each deployed domain item (TEP-81) is registered there, the first item of a name
 * permanently. The name is in the chain's state one block after the item.
 */
export class LocalDomains {
  /** By name, those not yet in the chain's state. */
  readonly #waiting = new Map<string, Address>();
  #work: Promise<void> = Promise.resolve();

  /** @param methodsOf ids of a contract's get-methods, even if its code is in a library */
  constructor(
    private readonly chain: LocalChain,
    private readonly methodsOf: (account: AccountRecord) => readonly number[] | null,
  ) {
    // A fork has the names of its network.
    if (chain.fork === undefined) {
      chain.onBlock((block) => this.#note(block));
      chain.onReset(() => {
        this.#waiting.clear();
        this.#find(chain.ledger.accounts.values());
      });
      this.#find(chain.ledger.accounts.values());
    }
  }

  /** Resolves once every item of the blocks so far is known: the next block has their names. */
  settled(): Promise<void> {
    return this.#work;
  }

  /** The resolver of a name (without `.ton`), now or from the next block on. */
  resolverOf(name: string): Address | undefined {
    return this.#waiting.get(name) ?? this.#known(name);
  }

  #known(name: string): Address | undefined {
    const account = this.#resolver();
    return account === undefined ? undefined : resolverIn(account, name);
  }

  #note({ transactions, changed }: BlockRecord): void {
    for (const name of [...this.#waiting.keys()].filter((waiting) => this.#known(waiting) !== undefined)) {
      this.#waiting.delete(name);
    }
    const born = transactions
      .filter(({ before, after }) => after.codeHash !== before?.codeHash)
      .map(({ account }) => account);
    this.#find([...born, ...changed]);
  }

  #find(accounts: Iterable<AccountRecord>): void {
    const isDomain = new Map<string, boolean>();
    const items = [...accounts].filter((account) => {
      const codeHash = account.versions.at(-1)?.codeHash ?? '';
      const known = isDomain.get(codeHash);
      if (known !== undefined || codeHash === '') {
        return known ?? false;
      }
      const methods = this.methodsOf(account) ?? [];
      const found = methods.includes(domainMethod) && methods.includes(resolveMethod);
      isDomain.set(codeHash, found);
      return found;
    });
    if (items.length > 0) {
      this.#work = this.#work.then(() => this.#register(items)).catch(() => undefined);
    }
  }

  async #register(items: readonly AccountRecord[]): Promise<void> {
    let isNew = false;
    for (const { address } of items) {
      const { exitCode, stack } = await executeGetMethod(this.chain, address, domainMethod, []);
      const [found] = stack;
      const name =
        exitCode === 0 && found?.type === 'slice'
          ? readSnake(beginCell().storeSlice(found.cell.beginParse()).endCell().beginParse())
          : '';
      if (label.test(name) && this.resolverOf(name) === undefined) {
        this.#waiting.set(name, Address.parseRaw(address));
        isNew = true;
      }
    }
    const account = this.#resolver();
    if (isNew && account !== undefined) {
      this.chain.change([withNames(account, this.#waiting, this.chain.now())]);
    }
  }

  #resolver(): AccountRecord | undefined {
    const { workChain, hash } = systemAddresses(this.chain.config).tonDomains;
    const account = this.chain.ledger.accounts.get(rawAddress(workChain, hash));
    return account?.facts.status === 'active' ? account : undefined;
  }
}
