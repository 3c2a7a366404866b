import type { TonAnswer, TonRelayed } from './pageWalletTypes';
import type { PageWallet } from './openPageWallet';

/** A text for the report of a test. */
export interface ReportNote {
  readonly name: string;
  readonly body: string;
}

/** What the report of a failed test shows: what its payments did, and what waits for a decision. */
export async function failureNotes({
  wallet,
  relayed,
  undecided,
}: Pick<PageWallet, 'relayed' | 'undecided'> & {
  readonly wallet: { readonly answers: readonly TonAnswer[] };
}): Promise<ReportNote[]> {
  const paid = wallet.answers.filter(({ hash }) => hash !== undefined);
  const traces = [
    ...paid.map((answer) => traceNote(`trace of request ${answer.number}`, answer)),
    ...relayed.map((one, at) => {
      const before = relayed.slice(0, at).filter(({ number }) => number === one.number);
      return traceNote(`trace of request ${one.number}, submission ${before.length + 1}`, one);
    }),
  ];
  const waiting = undecided.map(({ number, asks }) => ({
    name: `request ${number} is undecided`,
    body: `request ${number} (${asks}) waits for a decision\n`,
  }));
  return [...(await Promise.all(traces)), ...waiting];
}

async function traceNote(name: string, sent: TonAnswer | TonRelayed): Promise<ReportNote> {
  const shown = await sent.trace().then(
    (found) => `${found.verdict ?? 'Nothing failed.'}\n\n${found.toText()}`,
    (error: unknown) =>
      `The trace cannot be shown: ${error instanceof Error ? error.message : String(error)}`,
  );
  return { name, body: `${sent.asks}\n\n${shown}\n` };
}
