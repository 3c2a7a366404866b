import { WorkbenchError } from '../toolkit/errors';

/** `usage` (input): files would be replaced, and `--force` was not given. */
export function existsAlreadyError(files: readonly string[]): WorkbenchError {
  return new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `${files.join(' and ')} ${files.length === 1 ? 'exists' : 'exist'} already.`,
    hint: 'Give another file, or --force to replace what is there.',
  });
}
