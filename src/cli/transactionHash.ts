import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';
import { reachedAccountNames } from './reachedAccountNames';
import { writeNote } from './output';

/**
 * The hash that the user means: given in any form, in a link, or by the BoC of a message, or of the last transaction of
 * an account that is given by its name, domain, address, or link.
 *
 * @throws WorkbenchError `hash-invalid`, `trace-query-invalid`, `account-unknown`, `replay-not-found`, and those of the network
 */
export async function transactionHash(access: Access, what: string, signal: AbortSignal): Promise<string> {
  const [{ parseTraceQuery }, { parseHashInput }, { isLink }, { looksLikeBoc }] = await Promise.all([
    import('../toolkit/trace/parseTraceQuery'),
    import('../toolkit/address/hash'),
    import('../toolkit/address/parseAddressInput'),
    import('../toolkit/cell/parseBocInput'),
  ]);
  const query = isLink(what) || looksLikeBoc(what) ? parseTraceQuery(what) : undefined;
  if (query?.kind === 'hash') {
    return query.hash;
  }
  try {
    return parseHashInput(what);
  } catch (error) {
    const address = await accountNamed(access, what, signal);
    if (address === undefined) {
      throw withTraceHint(error);
    }
    const { transactions } = await access.v3.transactions({ account: [address], limit: 1, sort: 'desc' });
    const hash = transactions?.[0]?.hash;
    if (hash == null) {
      throw new WorkbenchError({
        code: 'replay-not-found',
        kind: 'failed',
        message: `${what} has no transactions on ${access.network.name}.`,
      });
    }
    writeNote(`The last transaction of ${what}: ${hash}`);
    return hash;
  }
}

/** Undefined for what can be no account. */
async function accountNamed(access: Access, what: string, signal: AbortSignal): Promise<string | undefined> {
  const [{ findAccount }, { readsLikeName, isDomain }] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/address/resolveAccount'),
  ]);
  try {
    return await findAccount(access, what, await reachedAccountNames(access), signal);
  } catch (error) {
    if (readsLikeName(what) || isDomain(what)) {
      throw WorkbenchError.is(error, 'account-unknown') ? withTraceHint(error) : error;
    }
    if (WorkbenchError.is(error) && error.kind === 'input') {
      return undefined;
    }
    throw error;
  }
}

function withTraceHint(error: unknown): unknown {
  if (!(error instanceof WorkbenchError)) {
    return error;
  }
  const { code, kind, message, details, hint } = error;
  const how = 'To see hashes: ton-workbench trace ACCOUNT.';
  const both = hint === undefined ? how : `${hint} ${how}`;
  return new WorkbenchError({ code, kind, message, details, cause: error, hint: both });
}
