import type { V3Message, V3TokenInfo } from '../api/v3Objects';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { JettonFacts, JettonWallet, TraceKnowledge } from './traceKnowledge';
import type { TraceModel } from './traceModel';

/** The parts of a {@link TraceContext} needed by its own helpers for names and jettons. */
export interface TraceView {
  readonly model: TraceModel;
  readonly knowledge: TraceKnowledge;
  /** The best name known. */
  name: (account: string) => string;
  isWallet: (account: string) => boolean;
  /** The body decoded by the built-in table or else the contract's ABI. */
  body: (message: V3Message) => DecodedBody | undefined;
  /** First 32 bits of the body; of the original body for a bounced message. */
  opcode: (message: V3Message) => number | undefined;
  jettonWallet: (account: string) => JettonWallet | undefined;
  jetton: (master: string) => JettonFacts;
  /** The metadata row of a kind. */
  token: (account: string, type: string) => V3TokenInfo | undefined;
}
