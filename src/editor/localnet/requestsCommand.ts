import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { clockTime } from '../../toolkit/base/text';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { RecordedRequest } from '../../toolkit/localnet/control/requestLog';
import { accountName } from '../project/accountName';
import { windowClient } from '../networks/apiKeys';
import type { Services } from '../project/services';
import { controlNetwork } from './controlNetwork';

/** More would make the document slow to read, and only the newest matter. */
const mostShown = 200;

/** Milliseconds that a document has to show its text. */
const mostPatienceMs = 2_000;

const time = (milliseconds: number): string => clockTime(milliseconds / 1000);

const isOwn = ({ client }: RecordedRequest): boolean => client === windowClient;

function read(services: Services): Promise<RecordedRequest[]> {
  return controlNetwork(services, 'Reading the requests', 'requests', {});
}

/**
 * Shows the last requests to the local network, with folded parameters and bodies.
 * @param all includes those of the editor itself, which sends some after every block
 */
export async function showRequests(services: Services, all = false): Promise<void> {
  const requests = await read(services);
  const { describeRequests } = await import('../../toolkit/localnet/describeRequests');
  const shown = all ? requests : requests.filter((request) => !isOwn(request));
  const hidden = requests.length - shown.length;
  const { text } = describeRequests(
    shown.slice(-mostShown),
    { time, name: accountName(services, services.networks.local()) },
    hidden,
  );
  const toggle = all
    ? asCommand('tonWorkbench.localRequests', "Hide This Editor's")
    : asCommand('tonWorkbench.localRequests', `Show ${hidden} of This Editor`, true);
  const { document } = await services.documents.show(
    'local-network/requests/Requests to the local network',
    {
      text,
      lenses: [
        asCommand('tonWorkbench.localRequests', '$(refresh) Refresh', ...(all ? [all] : [])),
        ...(all || hidden > 0 ? [toggle] : []),
        ...(shown.length > 0 ? [asCommand('tonWorkbench.localReplay', '$(debug-restart) Send Again…')] : []),
      ],
    },
    { language: 'ton-report' },
  );
  await untilShows(document, text);
  await vscode.commands.executeCommand('editor.foldAll');
}

/** A document that was open already gets its new text a moment after it is shown: only then can it be folded. */
async function untilShows(document: vscode.TextDocument, text: string): Promise<void> {
  const end = Date.now() + mostPatienceMs;
  while (document.getText() !== text && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Sends a recorded request again and shows the answer.
 * @param id asked for if absent
 */
export async function replayRequest(services: Services, id: number | undefined): Promise<void> {
  const requests = await read(services);
  const chosen = id ?? (await askRequest(services, requests));
  if (chosen === undefined) {
    return;
  }
  const request = requests.find((one) => one.id === chosen);
  if (request === undefined) {
    throw new WorkbenchError({
      code: 'request-forgotten',
      kind: 'input',
      message: 'The local network no longer has this request.',
      hint: 'It keeps the last 1,000 requests until it stops. Refresh the list.',
    });
  }
  const answer = await controlNetwork(services, 'Replaying the request', 'replay', { id: request.id });
  const { describeReplay } = await import('../../toolkit/localnet/describeRequests');
  await services.documents.show(
    `local-network/replay/${request.id}/Answer to request ${request.id}`,
    {
      text: describeReplay(request, answer, time),
      lenses: [asCommand('tonWorkbench.localReplay', '$(debug-restart) Send Again', request.id)],
    },
    { language: 'ton-report', beside: true },
  );
}

/** Lists those of programs first; each group has its newest first. */
async function askRequest(
  services: Services,
  requests: readonly RecordedRequest[],
): Promise<number | undefined> {
  const { requestTitle } = await import('../../toolkit/localnet/describeRequests');
  const name = accountName(services, services.networks.local());
  const newest = [...requests].reverse().filter(({ isCut }) => isCut !== true);
  const items = [...newest.filter((one) => !isOwn(one)), ...newest.filter(isOwn)].map((request) => ({
    label: requestTitle(request, name),
    description: `${request.status}  ${time(request.time)}`,
    id: request.id,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Send Request Again',
    placeHolder: 'Request to the local network',
    matchOnDescription: true,
  });
  return picked?.id;
}
