/** An internal message that a transaction received. */
export interface ChainMessage {
  /** Raw address, lowercase. */
  source: string;
  /** Nanocoins. */
  value: bigint | undefined;
  /** It bounced; undefined if the network does not say. */
  bounced: boolean | undefined;
  /** A bag of cells in base64. */
  body: string | undefined;
  /** Of the body, 64 lowercase hex digits, if the network provides it. */
  bodyHash?: string | undefined;
}

/** One transaction of a trace. */
export interface ChainTransaction {
  /** 64 lowercase hex digits. */
  hash: string;
  /** Raw address, lower case. */
  account: string;
  /** Logical time. */
  lt?: bigint | undefined;
  /** Unix seconds. */
  time: number | undefined;
  /** Its phases succeeded. */
  success: boolean | undefined;
  /** Undefined for an external in-message or none. */
  message: ChainMessage | undefined;
}

/** The parts of a trace relevant to a payment. */
export interface ChainTrace {
  /** Hash of the root transaction, 64 lowercase hex digits. */
  id: string;
  /** False while messages are on their way, or if the service omits transactions; undefined: unknown. */
  complete: boolean | undefined;
  /** In chain order. */
  transactions: readonly ChainTransaction[];
  /** Participating jetton wallets with their masters; both raw and lowercase. */
  jettonMasters: ReadonlyMap<string, string>;
}

/** Everything that checking a payment needs from a chain. Hashes are 64 lowercase hex digits. */
export interface ChainLookup {
  /** The trace of a transaction; undefined if the network has none with this hash. */
  transaction(hash: string): Promise<{ traceId: string | undefined } | undefined>;
  /** Undefined if the network has no trace with this id. */
  trace(id: string): Promise<ChainTrace | undefined>;
}
