import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import type { Services } from '../services';
import { controlNetwork } from './controlNetwork';
import { clockTime } from '../../toolkit/clockTime';

/** More would make the document slow to read, and only the newest matter. */
const mostShown = 200;

const time = (milliseconds: number): string => clockTime(milliseconds / 1000);

/** Shows the last requests to the local network, with folded bodies; each can be sent again. */
export async function showRequests(services: Services): Promise<void> {
  const requests = await controlNetwork(services, 'Reading the requests', 'requests', {});
  const { describeRequests } = await import('../../toolkit/localnet/describeRequests');
  const { text, rows } = describeRequests(requests.slice(-mostShown), time);
  await services.documents.show(
    'local-network/requests/Requests to the local network',
    {
      text,
      lenses: [asCommand('tonWorkbench.localRequests', '$(refresh) Refresh')],
      lineLenses: rows.map(({ line, id }) => ({
        line,
        command: asCommand('tonWorkbench.localReplay', '$(debug-restart) Send Again', id),
      })),
    },
    { language: 'ton-report' },
  );
  await vscode.commands.executeCommand('editor.foldAll');
}

/** Sends a recorded request again and shows the answer. */
export async function replayRequest(services: Services, id: unknown): Promise<void> {
  const requests = await controlNetwork(services, 'Reading the requests', 'requests', {});
  const request = requests.find((one) => one.id === id);
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
