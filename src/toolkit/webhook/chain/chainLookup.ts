/** An internal message that a transaction received. */
export interface ChainMessage {
  /** Raw address, lower case. */
  source: string;
  /** Nanocoins. */
  value: bigint | undefined;
  /** It came back from its receiver; undefined where the network does not say. */
  bounced: boolean | undefined;
  /** A bag of cells in base64. */
  body: string | undefined;
  /** Of the body, 64 lower-case hex digits, where the network says it. */
  bodyHash?: string | undefined;
}

/** One transaction of a trace. */
export interface ChainTransaction {
  /** 64 lower-case hex digits. */
  hash: string;
  /** Raw address, lower case. */
  account: string;
  /** Unix seconds. */
  time: number | undefined;
  /** Its phases ran to the end. */
  success: boolean | undefined;
  /** Undefined for an external in-message or none. */
  message: ChainMessage | undefined;
}

/** A trace, as far as a payment shows in it. */
export interface ChainTrace {
  /** Hash of the root transaction, 64 lower-case hex digits. */
  id: string;
  /** False while messages are still on their way, or when the service leaves transactions out; undefined: not said. */
  complete: boolean | undefined;
  /** In chain order. */
  transactions: readonly ChainTransaction[];
  /** Jetton wallets that take part, each with its jetton master; both raw and lower case. */
  jettonMasters: ReadonlyMap<string, string>;
}

/** All that checking a payment needs to know of a chain. Hashes are 64 lower-case hex digits. */
export interface ChainLookup {
  /** Where a transaction belongs; undefined when the network has none with this hash. */
  transaction(hash: string): Promise<{ traceId: string | undefined } | undefined>;
  /** Undefined when the network has no trace of this id. */
  trace(id: string): Promise<ChainTrace | undefined>;
}
