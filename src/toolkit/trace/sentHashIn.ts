import type { Cell } from '@ton/core';
import type { Boc } from '../cell/boc';
import { bocMagics } from '../cell/bocMagics';
import { loadAnyMessage, loadAnyTransaction, normalizedHash } from '../cell/loadFolded';
import { looksLikeBoc, parseBocInput, readBocInput } from '../cell/parseBocInput';
import { toCoreCell } from '../cell/toCoreCell';
import { WorkbenchError } from '../base/errors';
import { isEvidentMessage } from '../contracts/opcodes/decodeStructure';

/**
 * The hash by which the trace is found of what is in a file: the BoC of a message that was sent, or of a transaction, in
 * any form. Undefined if it is no BoC.
 * @throws WorkbenchError as {@link hashOfSent}
 */
export function sentHashIn(content: Buffer): string | undefined {
  const isBinary = content.length >= 4 && Object.values<number>(bocMagics).includes(content.readUInt32BE());
  return isBinary || looksLikeBoc(content.toString('latin1')) ? hashOfSent(readBocInput(content)) : undefined;
}

/**
 * The hash by which the trace of a BoC is found: of a transaction, of a message in a block, or the normalized one of an
 * external message, as it was sent.
 *
 * @param given the BoC, or its text in any form
 * @returns lowercase hex
 * @throws WorkbenchError `trace-query-invalid` (input) if it is neither, and the errors of reading a BoC
 */
export function hashOfSent(given: Boc | string): string {
  const boc = typeof given === 'string' ? parseBocInput(given) : given;
  const [root, ...others] = boc.roots;
  const cell = root === undefined || others.length > 0 ? undefined : toCoreCell(boc, root);
  if (cell !== undefined && !cell.isExotic) {
    if (isTransaction(cell)) {
      return cell.hash().toString('hex');
    }
    const message = loadAnyMessage(cell);
    if (message?.info.type === 'external-in') {
      return normalizedHash({ info: message.info, body: message.body });
    }
    if (message !== undefined && isEvidentMessage(message)) {
      return cell.hash().toString('hex');
    }
  }
  throw new WorkbenchError({
    code: 'trace-query-invalid',
    kind: 'input',
    message: 'The BoC is neither a message nor a transaction, so it names no trace.',
    hint: 'Give the message that was sent; "boc" shows what this is.',
  });
}

function isTransaction(cell: Cell): boolean {
  try {
    loadAnyTransaction(cell);
    return true;
  } catch {
    return false;
  }
}
