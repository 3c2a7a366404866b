import type { Address } from '@ton/core';
import { fromNano } from '@ton/core';
import type { Access } from '../toolkit/access/createAccess';
import type { ComposedMessage } from '../toolkit/send/prepareComposed';
import { WorkbenchError } from '../toolkit/base/errors';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import { parseAddressInput } from '../toolkit/address/parseAddressInput';
import type { MessageRequest } from '../toolkit/send/messageRequest';
import { checkRequest, requestedMessage } from '../toolkit/send/messageRequest';
import type { HandOverEvent, HandOverWay } from '../toolkit/workflows/handOverRequest';
import type { Happened } from '../toolkit/workflows/runDelivery';
import { traceReader } from './reachedAccountNames';
import { networkWords } from './networkHere';
import { noteRetry, writeJsonLine, writeNote, writeText } from './output';
import { projectPlace } from './projectWith';
import type { SendCommandOptions, Words } from './printRehearsal';
import { printRehearsal, requireRehearsed, requireSuccess, showAndDecide } from './printRehearsal';
import { surroundings } from './surroundings';

/** What a message in words needs besides itself. */
interface HandOverHere {
  access: Access;
  composed: ComposedMessage;
  signal: AbortSignal;
}

/**
 * Hands a composed message to the user's own wallet: rehearsed, shown, handed over at most once, found on the chain, told.
 *
 * @throws WorkbenchError `confirmation-needed`, `mainnet-limit`, `link-too-long` (input), and as
 *   handOverRequest
 */
export async function handOverHere(
  { access, composed, signal }: HandOverHere,
  options: SendCommandOptions,
): Promise<void> {
  const { dryRun, json } = options;
  const given = options.from === undefined ? undefined : parseAddressInput(options.from);
  const { composedRequest, validUntilFrom, cannotPayError } =
    await import('../toolkit/workflows/composedRequest');
  const request = await composedRequest(access, composed, surroundings().clock.now(), signal);
  const isMain = await requireAllowed(access, request, options, signal);
  checkRequest(request, Math.floor(surroundings().clock.now() / 1000));
  const way = dryRun === true ? undefined : await wayOf(access, request, options, { isMain, signal });
  const words = await traceReader(access, { wholeAddresses: json === true, isDry: dryRun, signal });
  const from = way?.from ?? given;
  const rehearsed = await rehearsedHere(access, request, from, signal);
  const leaves = await showAndDecide(rehearsed, options, words, () =>
    from === undefined
      ? Promise.resolve(undefined)
      : cannotPayError(access, request, from, 'Send less, or add --anyway.', signal),
  );
  if (!leaves || way === undefined) {
    await requireRehearsed(rehearsed, options, words);
    return;
  }
  if (isMain) {
    writeNote(mainWarning(request));
  }
  // Its time begins when it leaves: connecting a wallet takes as long as its user does.
  const handed = { ...request, validUntil: validUntilFrom(surroundings().clock.now()) };
  await handOver({ access, request: handed, way, prepared: rehearsed, signal, words }, options);
}

/**
 * The rehearsal of a request, by the emulator of the running command.
 *
 * @param from the wallet that sends it, if it is known
 * @throws WorkbenchError why it cannot be rehearsed
 */
export async function rehearsedHere(
  access: Access,
  request: MessageRequest,
  from: Address | undefined,
  signal: AbortSignal,
): Promise<PreparedSend> {
  const [{ rehearseInTime }, { engineHere }] = await Promise.all([
    import('../toolkit/workflows/rehearseInTime'),
    import('./openRecord'),
  ]);
  const rehearsed = await rehearseInTime({
    access,
    message: requestedMessage(request, from),
    emulators: { get: engineHere, dispose: () => undefined },
    signal,
  });
  if (WorkbenchError.is(rehearsed)) {
    throw rehearsed;
  }
  return rehearsed;
}

/** A way to the user's wallet from the command line. */
export interface Way extends HandOverWay {
  /** The wallet's address, if it is connected. */
  from?: Address;
}

/**
 * On the main network, a hand-over needs `--yes` and keeps to the limit.
 * @returns whether this is the main network
 * @throws WorkbenchError `confirmation-needed`, `mainnet-limit` (input)
 */
export async function requireAllowed(
  access: Access,
  request: MessageRequest,
  { dryRun, yes }: SendCommandOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const [{ isMainNetwork }, { requireConsent }, { requireWithinLimit }] = await Promise.all([
    import('../toolkit/access/networkIdentity'),
    import('./requireConsent'),
    import('../toolkit/send/mainnetLimit'),
  ]);
  const isMain = await isMainNetwork(access, { signal, priority: 'user' });
  if (isMain && dryRun !== true) {
    await requireConsent(access, { yes, signal });
    requireWithinLimit(request.value, surroundings().environment.TON_MAINNET_LIMIT, 'TON_MAINNET_LIMIT');
  }
  return isMain;
}

