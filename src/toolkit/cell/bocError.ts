import { WorkbenchError } from '../errors';
import type { ErrorCode } from '../errorCodes';

/** Why a BoC is rejected. All of them have `details.offset`, in bytes from the start of the BoC. */
export type BocErrorCode = Extract<ErrorCode, `boc-bad-${string}` | `boc-too-${string}` | 'boc-truncated'>;

const hints: Partial<Record<BocErrorCode, string>> = {
  'boc-too-large': 'BoCs of up to 16 MiB are read.',
  'boc-too-many-cells': 'BoCs of up to 1,048,576 cells are read.',
  'boc-too-many-roots': 'BoCs of up to 16,384 roots are read.',
  'boc-bad-magic': 'A BoC starts with the bytes b5ee9c72, in base64 with "te6cc".',
  'boc-truncated': 'Check that you copied the whole text or file.',
  'boc-bad-crc': 'The bytes were changed after they were written; copy or download them again.',
  'boc-too-deep': 'The protocol allows a depth of 1,024.',
};

/** A rejected BoC: where (`details.offset`, and `details.cell` if known) and why. */
export function bocError(code: BocErrorCode, offset: number, reason: string, cell?: number): WorkbenchError {
  const place = cell === undefined ? `byte ${offset}` : `byte ${offset}, cell ${cell}`;
  return new WorkbenchError({
    code,
    kind: 'input',
    message: `Not a readable BoC: ${reason} (${place}).`,
    hint: hints[code],
    details: { offset, ...(cell === undefined ? {} : { cell }) },
  });
}
