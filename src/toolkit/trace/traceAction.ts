/** One thing that a trace did, as text. */
export interface TraceAction {
  /** The service's name of the kind: jetton_transfer, call_contract, …. */
  type: string;
  /** `jetton transfer 25 USD₮, alice → bob, comment "rent"`. Made visible. */
  words: string;
  success: boolean;
  /** ✓ done, ✗ failed, ◌ in no block (yet), ? unknown. */
  symbol: string;
  /** Its transactions, as indexes of {@link TraceModel.nodes}. */
  nodes: number[];
  /** Inferred from the messages, because the answer has no actions. */
  inferred: boolean;
  /** What a transfer brought to whom (raw): nanocoins, or base units of the jetton of `master`. */
  received?: { to: string; amount: bigint; master?: string } | undefined;
}

/** An action before its symbol is determined. */
export type ToldAction = Omit<TraceAction, 'symbol'>;
