import { WorkbenchError } from '../toolkit/base/errors';
import { traceSourceOf } from '../toolkit/access/traceSourceOf';
import { chainOf } from '../toolkit/webhook/chain/chainOf';
import { checkAgainstChain } from '../toolkit/webhook/chain/checkAgainstChain';
import type { ChainReport } from '../toolkit/webhook/chain/checkAgainstChain';
import { describeChainReport } from '../toolkit/webhook/chain/describeChainReport';
import { exportLine } from '../toolkit/webhook/journal/openKeptInbox';
import { readTransfers } from '../toolkit/webhook/payload/readTransfers';
import type { ToldTransfer } from '../toolkit/webhook/payload/readTransfers';
import { keptDelivery } from './fileError';
import { openAccess } from './networkOptions';
import { networkHere } from './networkHere';
import type { NetworkOptions } from './networkOptions';
import { writeJsonLine, writeText } from './output';
import { readGivenText } from './readGivenFile';
import { verifyAnswer } from './webhookAnswers';
import { stopSignal } from './runTests';

export interface VerifyOptions extends NetworkOptions {
  journal?: string;
  coin?: string;
  json?: true;
}

/** `webhook verify`: exit status 0 if every payment is as recorded on the chain. */
export async function webhookVerify(source: string, options: VerifyOptions): Promise<void> {
  const stop = stopSignal();
  const text =
    options.journal === undefined
      ? await readGivenText(
          {
            path: source,
            code: 'deliveries-unreadable',
            hint: 'Give a file, or the id of a delivery and its --journal.',
          },
          'givenFile',
        )
      : exportLine(await keptDelivery(options.journal, source));
  const transfers = readTransfers(text);
  const { network } = networkHere(options.network);
  const chain = chainOf(traceSourceOf(await openAccess(network, options)), stop);
  const reports: ChainReport[] = [];
  for (const told of transfers) {
    const report = await checkAgainstChain(told.data, chain, options.coin);
    reports.push(report);
    show(told, report, network.name, options.json === true);
  }
  const wrong = reports.filter(({ ok }) => !ok);
  if (wrong.length > 0) {
    throw notOnChainError(wrong, reports.length, network.name);
  }
}

function show({ id, data }: ToldTransfer, report: ChainReport, network: string, json: boolean): void {
  if (json) {
    writeJsonLine(verifyAnswer(id, data.reference, report, network));
  } else {
    writeText(`${id === null ? 'Payment' : `Delivery ${id}`}, reference ${JSON.stringify(data.reference)}`);
    writeText(describeChainReport(report, network));
  }
}

function notOnChainError(wrong: readonly ChainReport[], all: number, network: string): WorkbenchError {
  const isMissing = wrong.every(({ traceId }) => traceId === undefined);
  return new WorkbenchError({
    code: isMissing ? 'payment-not-found' : 'payment-differs',
    kind: 'failed',
    message: isMissing
      ? `${countOf(wrong.length, all)} not found on ${network}.`
      : `${countOf(wrong.length, all)} not as recorded on ${network}.`,
    hint: isMissing
      ? 'Check that the payment was made on this network; choose another with --network.'
      : 'Treat it as unpaid until you know why.',
  });
}

function countOf(wrong: number, all: number): string {
  return all === 1 ? 'The payment is' : `${wrong} of ${all} payments are`;
}
