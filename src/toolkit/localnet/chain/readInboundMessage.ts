import { WorkbenchError } from '../../errors';
import type { LightCell } from '../../cell/light/lightCell';
import { MalformedCellError } from '../../cell/light/malformedCellError';
import { readLightCell } from '../../cell/light/readLightCell';
import type { MessageFacts } from '../../cell/light/readMessage';
import { normalizedMessageHash, readMessage } from '../../cell/light/readMessage';
import { RejectedMessageError } from './rejectedMessageError';

/** Limits of the public network (parameter 43). */
const maximumBytes = 65_535;
const maximumDepth = 512;

/** A received external-in message. */
export interface InboundMessage {
  boc: Buffer;
  cell: LightCell;
  facts: MessageFacts & { destination: string };
  /** Lowercase hex. */
  hash: string;
  normalized: string;
}

const failed = 'failed to parse external message';

/** Throws {@link RejectedMessageError} with the service's words. */
export function readInboundMessage(boc: Buffer): InboundMessage {
  if (boc.length > maximumBytes) {
    throw new RejectedMessageError(`${failed} external message too large, rejecting`);
  }
  const cell = parse(boc);
  if (cell.depth > maximumDepth) {
    throw new RejectedMessageError(`${failed} external message is too deep`);
  }
  try {
    const facts = readMessage(cell);
    if (facts.kind === 'external-in' && facts.destination !== null) {
      const normalized = normalizedMessageHash(cell, facts);
      return {
        boc,
        cell,
        facts: { ...facts, destination: facts.destination },
        hash: cell.hexHash,
        normalized,
      };
    }
  } catch (error) {
    if (!(error instanceof MalformedCellError)) {
      throw error;
    }
  }
  throw new RejectedMessageError(
    `${failed}: external message is not a (Message Any) according to automated checks`,
  );
}

function parse(boc: Buffer): LightCell {
  try {
    return readLightCell(boc);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      throw new RejectedMessageError(`${failed} external message is not a valid bag of cells`);
    }
    throw error;
  }
}
