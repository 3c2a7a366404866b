import { WorkbenchError } from '../../../../src/toolkit/base/errors';
import { namedAccounts } from '../../../../src/toolkit/localnet/accounts/namedAccounts';
import type { WalletNetwork } from '../../../../src/toolkit/tonConnect/walletNetwork';
import type { LocalChain } from '../../../../src/toolkit/localnet/chain/localChain';
import { mineWith } from '../../localnet/support/testChain';

/** A wallet's network over a chain in this process. */
export interface FakeNetwork extends WalletNetwork {
  /** Messages that were handed over, by normalized hash. */
  sent: string[];
}

export function fakeNetwork(chain: LocalChain): FakeNetwork {
  const executed = new Set<string>();
  // The chain's clock is not the machine's, as after its time was moved.
  const ahead = Math.ceil(chain.now() - Date.now() / 1000);
  const network: FakeNetwork = {
    ...{ name: 'Test', chain: '-239', accounts: namedAccounts, sent: [] },
    signingState: (address) =>
      Promise.resolve({ account: chain.ledger.accounts.get(address)!.current, ahead, idle: chain.isIdle }),
    rehearse: () =>
      Promise.resolve(
        new WorkbenchError({
          code: 'rehearsal-failed',
          kind: 'failed',
          message: 'not rehearsed in this test',
        }),
      ),
    rehearseRelay: (_, __, signal, request) => network.rehearse(undefined as never, signal, request),
    relay: ({ times, after }) =>
      Promise.resolve(
        Array.from({ length: times }, (_, at) => ({
          accepted: at === 0 && after === undefined,
          words: at === 0 && after === undefined ? 'the wallet accepted it' : 'the wallet refused it',
        })),
      ),
    lookUp: (questions) => Promise.resolve(questions.map(() => ({ type: 'problem', words: 'is not here' }))),
    send: async (message) => {
      network.sent.push(message.hashNorm);
      // As on the network: a message that is sent again is found, and not executed again.
      if (!executed.has(message.hashNorm)) {
        await mineWith(chain, message.cell.toBoc());
        executed.add(message.hashNorm);
      }
      return { state: 'sent', hash: message.hashNorm };
    },
  };
  return network;
}
