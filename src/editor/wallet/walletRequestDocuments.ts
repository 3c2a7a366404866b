import type * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import { notRehearsedLine, rehearsalText } from '../../toolkit/send/rehearsalText';
import { visibleLines, visibleText } from '../../toolkit/text';
import { requestUnknownError } from '../../toolkit/tonConnect/requestUnknownError';
import { decisionTitles, walletDecisions } from '../../toolkit/tonConnect/protocol';
import type { WalletDecision } from '../../toolkit/tonConnect/protocol';
import { dAppWords, requestWords } from '../../toolkit/tonConnect/requestWords';
import { stageWords } from '../../toolkit/tonConnect/stageWords';
import type { AskedRequest } from '../../toolkit/tonConnect/startWalletThread';
import type { WalletRequest } from '../../toolkit/tonConnect/walletRequest';
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

/** Requests as documents: what is asked, what it would do, and the decisions as lenses, or how it was decided. */
export class WalletRequestDocuments {
  readonly #services: TraceServices;
  readonly #wallet: EditorWallet;
  /** What each document says of where its request stands. */
  readonly #told = new Map<number, string | undefined>();

  constructor(services: TraceServices, wallet: EditorWallet) {
    this.#services = services;
    this.#wallet = wallet;
  }

  /** @throws WorkbenchError `wallet-request-unknown` (input) */
  async open(number: number): Promise<void> {
    const document = this.#page(number);
    if (document === undefined) {
      throw requestUnknownError(number);
    }
    await this.#services.documents.show(pathOf(number), document, { language: 'ton-report' });
  }

  /** Says in the documents where their requests stand now: one that is decided offers no decisions. */
  refresh(): void {
    const { documents } = this.#services;
    for (const [number, told] of this.#told) {
      const isKept = documents.find(pathOf(number)) !== undefined;
      const isNews = isKept && stageWords(this.#wallet.stage(number)) !== told;
      const document = isNews ? this.#page(number) : undefined;
      if (document !== undefined) {
        documents.keep(pathOf(number), document);
      } else if (!isKept) {
        this.#told.delete(number);
      }
    }
  }

  #page(number: number): ReadOnlyDocument | undefined {
    const shown = this.#wallet.shown(number);
    if (shown === undefined) {
      return undefined;
    }
    const words = stageWords(this.#wallet.stage(number));
    this.#told.set(number, words);
    return page(this.#services, shown, words);
  }
}

function pathOf(number: number): string {
  return `wallet/${number}/wallet request ${number}`;
}

function page(
  services: TraceServices,
  { request, session, rehearsed }: AskedRequest,
  /** Undefined while it is pending. */
  stage: string | undefined,
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
    ...(stage === undefined ? [] : [stage]),
    detail,
  ];
  return { text: `${parts.join('\n\n')}\n`, lenses: stage === undefined ? lenses : [] };
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
