import { Cell, beginCell, contractAddress, storeMessage, toNano } from '@ton/core';
import type { Emulator } from '../../execution/emulator/emulator';
import { absentAccount, blockSeed } from '../../execution/emulator/emulator';
import type { NetworkConfig } from '../../execution/emulator/networkConfig';

/** SETCP0 ACCEPT, and the same with THROW 40: one succeeds, one bounces its message. */
const codes = ['ff00f800', 'ff00f228'].map((hex) =>
  beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell(),
);

/** Any time and logical time will do. */
const now = 1_800_000_000;
const lt = 1_000_001n;

/**
 * Runs transactions under a configuration: deploys, runs, accepts a message, and bounces one, in both workchains.
 * Throws the engine's reason if that fails: no block under such a configuration could contain a transaction.
 */
export async function tryConfig(emulator: Emulator, config: NetworkConfig): Promise<void> {
  for (const workchain of [0, -1]) {
    for (const code of codes) {
      const init = { code, data: Cell.EMPTY };
      const message = beginCell()
        .store(
          storeMessage({
            info: {
              type: 'internal',
              ihrDisabled: true,
              bounce: true,
              bounced: false,
              src: contractAddress(workchain, { code, data: code }),
              dest: contractAddress(workchain, init),
              value: { coins: toNano('1000') },
              ihrFee: 0n,
              forwardFee: 0n,
              createdLt: lt - 1n,
              createdAt: now,
            },
            init,
            body: Cell.EMPTY,
          }),
        )
        .endCell();
      const outcome = await emulator.runTransaction({
        config: config.base64,
        libraries: null,
        shardAccount: absentAccount,
        message: message.toBoc().toString('base64'),
        now,
        lt,
        seed: blockSeed(1),
      });
      if (!outcome.success) {
        throw new Error(`no transaction can run under it (${outcome.error})`);
      }
    }
  }
}
