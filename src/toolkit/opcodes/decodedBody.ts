/** A value read from a body. Cells nest: a known message inside a payload is decoded too. */
export type BodyValue =
  | { type: 'int'; value: bigint }
  /** `isJetton`: in the smallest unit of a jetton that the body does not name; else in nanocoins. */
  | { type: 'coins'; value: bigint; isJetton?: true }
  | { type: 'bool'; value: boolean }
  /** `workchain:hex`, or undefined for addr_none. */
  | { type: 'address'; value: string | undefined }
  | { type: 'text'; value: string }
  /** Hex digits. */
  | { type: 'bytes'; value: string }
  | { type: 'none' }
  | { type: 'body'; value: DecodedBody }
  /** A dictionary, in the order of its keys. */
  | { type: 'map'; entries: { key: BodyValue; value: BodyValue }[] }
  /** An undecoded cell, as a bag of cells in base64. */
  | { type: 'cell'; value: string };

/** A decoded message body. */
export interface DecodedBody {
  name: string;
  /** `0x` and eight digits; undefined for bodies without an opcode. */
  opcode: string | undefined;
  /** Where the layout comes from. */
  source: string;
  fields: { name: string; value: BodyValue }[];
  /** The layout did not fit: what was read before the fault is in `fields`. */
  broken: boolean;
  /** Bits and references that the layout leaves over. */
  left: { bits: number; refs: number };
  /** The body comes back from its receiver. */
  bounced: boolean;
}
