import type { Localnet } from './localnet';
import type { Trace } from './traceTypes';
import type { WalletAnswer, WalletDecision, WalletFeatureWord } from './wallet';

/** What a test's wallet is: `test.use({ ton: { accounts: ['bob'], approve: 'all' } })`. */
export interface TonOptions {
  /** Names of accounts of the local network, which must be there; dApps get the first. Default: `['alice']`. */
  readonly accounts?: readonly string[] | undefined;
  /** Who decides: the test (`ask`, the default), or nobody: `all` are approved, or `none`. */
  readonly approve?: 'ask' | 'all' | 'none' | undefined;
  /** What the wallet lacks, so that it is an older or a smaller one. */
  readonly features?: readonly WalletFeatureWord[] | undefined;
}

/** The local network of a worker. */
export interface TonNetwork extends Localnet {
  /** What is on the network now is there at the start of each test: call it after you have deployed something. */
  keep(): Promise<void>;
}

/** A request that was decided, and what the dApp was told. */
export interface TonAnswer extends WalletAnswer {
  /** What the dApp asked for, in one line; empty if it was refused before anybody was asked. */
  readonly asks: string;
  /**
   * The trace of the message that was sent, when nothing more will happen.
   * @throws WorkbenchError `trace-not-found` (failed) if nothing was sent
   */
  trace(): Promise<Trace>;
}

/** One submission of a signed message. */
export interface TonRelayed {
  /** The number of the request whose signed message it is. */
  readonly number: number;
  /** What the dApp asked for, in one line. */
  readonly asks: string;
  /** Hash of the transaction, lowercase hex; undefined until it is in a block. */
  readonly hash: string | undefined;
  /** Whether the wallet's contract accepted it; undefined until it is known. */
  readonly accepted: boolean | undefined;
  /** What became of it, as the end of a sentence. */
  readonly words: string;
  /**
   * The trace of the submission, when nothing more will happen.
   * @throws WorkbenchError `trace-not-found` (failed) if it is in no block
   */
  trace(): Promise<Trace>;
}

/** How long a test waits for a request. */
export interface TonPatience {
  /**
   * Milliseconds for the request to come, and again for its answer. Default: half of what is left of the test's timeout, at
   * most 10,000.
   */
  readonly timeout?: number | undefined;
}

/** The wallet of a test's page. Its errors are WorkbenchErrors: `usage` (input) for a word or an option that it does not know. */
export interface TonWallet {
  /** Raw address of the account, lowercase hex. */
  readonly address: string;
  /** All answers so far, oldest first. */
  readonly answers: readonly TonAnswer[];
  /**
   * Approves the next request, as soon as it is there, or decides it in another way. Resolves once the dApp is answered.
   * @throws WorkbenchError `timeout` (failed) if no request comes; it names those that were refused at once
   */
  approve(options?: TonPatience & { readonly decision?: WalletDecision | undefined }): Promise<TonAnswer>;
  /**
   * Rejects the next request.
   * @throws WorkbenchError `timeout` (failed), as `approve`
   */
  reject(options?: TonPatience): Promise<TonAnswer>;
  /**
   * Does with a signed message what a relayer would: submits it once or two times, or after it has expired.
   * @param request the number of an approved `signMessage`; default: the last one
   * @param way default: `submit`
   * @returns each submission
   * @throws WorkbenchError `wallet-not-signed` (input)
   */
  relay(request?: number, way?: 'submit' | 'submit-twice' | 'let-expire'): Promise<readonly TonRelayed[]>;
}
