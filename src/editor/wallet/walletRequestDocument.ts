import type * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import { notRehearsedLine, rehearsalText } from '../../toolkit/send/rehearsalText';
import { visibleLines, visibleText } from '../../toolkit/text';
import { requestUnknownError } from '../../toolkit/tonConnect/requestUnknownError';
import { decisionTitles, walletDecisions } from '../../toolkit/tonConnect/protocol';
import type { WalletDecision } from '../../toolkit/tonConnect/protocol';
import { dAppWords, requestWords } from '../../toolkit/tonConnect/requestWords';
import type { AskedRequest } from '../../toolkit/tonConnect/startWalletThread';
import type { WalletAnswer, WalletRequest } from '../../toolkit/tonConnect/walletRequest';
import { accountName } from '../accounts/knownAccounts';
import { traceKnowledge } from '../traces/traceKnowledge';
import type { TraceServices } from '../traces/traceServices';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import type { EditorWallet } from './editorWallet';

/** Before the titles of the decisions that are also buttons of the notification. */
const lensIcons: Readonly<Partial<Record<WalletDecision, string>>> = {
  approve: '$(check) ',
  reject: '$(close) ',
};

/** Opens a request as a document: what is asked, what it would do, and the decisions as lenses. */
export async function openWalletRequest(
  services: TraceServices,
  wallet: EditorWallet,
  number: number,
): Promise<void> {
  const shown = wallet.shown(number);
  if (shown === undefined) {
    throw requestUnknownError(number);
  }
  const isPending = wallet.thread?.snapshot.pending.includes(number) === true;
  await services.documents.show(pathOf(number), page(services, shown, isPending), { language: 'ton-report' });
}

/** Says in a request's open document what was decided. */
export function keepAnswer(services: TraceServices, shown: AskedRequest, answer: WalletAnswer): void {
  services.documents.keep(pathOf(answer.number), page(services, shown, false, answer));
}

function pathOf(number: number): string {
  return `wallet/${number}/wallet request ${number}`;
}

function page(
  services: TraceServices,
  { request, session, rehearsed }: AskedRequest,
  isPending: boolean,
  answer?: WalletAnswer,
): ReadOnlyDocument {
  const name = accountName(services, services.networks.local());
  const { number } = request;
  const lenses: vscode.Command[] = walletDecisions.map((decision) =>
    asCommand('tonWorkbench.decideWalletRequest', `${lensIcons[decision] ?? ''}${decisionTitles[decision]}`, {
      request: { number },
      decision,
    }),
  );
  const detail =
    rehearsed === undefined
      ? details(request)
      : WorkbenchError.is(rehearsed)
        ? notRehearsedLine(rehearsed.message)
        : rehearsalText(rehearsed, { name, knowledge: traceKnowledge(services) });
  const parts = [
    `${dAppWords(session.dApp)} asks ${session.account}: ${requestWords(request, name)}`,
    ...(answer === undefined ? [] : [answerWords(answer)]),
    detail,
  ];
  return { text: `${parts.join('\n\n')}\n`, lenses: isPending ? lenses : [] };
}

function answerWords({ decision, error, isAnswered, hash }: WalletAnswer): string {
  const done = error === undefined ? 'Carried out' : `Refused with code ${error.code}: ${error.message}`;
  const how = decision === undefined ? '' : ` (${decisionTitles[decision]})`;
  const told = isAnswered ? '' : '; the dApp gets no answer';
  return `${done}${how}${told}${hash === undefined ? '' : `\nmessage  ${hash}`}`;
}

/** All of what is to be signed or told: nobody should sign what was shortened. */
function details(request: WalletRequest): string {
  if (request.method === 'connect') {
    const { manifestUrl, items } = request.params;
    const names = items.map(({ name }) => visibleText(name, 50)).join(', ');
    return `manifest  ${visibleText(manifestUrl)}\nasks for  ${names}`;
  }
  if (request.method === 'signData') {
    const { params } = request;
    return params.type === 'text'
      ? visibleLines(params.text)
      : params.type === 'binary'
        ? `What these bytes mean is unknown.\n\nbytes  ${params.bytes}`
        : `What this cell means is not checked.\n\nschema  ${visibleText(params.schema)}\ncell    ${params.cell}`;
  }
  return '';
}
