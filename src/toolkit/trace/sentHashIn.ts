import { bocMagics } from '../cell/bocMagics';
import { looksLikeBoc, readBocInput } from '../cell/parseBocInput';
import { hashOfSent } from './hashOfSent';

/**
 * The hash by which the trace is found of what is in a file: the BoC of a message that was sent, or of a transaction, in
 * any form. Undefined if it is no BoC.
 * @throws WorkbenchError as {@link hashOfSent}
 */
export function sentHashIn(content: Buffer): string | undefined {
  const isBinary = content.length >= 4 && Object.values<number>(bocMagics).includes(content.readUInt32BE());
  return isBinary || looksLikeBoc(content.toString('latin1')) ? hashOfSent(readBocInput(content)) : undefined;
}
