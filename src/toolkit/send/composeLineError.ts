import { linkedAccount } from '../address/parseAddressInput';
import type { AccountsByName } from '../address/resolveAccount';
import { resolveAccount } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';

/**
 * The line is not a message: `compose-line-invalid`, with `details.offset`, `length`, `expected`, and
 * `suggestion` as in stack text errors.
 */
export function composeLineError(cause: WorkbenchError): WorkbenchError {
  return new WorkbenchError({
    code: 'compose-line-invalid',
    kind: 'input',
    message: cause.message,
    ...(cause.hint === undefined ? {} : { hint: cause.hint }),
    details: cause.details,
    cause,
  });
}

/** Only a local network sends in a contract's name, or with keys that are public by design. */
export function composeLocalOnlyError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'compose-local-only',
    kind: 'input',
    message: `${network} is no local network: no keys for it are known here, and no sender can be forged there.`,
    hint: 'Switch to the local network, or let your own wallet sign: send it without "as", with --sign, or a call sheet with ton-workbench plan.',
  });
}

/** The raw address that a line to compose goes to; undefined if its first word is none, as in `new`. */
export function composeDestination(line: string, accounts: AccountsByName): string | undefined {
  const [word = ''] = line
    .trim()
    .replace(/^send\s+/, '')
    .split(/\s/, 1);
  try {
    return word === 'new' ? undefined : resolveAccount(linkedAccount(word), accounts);
  } catch {
    return undefined;
  }
}
