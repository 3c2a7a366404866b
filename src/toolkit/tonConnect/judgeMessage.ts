import { limits } from '../limits';
import type { LocalAccount } from '../localnet/accounts/localAccount';
import { protocolError } from './carryOut';
import { protocolCodes } from './protocol';
import type { ProtocolError } from './protocol';
import { readTask } from './readRequest';
import type { RequestEnvelope } from './readRequest';
import type { WalletRequest } from './walletRequest';
import type { WalletSession } from './walletSession';

/** A request as far as its answer needs it. */
export type AskedRequestFacts = Pick<WalletRequest, 'number' | 'session' | 'id' | 'digest' | 'at'> & {
  method: string;
};

/** What a message is, with the session as it is after it. */
export type JudgedMessage =
  /** Its id is so old that nobody can tell whether it was answered. */
  | { kind: 'ignored' }
  | { kind: 'refused'; asked: AskedRequestFacts; session: WalletSession; error: ProtocolError }
  | { kind: 'disconnect'; asked: AskedRequestFacts; session: WalletSession }
  | { kind: 'request'; request: WalletRequest; session: WalletSession };

/** Judges a message that was not seen before, by its id, the session's state, and its own contents. */
export function judgeMessage(
  session: WalletSession,
  envelope: RequestEnvelope,
  {
    wallet,
    chain,
    ...head
  }: Pick<WalletRequest, 'number' | 'digest' | 'at'> & { wallet: LocalAccount; chain: string },
): JudgedMessage {
  const { id, method } = envelope;
  const place = { ...head, session: session.id, id };
  const asked = { ...place, method };
  const newer = session.lastId === undefined ? 1n : BigInt(id) - BigInt(session.lastId);
  if (newer <= -BigInt(limits.walletQueue.most)) {
    return { kind: 'ignored' };
  }
  if (newer <= 0n) {
    const message = `The id ${id} is not greater than the last one.`;
    return { kind: 'refused', asked, session, error: { code: protocolCodes.badRequest, message } };
  }
  const seen = { ...session, lastId: id };
  if (session.state !== 'connected') {
    const error = { code: protocolCodes.unknownApp, message: 'The dApp is not connected.' };
    return { kind: 'refused', asked, session: seen, error };
  }
  if (method === 'disconnect') {
    return { kind: 'disconnect', asked, session: seen };
  }
  const bounds = { wallet, told: session.chain, chain, now: head.at / 1000 };
  try {
    return { kind: 'request', request: { ...place, ...readTask(envelope, bounds) }, session: seen };
  } catch (error) {
    return { kind: 'refused', asked, session: seen, error: protocolError(error) };
  }
}
