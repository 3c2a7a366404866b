import type { Access } from '../../access/createAccess';
import type { AccountSource, SourcedAccount } from '../../accounts/libraryShelf';
import type { ForkPoint } from '../records/blockInput';
import type { ForkSource, ForkWish } from './fork';

/**
 * The side of the thread with access to the network: its limiter, keys, and proxies also serve the fork, and the
 * worker sees none of them.
 */
export class AccessSource implements ForkSource {
  readonly wish: ForkWish;
  #source: Promise<AccountSource> | undefined;

  constructor(private readonly options: ForkOptions) {
    const { network } = options.access;
    this.wish = { network: network.name, url: network.v2 ?? network.v3 ?? '', seqno: options.seqno };
  }

  async account(point: ForkPoint, address: string): Promise<SourcedAccount> {
    return (await this.#at(point)).account(address);
  }

  async library(point: ForkPoint, hash: string): Promise<string | undefined> {
    return (await this.#at(point)).library(hash);
  }

  async config(point: ForkPoint): Promise<string | undefined> {
    return (await this.#at(point)).config();
  }

  async pin(): Promise<ForkPoint> {
    const { access, seqno } = this.options;
    const { createAccountSource } = await import('../../accounts/createAccountSource');
    const source = await createAccountSource({ access, seqno, hold: true });
    this.#source = Promise.resolve(source);
    return {
      network: this.wish.network,
      url: this.wish.url,
      seqno: source.seqno,
      genUtime: source.genUtime,
      endLt: source.endLt.toString(),
      rootHash: source.rootHash,
      hasNamedAccounts: access.network.kind === 'local',
    };
  }

  /** For a fork pinned in an earlier run, without any request. */
  #at({ seqno, genUtime, endLt, rootHash }: ForkPoint): Promise<AccountSource> {
    return (this.#source ??= (async () => {
      const { createAccountSource } = await import('../../accounts/createAccountSource');
      const pinned = { seqno, genUtime, endLt: BigInt(endLt), rootHash };
      return createAccountSource({ access: this.options.access, pinned });
    })());
  }
}

/** A network to continue from. */
export interface ForkOptions {
  /** Reads that network, with its rate limit and key; used as long as the fork runs. */
  access: Access;
  /** Masterchain seqno to continue from; default: the newest, or that of the saved state. */
  seqno?: number | undefined;
}
