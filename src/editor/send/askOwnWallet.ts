import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { readSetting, runCommand, showView } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { parseAddressInput } from '../../toolkit/address/parseAddressInput';
import { WorkbenchError, errorSentences } from '../../toolkit/base/errors';
import { clockTime, shortenMiddle } from '../../toolkit/base/text';
import { systemClock } from '../../toolkit/base/time';
import { requireWithinLimit } from '../../toolkit/send/mainnetLimit';
import type { MessageRequest, RequestedMessage } from '../../toolkit/send/messageRequest';
import { checkRequest } from '../../toolkit/send/messageRequest';
import { orderText } from '../../toolkit/send/orderText';
import { formatCoins } from '../../toolkit/trace/figures';
import { verdictOf } from '../../toolkit/trace/verdict';
import { cannotPayError, validUntilFrom } from '../../toolkit/workflows/composedRequest';
import { describeTrace } from '../../toolkit/workflows/describeTrace';
import { HandOverJournal } from '../../toolkit/workflows/handOverJournal';
import type { HandOverEvent } from '../../toolkit/workflows/handOverRequest';
import { handOverRequest } from '../../toolkit/workflows/handOverRequest';
import { rehearseInTime } from '../../toolkit/workflows/rehearseInTime';
import { projectBodies, projectWords } from '../project/projectWords';
import type { ShowFollowEvent } from '../traces/following';
import type { OpenTrace } from '../traces/openTraces';
import { traceKnowledge } from '../traces/traceKnowledge';
import { coinLabel } from '../ui/readWorkspaceFile';
import { withProgress } from '../ui/withProgress';
import type { Asked, WayHere } from './chooseWay';
import { chooseWay, openWay } from './chooseWay';
import type { DeliveryCare } from './confirmSend';
import { asItIs, confirmed, nameBy, patienceMs } from './confirmSend';
import type { SendServices } from './showRehearsal';

const limitSetting = 'tonWorkbench.mainnet.limit';

/**
 * Hands a message to the user's own wallet: rehearsed, shown, handed over at most once, found on the chain, followed.
 * What was handed over before, also by an earlier window or by the command line, is looked for instead.
 *
 * @throws WorkbenchError `mainnet-limit`, `link-too-long`, `no-folder` (input), and as handOverRequest
 */
export async function askOwnWallet(
  services: SendServices,
  access: Access,
  message: RequestedMessage,
  care: DeliveryCare,
): Promise<void> {
  const { request } = message;
  const journal = new HandOverJournal(projectFolder());
  const asked = await confirmedRequest(services, access, message, care);
  const kind = asked && (await chooseWay(services.wallets, access.network.name));
  const way = kind && (await openWay(kind, services.wallets, access, asked));
  if (way === undefined) {
    return;
  }
  await requirePaid(services, access, request, way);
  const to = request.destination;
  const word = nameBy(services, care.names)(to.toRawString()) ?? to.toString();
  const what = `${formatCoins(request.value)} ${coinLabel()} to ${word}`;
  const ends = new AbortController();
  // Its time begins when it leaves: connecting a wallet takes as long as its user does.
  const handed = { ...request, validUntil: validUntilFrom(systemClock.now()) };
  const events = handOverRequest({ access, request: handed, way, journal, what, signal: ends.signal });
  try {
    const end = await waitFor(services, access, events, { way, what, ends, handed });
    if (end !== undefined) {
      setContextKey(vscode.commands, 'tonWorkbench.messageSent', true);
      await care.onSent?.({ type: 'sent', hash: end.hash, resolved: false, waitsForBlock: false });
      await tellEnd(services, end, access.network.name);
    }
  } finally {
    way.close();
  }
}

/**
 * Rehearses what the user's own wallet is asked for, and shows it.
 *
 * @returns undefined if the user does not go on
 * @throws WorkbenchError `mainnet-limit`, `request-expired`, `request-not-carriable` (input), and the objection
 */
export async function confirmedRequest(
  services: SendServices,
  access: Access,
  message: RequestedMessage,
  { objection, names, isWayChosen }: Omit<DeliveryCare, 'onSent'>,
): Promise<Asked | undefined> {
  const { request } = message;
  const network = await asItIs(access);
  const isMain = network.kind === 'mainnet';
  if (isMain) {
    requireWithinLimit(
      request.value,
      readSetting(vscode.workspace, limitSetting) || undefined,
      `the setting ${limitSetting}`,
    );
  }
  checkRequest(request, Math.floor(systemClock.now() / 1000));
  const { emulators } = services;
  const rehearsed = await withProgress('Rehearsing the message', (signal) =>
    rehearseInTime({ access, message, emulators, patienceMs, signal }),
  );
  const refused = WorkbenchError.is(rehearsed) ? undefined : objection?.(rehearsed);
  if (refused !== undefined) {
    throw refused;
  }
  if (!(await confirmed(services, access, message, rehearsed, { newNames: names, network, isWayChosen }))) {
    return undefined;
  }
  const known = {
    name: nameBy(services, names),
    coin: coinLabel(),
    ...(await projectBodies(services.project)),
  };
  return { request, words: `${orderText(message, known)}.`, isMain };
}

/** What was handed over is kept in a file of the folder. */
function projectFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder?.scheme !== 'file') {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message:
        'Nothing was handed over: without a folder, this window cannot keep what your wallet was asked for.',
      hint: 'Open a folder first. What is kept there makes sure that nothing is sent twice.',
    });
  }
  return folder.fsPath;
}

/**
 * Ensures that a connected wallet can pay for a request.
 * @throws WorkbenchError `message-refused` (failed)
 */
