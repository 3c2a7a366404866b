/**
 * A value from a body. Cells nest: a known message inside a payload is decoded too. `isReferred`: of (Either Cell
 * ^Cell), the cell in a reference.
 */
export type BodyValue =
  /** `words`: what a number of an enumeration means. */
  | { type: 'int'; value: bigint; words?: string }
  /** `isJetton`: in base units of a jetton that the body does not name; else in nanocoins. */
  | { type: 'coins'; value: bigint; isJetton?: true }
  | { type: 'bool'; value: boolean }
  /** `workchain:hex`, or undefined for addr_none; for an external address text, and its number in `external`. */
  | { type: 'address'; value: string | undefined; external?: { bits: number; value: bigint } }
  | { type: 'text'; value: string }
  /** Hex digits. */
  | { type: 'bytes'; value: string }
  | { type: 'none' }
  | { type: 'body'; value: DecodedBody; isReferred?: true }
  /** A dictionary, in key order. */
  | { type: 'map'; entries: { key: BodyValue; value: BodyValue }[] }
  /**
   * An undecoded cell, as a bag of cells in base64. `isMessage`: a message that a wallet is ordered to send.
   */
  | { type: 'cell'; value: string; isMessage?: true; isReferred?: true };

/** A decoded message body. */
export interface DecodedBody {
  name: string;
  /** `0x` and eight digits; undefined for bodies without an opcode. */
  opcode: string | undefined;
  /** A declared prefix of another length than an opcode's, in as many digits as it has: `0x77`. */
  prefix?: string;
  /** The origin of the layout. */
  source: string;
  fields: { name: string; value: BodyValue }[];
  /** The layout did not fit: `fields` contains what was read before the mismatch. */
  broken: boolean;
  /** Of a broken body: the first field that does not fit, and what is left for it and those after it. */
  mismatch?: { field: string; bits: number; refs: number };
  /** What is wrong with a body that can be read all the same: whole clauses. */
  remarks?: string[];
  /** Bits and references not covered by the layout. */
  left: { bits: number; refs: number };
  /** The body was bounced by its receiver. */
  bounced: boolean;
}
