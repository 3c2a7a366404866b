import { parseBocInput } from '../cell/parseBocInput';
import { readExternalMessage } from '../send/externalMessage';
import type { WalletBook } from './walletBook';

/** The last seqno that each account, by its name, has signed for: as the kept answers tell. */
export function usedSeqnos({
  answers,
  sessions,
}: Pick<WalletBook, 'answers' | 'sessions'>): Map<string, number> {
  const used = new Map<string, number>();
  for (const { method, session, result } of answers.toReversed()) {
    const account = sessions.get(session)?.account;
    if (
      method === 'sendTransaction' &&
      account !== undefined &&
      typeof result === 'string' &&
      !used.has(account)
    ) {
      const seqno = readExternalMessage(parseBocInput(result)).signed?.seqno;
      used.set(account, seqno ?? 0);
    }
  }
  return used;
}
