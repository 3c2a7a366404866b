import { Cell, loadMessageRelaxed } from '@ton/core';
import { loadFolded } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import { readSignedBody } from '../contracts/opcodes/readSignedBody';
import type { CarryOutContext } from './carryOut';
import type { RelayWay } from './protocol';
import type { RelayRecord, WalletAnswer } from './walletBook';
import { signedMessageOf } from './walletBook';

/** The account that a signed message is for, and when its signature ends, in Unix seconds of the network. */
function readRelayed(message: string): { wallet: string; validUntil: number } {
  const { info, body } = loadFolded(Cell.fromBase64(message), loadMessageRelaxed);
  const signed = readSignedBody(body, 'v5');
  if (info.type !== 'internal' || signed === undefined) {
    throw new Error('not a signed internal message');
  }
  return { wallet: info.dest.toRawString(), validUntil: signed.validUntil ?? 0 };
}

/**
 * Does with a signed message what a relayer would: each call submits it, and nothing is signed.
 * @throws WorkbenchError `wallet-not-signed` (input) if the request was not answered with one
 */
export async function relaySigned(
  { number, answer }: { number: number; answer: WalletAnswer | undefined },
  way: RelayWay,
  { network, clock, signal }: Pick<CarryOutContext, 'network' | 'clock' | 'signal'>,
): Promise<RelayRecord> {
  const message = answer === undefined ? undefined : signedMessageOf(answer);
  if (message === undefined) {
    throw new WorkbenchError({
      code: 'wallet-not-signed',
      kind: 'input',
      message: `Request ${number} was not answered with a signed message, so there is nothing to submit.`,
      hint: 'Approve a signMessage request first.',
    });
  }
  const { wallet, validUntil } = readRelayed(message);
  const outcomes = await network.relay(
    {
      ...{ wallet, message, times: way === 'submit-twice' ? 2 : 1 },
      ...(way === 'let-expire' ? { after: validUntil + 1 } : {}),
    },
    signal,
  );
  return { way, at: clock.now(), outcomes };
}