export async function requirePaid(
  { wallets }: SendServices,
  access: Access,
  request: MessageRequest,
  { name }: WayHere,
): Promise<void> {
  const wallet = name === 'connect' ? wallets.known(access.network.name) : undefined;
  if (wallet !== undefined) {
    const address = parseAddressInput(wallet.address);
    const refusal = await withProgress('Reading the balance', (signal) =>
      cannotPayError(access, request, address, `Send less, or top ${wallet.name} up.`, signal),
    );
    if (refusal !== undefined) {
      throw refusal;
    }
  }
}

/** How a message that was handed over has ended. */
interface HandedOver {
  /** Of the message or its transaction. */
  hash: string;
  last: Extract<HandOverEvent, { type: 'ended' }>['last'];
  trace: OpenTrace | undefined;
}

/**
 * Waits until the message is on the chain and its trace complete; canceling only ends the waiting.
 * @returns undefined if the user stopped waiting
 */
async function waitFor(
  services: SendServices,
  access: Access,
  events: AsyncGenerator<HandOverEvent, void, undefined>,
  { way, what, ends, handed }: { way: WayHere; what: string; ends: AbortController; handed: MessageRequest },
): Promise<HandedOver | undefined> {
  const following = await services.following();
  const run = (report: (words: string) => void): Promise<HandedOver> =>
    following.during(ends, async (show) => {
      let hash = '';
      let trace: OpenTrace | undefined;
      for await (const event of events) {
        trace =
          (await showHandOver(services, event, { access, way, request: handed, report, show })) ?? trace;
        if (event.type === 'answered') {
          hash = event.message.hashNorm;
        } else if (event.type === 'found') {
          hash = event.arrival.transaction;
        } else if (event.type === 'ended') {
          if (event.error !== undefined) {
            throw event.error;
          }
          return { hash, last: event.last, trace };
        }
      }
      throw new Error('a hand-over ends with its end');
    });
  try {
    return await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: what, cancellable: true },
      (progress, token) => {
        token.onCancellationRequested(() => ends.abort());
        return run((words) => progress.report({ message: words }));
      },
    );
  } catch (error) {
    if (!ends.signal.aborted || !WorkbenchError.is(error)) {
      throw error;
    }
    void vscode.window.showInformationMessage(errorSentences(error));
    return undefined;
  }
}

/**
 * Says how far a hand-over is: in a notification, on the page of the link, and in the list of traces.
 *
 * @param report shows words in the notification
 * @returns the trace, once it is listed
 */
export async function showHandOver(
  services: SendServices,
  event: HandOverEvent,
  {
    access,
    way,
    request: { validUntil, ...request },
    report,
    show,
  }: {
    access: Access;
    way: WayHere;
    request: MessageRequest;
    report: (words: string) => void;
    show: ShowFollowEvent;
  },
): Promise<OpenTrace | undefined> {
  const tell = (words: string): void => {
    report(words);
    way.tell(words);
  };
  switch (event.type) {
    case 'open': {
      const { at, validUntil: until } = event.entry;
      tell(
        `This was handed over at ${clockTime(Math.floor(at / 1000))}, and may come until ${clockTime(until)}: it is waited for, and not handed over again.`,
      );
      await way.again({ ...request, validUntil: until });
      return undefined;
    }
    case 'lapsed':
      tell('This was handed over before, and never came: it is handed over anew.');
      return undefined;
    case 'handed':
      report(
        way.name === 'boc'
          ? 'sending the signed message'
          : way.name === 'connect'
            ? `confirm it in your wallet until ${clockTime(validUntil)}`
            : `open the link in your wallet until ${clockTime(validUntil)}`,
      );
      return undefined;
    case 'answered':
      services.traces.sent(event.message.hashNorm);
      tell(`${way.name === 'boc' ? 'It is sent' : 'The wallet has sent it'}; waiting for its trace.`);
      return undefined;
    case 'silent':
      tell(`${event.error.message} Looking for the message on the chain.`);
      return undefined;
    case 'found':
      tell('Found on the chain; waiting for its trace.');
      tellOthers(event);
      await showView(vscode.commands, 'traces');
      return undefined;
    case 'follow':
      return show(event.event, access.network.name);
    case 'ended':
      return undefined;
  }
}

function tellOthers({ arrival, others }: Extract<HandOverEvent, { type: 'found' }>): void {
  if (others.length > 0) {
    const all = [arrival, ...others].map(({ transaction }) => shortenMiddle(transaction)).join(', ');
    void vscode.window.showWarningMessage(
      `${others.length + 1} equal messages came since then, and nobody can tell which one is this: ${all}.`,
    );
  }
}

/** What became of it, by its trace. */
async function tellEnd(
  services: SendServices,
  { hash, last, trace }: HandedOver,
  network: string,
): Promise<void> {
  const sent = `Sent on ${network}: ${shortenMiddle(hash)}`;
  if (last?.isFinal !== true) {
    void vscode.window.showInformationMessage(`${sent}. Its trace is not complete yet.`);
    return;
  }
  const context = await describeTrace(last.model, {
    ...traceKnowledge(services),
    ...projectWords(services.project),
  });
  const failure = verdictOf(context);
  const show = trace === undefined ? [] : ['Open Trace'];
  const action = await (failure === undefined
    ? vscode.window.showInformationMessage(`${sent}. Its trace is complete, and nothing failed.`, ...show)
    : vscode.window.showWarningMessage(`${sent}, but ${failure}`, ...show));
  if (action !== undefined && trace !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.showTracePage', { key: trace.key });
  }
}
