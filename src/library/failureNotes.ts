import type { TonAnswer, TonRelayed } from './pageWalletTypes';
import type { PageWallet } from './openPageWallet';

/** A text for the report of a test. */
export interface ReportNote {
  readonly name: string;
  readonly body: string;
  readonly contentType: 'text/plain' | 'text/html';
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
    ...paid.map((answer) => traceNotes(`request ${answer.number}`, answer)),
    ...relayed.map((one, at) => {
      const before = relayed.slice(0, at).filter(({ number }) => number === one.number);
      return traceNotes(`request ${one.number}, submission ${before.length + 1}`, one);
    }),
  ];
  const waiting = undecided.map(({ number, asks }) => ({
    name: `request ${number} is undecided`,
    ...text(`request ${number} (${asks}) waits for a decision\n`),
  }));
  return [...(await Promise.all(traces)).flat(), ...waiting];
}

const text = (body: string): Omit<ReportNote, 'name'> => ({ body, contentType: 'text/plain' });

/** What happened, as text for the terminal and as the page. */
async function traceNotes(what: string, sent: TonAnswer | TonRelayed): Promise<ReportNote[]> {
  const name = `trace of ${what}`;
  try {
    const found = await sent.trace();
    return [
      { name, ...text(`${sent.asks}\n\n${found.verdict ?? 'Nothing failed.'}\n\n${found.toText()}\n`) },
      { name: `page of ${what}`, body: await found.toHtml(), contentType: 'text/html' },
    ];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ name, ...text(`${sent.asks}\n\nThe trace cannot be shown: ${why}\n`) }];
  }
}
