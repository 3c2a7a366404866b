import type { ConnectRequest } from './connectLink';
import type { ProtocolError, WalletDecision, WalletVerdict } from './protocol';
import type { SignDataPayload } from './signData';
import type { TransactionRequest } from './checkTransaction';

/** What a dApp asks for. */
export type WalletTask =
  | { method: 'connect'; params: ConnectRequest }
  | { method: 'sendTransaction'; params: TransactionRequest }
  | { method: 'signData'; params: SignDataPayload };

/** A request of a dApp that is not answered yet. */
export type WalletRequest = WalletTask & {
  /** 1, 2, 3 …: how people and scripts name it. */
  number: number;
  /** The wallet's client id in its session. */
  session: string;
  /** The id in the answer; empty for `connect`. */
  id: string;
  /** SHA-256 of the message it came in, hex: the same message again is not another request. */
  digest: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
  verdict?: WalletVerdict | undefined;
  /** Milliseconds since the Unix epoch: not answered before. */
  notBefore?: number | undefined;
  /** The external message it has led to, BoC in base64: signed once, and the only one that is ever sent for it. */
  boc?: string | undefined;
};

/** A request that was decided and is not answered yet. */
export interface DecidedRequest extends Pick<WalletRequest, 'number' | 'notBefore'> {
  decision: WalletDecision;
}

/** Where a request stands. */
export type RequestStage =
  | { kind: 'pending' }
  | { kind: 'decided'; decided: DecidedRequest }
  | { kind: 'answered'; answer: WalletAnswer }
  /** Its connection has ended before anybody decided it. */
  | { kind: 'withdrawn' }
  /** The wallet does not run: it goes on with its next start. */
  | { kind: 'stopped' };

/** What a request was answered. */
export interface WalletAnswer {
  number: number;
  session: string;
  /** As in the request. */
  digest: string;
  method: string;
  /** Undefined if the request was refused before anybody was asked. */
  decision?: WalletDecision | undefined;
  /** False if the answer was lost on purpose, or nobody is there to get it. */
  isAnswered: boolean;
  /** No page with the dApp's id listened on this wallet's bridge: the answer waits there, and nobody may come for it. */
  isUnheard?: true | undefined;
  /** What the dApp was told; undefined for an approved connection. */
  result?: unknown;
  error?: ProtocolError | undefined;
  /** Normalized hash of the message that was sent, lowercase hex. */
  hash?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  at: number;
}
