import { Address } from '@ton/core';
import path from 'node:path';
import type { CallSheet } from '../toolkit/callSheet/callSheet';
import { WorkbenchError } from '../toolkit/base/errors';
import { looksLikeBoc, parseBocInput, readBocInput } from '../toolkit/cell/parseBocInput';
import type { ExternalMessage } from '../toolkit/send/externalMessage';
import { readExternalMessage } from '../toolkit/send/externalMessage';
import { checkRequest, requestAddress } from '../toolkit/send/messageRequest';
import { cannotPayError } from '../toolkit/workflows/composedRequest';
import type { PlannedRequest } from '../toolkit/workflows/ownWalletPlan';
import { OwnWalletPlan } from '../toolkit/workflows/ownWalletPlan';
import { PlanRecord, planStore } from '../toolkit/workflows/planRecord';
import { isSignedFor, signedWay } from '../toolkit/workflows/signedWay';
import { lockPlan } from '../toolkit/workflows/runCallSheet';
import type { SheetNetwork } from '../toolkit/workflows/sheetRunTypes';
import { ownWalletName } from '../toolkit/workflows/sheetRunTypes';
import { connectWallet } from './connectWallet';
import { keepDeployed } from './deployedHere';
import type { Way } from './handOverHere';
import { mainWarning, rehearsedHere, requireAllowed, tellHandOver, wayOf } from './handOverHere';
import { writeNote, writeText } from './output';
import { nameInProject, projectPlace } from './projectWith';
import type { SendCommandOptions } from './printRehearsal';
import { readGivenFile } from './readGivenFile';
import { traceReader } from './reachedAccountNames';
import { signingWayMissingError } from './signingOptions';
import { closeWithRun, pathHere, surroundings } from './surroundings';

/** The options of `plan`. */
export interface PlanOptions extends SendCommandOptions {
  /** Begins anew. */
  again?: true;
  /** Sends again what was sent and failed. */
  retry?: true;
}

/** A sheet whose messages the user's own wallet signs, and its record. */
export interface PlanHere {
  plan: OwnWalletPlan;
  /** A network with what is known of the user's wallet. */
  withWallet: (network: SheetNetwork) => Promise<SheetNetwork>;
  /** Forgets what the options say. */
  begin: (networks: readonly SheetNetwork[]) => void;
}

/**
 * The plan of a sheet in its project.
 *
 * @param isDrawn only drawn: nothing is handed over
 * @throws WorkbenchError `hand-over-open`, `format-newer` (input), and the errors of reading signed messages
 */
export async function planHere(
  sheet: CallSheet,
  file: string,
  { options, isDrawn, signal }: { options: PlanOptions; isDrawn: boolean; signal: AbortSignal },
): Promise<PlanHere> {
  const { sign, from } = options;
  const { clock } = surroundings();
  const folder = path.dirname(pathHere(file));
  const project = await projectPlace(folder);
  const name = await nameInProject(pathHere(file), folder);
  if (!isDrawn) {
    // Before the record is read: nobody else writes to it from now on.
    const lock = await lockPlan(project, name, () => busyError(file));
    closeWithRun(() => Promise.resolve(lock.release()));
  }
  const record = new PlanRecord(planStore(project, name), name);
  const signed = sign?.kind === 'boc' && !isDrawn ? await signedMessages(sign.file ?? '') : [];
  const plan: OwnWalletPlan = new OwnWalletPlan({
    ...{ sheet, record, clock },
    isFor: ({ access }) => access.network.kind !== 'local' || sign !== undefined,
    allow: ({ access }) => {
      if (sign === undefined && !isDrawn) {
        throw signingWayMissingError(access.network);
      }
    },
    way: (asked, ends) => wayOfStep(asked, plan, { options, signed, signal: ends }),
    onEvent: async (event, { request, open }, way) => {
      await tellHandOver(event, way, options);
      if (event.type === 'open' && open !== undefined && way.signed === undefined && options.json !== true) {
        // The same link again, for a wallet that has not seen it.
        await (way.name === 'connect'
          ? undefined
          : way.hand({ ...request, validUntil: open.validUntil }, signal));
      }
    },
    deployed: (step, deployment, { access }) => {
      const source = pathHere(step.file.text, folder);
      return keepDeployed(deployment, access, { file: source, data: step.data?.text }, signal);
    },
  });
  return {
    plan,
    withWallet: async (network) => {
      const address = await ownAddress(network, options, isDrawn, signal);
      const accounts = new Map([
        ...network.accounts,
        ...(address === undefined ? [] : [[ownWalletName, address] as const]),
      ]);
      return { ...network, accounts };
    },
    begin: (networks) => {
      if (options.again === true) {
        record.forget(clock.now());
      }
      if (options.retry === true) {
        networks.forEach((network) => plan.retry(network));
      }
    },
  };

  async function ownAddress(
    network: SheetNetwork,
    given: PlanOptions,
    isOnlyDrawn: boolean,
    ends: AbortSignal,
  ): Promise<string | undefined> {
    const { parseAddressInput } = await import('../toolkit/address/parseAddressInput');
    if (sign?.kind === 'connect' && !isOnlyDrawn && plan.isFor(network)) {
      const { wallet } = await connectWallet(network.access.network, given, ends);
      return wallet && parseAddressInput(wallet.address).toRawString();
    }
    return from === undefined ? undefined : parseAddressInput(from).toRawString();
  }
}

