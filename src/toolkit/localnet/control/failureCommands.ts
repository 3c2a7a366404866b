import { ApiError } from '../api/apiError';
import { parseHash } from '../api/parseHash';
import type { LocalChain } from '../chain/localChain';
import type { ControlCommands } from './controlCommand';
import type { ControlParameters } from './controlParameters';

/** Reports from the emulator: debug output of contracts, and messages it could not execute. */
export const failureCommands: Pick<ControlCommands, 'retry' | 'drop' | 'debug'> = {
  retry: {
    run: async ({ chain }, parameters) => {
      const hash = parameters.optionalText('hash') === undefined ? undefined : failedHash(chain, parameters);
      const tried = chain.retry({ hash, destination: parameters.optionalAddress('address') });
      if (chain.mode.kind !== 'manual') {
        await chain.mine();
      }
      return { tried, failed: chain.ledger.failed.size };
    },
  },
  debug: {
    run: ({ chain }, parameters) =>
      chain.ledger.debug.after(parameters.optionalNumber('after', 0, 2 ** 53) ?? 0),
  },
  drop: {
    run: async ({ chain }, parameters) => {
      const hash = failedHash(chain, parameters);
      chain.drop(hash);
      if (chain.mode.kind !== 'manual') {
        await chain.mine().catch((error: unknown) => {
          chain.failures.keep(hash);
          throw error;
        });
      }
      return { failed: chain.ledger.failed.size };
    },
  },
};

function failedHash({ ledger }: LocalChain, parameters: ControlParameters<'hash'>): string {
  const hash = parseHash(parameters.text('hash'));
  if (hash === null || !ledger.failed.has(hash)) {
    throw new ApiError(
      422,
      'hash is not that of a message that the emulator failed on; GET status lists them',
    );
  }
  return hash;
}
