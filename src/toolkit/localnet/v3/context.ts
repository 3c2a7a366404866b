import type { EncodeContext } from './encodeContext';
import type { LocalChain } from '../chain/localChain';
import type { Tokens } from '../tokens/tokenIndex';
import type { ActionIndex } from './actionIndex';
import type { EventIndex } from './eventIndex';

/** What the indexed API answers from. */
export interface V3Context extends EncodeContext {
  readonly chain: LocalChain;
  readonly tokens: Tokens;
  readonly actions: ActionIndex;
  readonly events: EventIndex;
}
