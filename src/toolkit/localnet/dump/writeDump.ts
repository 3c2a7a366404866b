import { limits, overLimitError } from '../../limits';
import { mapInTurns } from '../../turns';
import { wholeAccount } from '../chain/history';
import type { LocalChain } from '../chain/localChain';
import { dumpBusyError, dumpOfForkError } from './dumpErrors';
import type { StateDump } from './stateDump';
import { dumpFormat, dumpVersion } from './stateDump';

/**
 * Dumps the network's current state. Dumps of the same state are equal.
 * @throws WorkbenchError `localnet-dump-fork`, `localnet-dump-busy` (input), `over-limit`
 */
export async function writeDump(chain: LocalChain): Promise<StateDump> {
  if (chain.fork !== undefined) {
    throw dumpOfForkError();
  }
  if (!chain.isIdle) {
    throw dumpBusyError(chain.pending.size + chain.carried);
  }
  const { ledger, settings, config } = chain;
  const { last } = ledger;
  const { names = {}, genesis } = settings;
  const failed = [...ledger.failed.values()].sort((a, b) => compare(a.hash, b.hash));
  // States are immutable, so the ones collected here can be written while blocks are made.
  const states = new Map(
    [...ledger.accounts].map(([address, { versions }]) => [address, versions.at(-1)] as const),
  );
  const addresses = [...new Set([...states.keys(), ...Object.keys(names)])].sort(compare);
  if (addresses.length > limits.dumpAccounts.most) {
    throw overLimitError('dumpAccounts');
  }
  let size = 0;
  const accounts = await mapInTurns(addresses, (address) => {
    const version = states.get(address);
    const boc = version && wholeAccount(ledger, version).toString('base64');
    size += boc?.length ?? 0;
    if (size > limits.stateDump.most) {
      throw overLimitError('stateDump');
    }
    const name = names[address];
    return {
      address,
      ...(name === undefined ? {} : { name }),
      ...(boc === undefined ? {} : { boc }),
    };
  });
  return {
    format: dumpFormat,
    version: dumpVersion,
    seqno: last.seqno,
    time: last.genUtime,
    lt: last.endLt.toString(),
    config: {
      origin: config.origin,
      boc: config.base64,
      ...(settings.config?.set === undefined ? {} : { set: [...settings.config.set] }),
    },
    ...(genesis === undefined
      ? {}
      : {
          wallets: {
            mnemonics: genesis.accounts.map(({ mnemonic }) => mnemonic),
            balance: genesis.balance,
          },
        }),
    libraries: [...settings.libraries].sort(compare),
    accounts,
    failed: failed.map(({ boc, error, ignoreSignatures }) => ({
      boc,
      error,
      ...(ignoreSignatures === true ? { ignoreSignatures } : {}),
    })),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
