import type { LightCell } from './lightCell';
import type { MessageKind } from './readMessage';
import { normalizedMessageHash, readMessage, readOpcode } from './readMessage';

/** What the index stores about a message. Hashes are hex, addresses raw, both lowercase. */
export interface MessageHead {
  hash: string;
  /** Normalized hash of an external-in message if it differs from `hash`. */
  normalized: string | null;
  kind: MessageKind;
  source: string | null;
  destination: string | null;
  createdLt: bigint;
  createdAt: number;
  opcode: number | null;
  bodyHash: string;
}

/** Throws MalformedCellError if the cell is not a message. */
export function readMessageHead(cell: LightCell): MessageHead {
  const facts = readMessage(cell);
  const { kind, source, destination, createdLt, createdAt, body } = facts;
  const hash = cell.hexHash;
  const normalized = kind === 'external-in' ? normalizedMessageHash(cell, facts) : hash;
  return {
    hash,
    normalized: normalized === hash ? null : normalized,
    kind,
    source,
    destination,
    createdLt,
    createdAt,
    opcode: readOpcode(body),
    bodyHash: body.hexHash,
  };
}
