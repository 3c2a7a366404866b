import { WorkbenchError } from '../errors';
import type { AccountReport } from './readAccountReport';

/**
 * An account as JSON for programs: amounts as decimal text, unknown facts as null.
 *
 * @param methodName the name of a method id, if it is known
 */
export function accountJson(
  facts: AccountReport,
  methodName: (id: number) => string | undefined,
): Record<string, unknown> {
  const { wallet, jettons, ownJetton } = facts;
  return {
    address: facts.raw,
    friendly: facts.friendly,
    network: facts.network,
    state: facts.state,
    balance: facts.balance?.toString() ?? null,
    domain: facts.domain ?? null,
    interfaces: facts.interfaces,
    methods: facts.methodIds.map((id) => ({ id, name: methodName(id) ?? null })),
    codeHash: facts.codeHash ?? null,
    dataHash: facts.dataHash ?? null,
    lastTransaction:
      facts.lastHash === undefined ? null : { hash: facts.lastHash, lt: facts.lastLt?.toString() ?? null },
    wallet: wallet === undefined || WorkbenchError.is(wallet) ? null : { ...wallet },
    jetton:
      ownJetton === undefined
        ? null
        : {
            master: ownJetton.master,
            owner: ownJetton.wallet?.owner ?? null,
            balance: ownJetton.wallet?.balance?.toString() ?? null,
            symbol: ownJetton.unit?.symbol ?? null,
            decimals: ownJetton.unit?.decimals ?? null,
          },
    jettons:
      jettons === undefined || jettons === 'unknown' || WorkbenchError.is(jettons)
        ? null
        : jettons.rows.map((row) => ({
            ...row,
            decimals: row.decimals ?? null,
            balance: row.balance?.toString() ?? null,
          })),
  };
}
