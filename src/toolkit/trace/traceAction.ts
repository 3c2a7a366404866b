/** One thing that a trace did, in words. */
export interface TraceAction {
  /** The service's word for the kind: jetton_transfer, call_contract, …. */
  type: string;
  /** `jetton transfer 25 USD₮, alice → bob, comment "rent"`. Made visible. */
  words: string;
  success: boolean;
  /** ✓ done, ✗ failed, ◌ in no block (yet), ? the answer does not say. */
  symbol: string;
  /** Transactions it consists of, as indexes of {@link TraceModel.nodes}. */
  nodes: number[];
  /** Read from the messages here, because the answer carries no actions. */
  inferred: boolean;
}

/** An action before its symbol is known. */
export type ToldAction = Omit<TraceAction, 'symbol'>;