/** The way of `--sign`, which must take the request. */
export async function wayOf(
  access: Access,
  request: MessageRequest,
  options: SendCommandOptions,
  { isMain, signal }: { isMain: boolean; signal: AbortSignal },
): Promise<Way | undefined> {
  const { sign, json } = options;
  if (sign?.kind === 'connect') {
    const { connectWallet } = await import('./connectWallet');
    const connection = await connectWallet(access.network, options, signal);
    connection.check([request]);
    const { name, address } = connection.wallet!;
    return {
      name: 'connect',
      from: parseAddressInput(address),
      hand: (asked, ends) => {
        writeNote(`Asking ${name}: confirm it there.`);
        return connection.hand([asked], ends);
      },
    };
  }
  const { transferLinks } = await import('../toolkit/send/transferLink');
  // Before anything is shown: a link that no wallet takes is refused.
  transferLinks(request);
  return {
    name: sign?.kind === 'qr' ? 'qr' : 'link',
    hand: async (asked) => {
      const { link, https } = transferLinks(asked);
      const { formatTime } = await import('../toolkit/trace/figures');
      if (json === true) {
        writeJsonLine({
          ...{ link, links: https, validUntil: asked.validUntil },
          network: access.network.name,
          isMainNetwork: isMain,
        });
        return undefined;
      }
      const { qrText } = await import('../toolkit/send/qrCode');
      const code = sign?.kind === 'qr' ? [qrText(link), ''] : [];
      writeText(
        [
          `Confirm this in your wallet until ${formatTime(asked.validUntil)}:`,
          ...['', ...code, link],
          ...https.map((one) => `${one.wallet}: ${one.link}`),
          '',
        ].join('\n'),
      );
      return undefined;
    },
  };
}

async function handOver(
  here: {
    access: Access;
    request: MessageRequest;
    way: Way;
    prepared: PreparedSend;
    signal: AbortSignal;
    words: Words;
  },
  options: SendCommandOptions,
): Promise<void> {
  const { access, request, way, signal } = here;
  const [{ handOverRequest }, { HandOverJournal }, { formatCoins }] = await Promise.all([
    import('../toolkit/workflows/handOverRequest'),
    import('../toolkit/workflows/handOverJournal'),
    import('../toolkit/trace/figures'),
  ]);
  const stop = new AbortController();
  const events = handOverRequest({
    ...{ access, request, way },
    journal: new HandOverJournal(await projectPlace(surroundings().folder)),
    what: `${formatCoins(request.value)} TON to ${options.deploys?.name ?? request.destination.toString()}`,
    signal: AbortSignal.any([signal, stop.signal]),
    clock: surroundings().clock,
  });
  let hash: string | undefined;
  for await (const event of events) {
    if (event.type === 'answered') {
      hash = event.message.hashNorm;
    } else if (event.type === 'found') {
      hash = event.arrival.transaction;
    }
    await tellHandOver(event, way, options);
    if ((event.type === 'handed' || event.type === 'open') && way.name !== 'connect') {
      const { validUntil } = event.type === 'open' ? event.entry : request;
      if (options.wait === false || (event.type === 'open' && options.json !== true)) {
        await way.hand({ ...request, validUntil }, signal);
      }
      if (options.wait === false) {
        writeNote('Not waiting: the same command looks for it, and does not hand it over again.');
        return;
      }
    }
    if (event.type === 'ended') {
      await tellEnd(event, hash, here, options);
    }
  }
}

/** Tells how far a hand-over is. */
export async function tellHandOver(
  event: HandOverEvent,
  way: HandOverWay,
  { json, wait }: SendCommandOptions,
): Promise<void> {
  const { formatTime } = await import('../toolkit/trace/figures');
  switch (event.type) {
    case 'open': {
      const { at, validUntil } = event.entry;
      writeNote(
        `This was handed over at ${formatTime(Math.floor(at / 1000))}, and may come until ${formatTime(validUntil)}: it is ${wait === false ? '' : 'waited for, and '}not handed over again.`,
      );
      if (way.name !== 'connect' && json !== true) {
        writeNote('This is the same link again; if you have confirmed it, do nothing.');
      }
      return;
    }
    case 'lapsed':
      writeNote(
        `This was handed over before, until ${formatTime(event.entry.validUntil)}, and never came: it is handed over anew.`,
      );
      return;
    case 'answered':
      writeNote(`The wallet has sent ${event.message.hashNorm}; waiting for its trace.`);
      return;
    case 'silent':
      writeNote(`${event.error.message} Looking for the message on the chain.`);
      return;
    case 'found':
      writeNote(`Found on the chain: transaction ${event.arrival.transaction}.`);
      if (event.others.length > 0) {
        const all = [event.arrival, ...event.others].map(({ transaction }) => transaction).join(', ');
        writeNote(
          `! ${event.others.length + 1} equal messages came since then, and nobody can tell which one is this: ${all}.`,
        );
      }
      return;
    case 'follow':
      if (event.event.type === 'error') {
        noteRetry(event.event);
      }
      return;
    default:
  }
}

async function tellEnd(
  { last, error }: Extract<HandOverEvent, { type: 'ended' }>,
  hash: string | undefined,
  { prepared, words }: { prepared: PreparedSend; words: Words },
  options: SendCommandOptions,
): Promise<void> {
  if (error !== undefined) {
    throw error;
  }
  const happened: Happened | undefined = last && {
    model: last.model,
    isComplete: last.isFinal,
    prediction: prepared.rehearsal,
    comparison: undefined,
  };
  if (options.json === true) {
    await printRehearsal(prepared, happened, options, words, hash);
  }
  if (happened === undefined) {
    return;
  }
  const context = await words(happened.model);
  if (options.json !== true) {
    const { traceText } = await import('../toolkit/trace/traceText');
    writeText(`\nwhat happened\n\n${traceText(context)}`);
  }
  await requireSuccess(
    context,
    `The message was sent. What happened: ton-workbench trace ${happened.model.id ?? hash ?? ''}${networkWords()}.`,
  );
}

/** Every hand-over on the main network says so. */
export function mainWarning({ value, destination }: MessageRequest): string {
  const coins = fromNano(value);
  return `MAIN NETWORK: ${coins} TON of real coins to ${destination.toString()}.`;
}
