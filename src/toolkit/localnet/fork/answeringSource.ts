import type { Access } from '../../access/createAccess';
import type { AccountSource } from '../../accounts/accountSource';

import { toWorkbenchError } from '../../errors';
import type { ForkPoint } from '../records/forkPoint';
import type { ForkAnswer, ForkQuestion } from './forkQuestions';
import type { ForkWish } from './forkSource';

/**
 * The side of the thread that has the access to the network: its limiter, keys and proxies serve the fork too, and the
 * worker knows none of them.
 */
export class AnsweringSource {
  readonly wish: ForkWish;
  #source: Promise<AccountSource> | undefined;

  constructor(private readonly options: ForkOptions) {
    const { network } = options.access;
    this.wish = { network: network.name, url: network.v2 ?? network.v3 ?? '', seqno: options.seqno };
  }

  async answer(question: ForkQuestion): Promise<ForkAnswer> {
    try {
      return { value: await this.#answer(question) };
    } catch (error) {
      const { code, kind, message, hint, details } = toWorkbenchError(error);
      // Details may hold what does not cross threads.
      const plain = JSON.parse(JSON.stringify(details)) as Record<string, unknown>;
      return { error: { code, kind, message, hint, details: plain } };
    }
  }

  async #answer(question: ForkQuestion): Promise<unknown> {
    switch (question.method) {
      case 'pin':
        return this.#pin();
      case 'account':
        return (await this.#at(question.point)).account(question.key.toLowerCase());
      case 'library':
        return (await this.#at(question.point)).library(question.key);
      case 'config':
        return (await this.#at(question.point)).config();
    }
  }

  async #pin(): Promise<ForkPoint> {
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
      hasNamedAccounts: access.network.kind === 'local',
    };
  }

  /** For a fork that was pinned in an earlier run, without asking the network anything. */
  #at({ seqno, genUtime, endLt }: ForkPoint): Promise<AccountSource> {
    return (this.#source ??= (async () => {
      const { createAccountSource } = await import('../../accounts/createAccountSource');
      const pinned = { seqno, genUtime, endLt: BigInt(endLt) };
      return createAccountSource({ access: this.options.access, pinned });
    })());
  }
}

/** A network to go on from. */
export interface ForkOptions {
  /** Reads that network, at its pace and with its key; used as long as the fork runs. */
  access: Access;
  /** Masterchain seqno to go on from; default: the newest, or the one that the state has. */
  seqno?: number | undefined;
}
