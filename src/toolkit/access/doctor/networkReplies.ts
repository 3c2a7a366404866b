import type * as z from 'zod';
import type { v2Endpoints } from '../v2/v2Endpoints';
import type { v3Endpoints } from '../v3/v3Endpoints';
import type { Reply, ReplyState, Throttling } from './networkQuestions';
import type { v2Probes, v3Probes } from './probes';

/** What the questions brought. */
export interface NetworkReplies {
  /** Newest version of the TVM that runs here. */
  engineVersion: number;
  hasV2: boolean;
  hasV3: boolean;
  kind: string;
  /** Whether requests carry a key. */
  hasKey: boolean;
  v2Info: Reply<z.output<typeof v2Endpoints.getMasterchainInfo.result>>;
  v3Info: Reply<z.output<typeof v3Endpoints.masterchainInfo.result>>;
  header: Reply<z.output<typeof v2Endpoints.getBlockHeader.result>>;
  /** The same masterchain block of both APIs. */
  shared: { seqno: number; v2: string | undefined; v3: string | undefined } | undefined;
  /** Parameter 8 under each name; the second name is only asked if the first is refused. */
  byConfigId: Reply;
  byParam: Reply;
  tvmVersion: number | undefined;
  v2Methods: Readonly<Record<keyof typeof v2Probes, Reply>>;
  v3Methods: Readonly<Record<keyof typeof v3Probes, Reply>>;
  batch: Reply;
  streaming: Reply;
  /** Old masterchain blocks, oldest first, and whether v2 still has them. */
  blocks: readonly { seqno: number; state: ReplyState; isGone: boolean }[];
  /** Whether v2 still has the state of an account at the oldest of these that it has. */
  oldState: { seqno: number; reply: Reply } | undefined;
  /** Milliseconds since the Unix epoch, when the newest block was told. */
  askedAt: number;
  /** What is said of a missing key where requests were refused, or answered late. */
  missingKey: { refused: string | undefined; overloaded: string | undefined };
  throttling: Throttling | undefined;
  slow: readonly number[];
  requests: number;
  elapsedMs: number;
}
