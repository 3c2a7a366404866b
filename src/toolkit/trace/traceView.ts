import type { V3Message, V3TokenInfo } from '../api/v3Objects';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { JettonFacts, JettonWallet, TraceKnowledge } from './traceKnowledge';
import type { TraceModel } from './traceModel';

/** What the makers of names and the readers of jettons need of a {@link TraceContext}, which they are parts of. */
export interface TraceView {
  readonly model: TraceModel;
  readonly knowledge: TraceKnowledge;
  /** The best name known. */
  name: (account: string) => string;
  isWallet: (account: string) => boolean;
  /** The body as the built-in table or else the contract's ABI reads it. */
  body: (message: V3Message) => DecodedBody | undefined;
  /** First 32 bits of the body; of the original body for a bounced message. */
  opcode: (message: V3Message) => number | undefined;
  jettonWallet: (account: string) => JettonWallet | undefined;
  jetton: (master: string) => JettonFacts;
  /** The metadata row of a kind. */
  token: (account: string, type: string) => V3TokenInfo | undefined;
}