/** Shows what the wallet will be asked for, and gives the way to it. */
async function wayOfStep(
  { step, network, request, open }: PlannedRequest,
  plan: OwnWalletPlan,
  {
    options,
    signed,
    signal,
  }: { options: PlanOptions; signed: readonly ExternalMessage[]; signal: AbortSignal },
): Promise<Way> {
  const { access } = network;
  const isMain = await requireAllowed(access, request, options, signal);
  checkRequest(request, Math.floor(surroundings().clock.now() / 1000));
  const way =
    options.sign?.kind === 'boc'
      ? signedWayOfStep({ step, network, request, open }, plan, signed)
      : await wayOf(access, request, options, { isMain, signal });
  if (way === undefined || open !== undefined) {
    return way ?? unreachable();
  }
  const from = way.from ?? (options.from === undefined ? undefined : await readAddress(options.from));
  const rehearsed = await rehearsedHere(access, request, from, signal);
  const [{ rehearsalLine, isPayable }, { orderText }, { orderNames }, { failureHeadline }] =
    await Promise.all([
      import('../toolkit/send/rehearsalText'),
      import('../toolkit/send/orderText'),
      import('../toolkit/send/orderNames'),
      import('../toolkit/trace/failureHeadline'),
    ]);
  const { trace } = rehearsed.rehearsal;
  const words = await traceReader(access, { wholeAddresses: options.json === true, isDry: true, signal });
  const context = trace && (await words(trace));
  const names = new Map([...network.accounts].map(([name, raw]) => [raw, name]));
  const known = {
    name: (raw: string) => names.get(raw),
    address: (raw: string) => requestAddress({ ...request, destination: Address.parseRaw(raw) }),
    ...(context && orderNames(context.knowledge)),
  };
  const failure = context && failureHeadline(context);
  if (options.json !== true) {
    writeText(
      [
        `line ${step.lineNumber}: ${orderText(rehearsed.message, known)}`,
        `  to ${requestAddress(request)}`,
        `  ${rehearsalLine(rehearsed.rehearsal, { ...known, failure })}`,
      ].join('\n'),
    );
  }
  const unpaid =
    from === undefined
      ? undefined
      : await cannotPayError(access, request, from, 'Top it up, then run it again.', signal);
  const isExpected = step.expectations.some(
    ({ subject }) => subject.kind === 'exit' || subject.kind === 'fails',
  );
  const wouldFail = !isExpected && (failure !== undefined || !isPayable(rehearsed.rehearsal));
  if (options.anyway !== true && (unpaid !== undefined || wouldFail)) {
    throw unpaid ?? wouldFailError(failure?.title ?? rehearsed.rehearsal.reason?.text);
  }
  if (isMain) {
    writeNote(mainWarning(request));
  }
  return way;
}

function unreachable(): never {
  throw new Error('a plan that is carried out has a way');
}

async function readAddress(text: string): Promise<Way['from']> {
  const { parseAddressInput } = await import('../toolkit/address/parseAddressInput');
  return parseAddressInput(text);
}

/** The way of a message that came signed. */
function signedWayOfStep(
  { step, network, request }: PlannedRequest,
  plan: OwnWalletPlan,
  signed: readonly ExternalMessage[],
): Way {
  const message = signed.find(
    (one) => isSignedFor(request, one) && !plan.isTaken(one.hashNorm, step, network),
  );
  if (message === undefined) {
    throw new WorkbenchError({
      code: 'wallet-sent-other',
      kind: 'input',
      message: `No signed message is that of line ${step.lineNumber}: destination, amount, body, and state init must be the same.`,
      hint: 'Draw the plan with --json: it has what must be signed. Nothing more was sent.',
    });
  }
  return { ...signedWay(network.access, message), from: message.destination };
}

/** Signed messages in a file: one BoC, or one on each line. */
async function signedMessages(file: string): Promise<ExternalMessage[]> {
  const content = await readGivenFile(
    { path: file, what: 'The signed messages', code: 'boc-file-unreadable' },
    'bocText',
  );
  const lines = content
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isList = lines.length > 1 && lines.every((line) => looksLikeBoc(line));
  return isList
    ? lines.map((line) => readExternalMessage(parseBocInput(line)))
    : [readExternalMessage(readBocInput(content))];
}

function wouldFailError(reason: string | undefined): WorkbenchError {
  return new WorkbenchError({
    code: 'rehearsal-failed',
    kind: 'failed',
    message: `It would fail: ${reason ?? 'the rehearsal does not say why'}. It was not handed over.`,
    hint: 'Mend the step, say what it expects (expect fails), or add --anyway.',
  });
}

function busyError(file: string): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-busy',
    kind: 'failed',
    message: `Another process is carrying ${file} out.`,
    hint: 'Without --sign, plan shows how far it is.',
  });
}
