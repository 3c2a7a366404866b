import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/base/errors';
import type { SendableMessage } from '../toolkit/send/sendableMessage';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import type { TraceContext } from '../toolkit/trace/traceContext';
import type { DeliveryEvent, Happened } from '../toolkit/workflows/runDelivery';
import { traceReader } from './reachedAccountNames';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere, networkWords } from './networkHere';
import { noteRetry, usageError, writeNote, writeText } from './output';
import { readSendable } from './readSendable';
import type { SendCommandOptions, Words } from './printRehearsal';
import { printRehearsal, requireRehearsed, requireSuccess, showAndDecide } from './printRehearsal';
import { requireConsent } from './requireConsent';
import { stopSignal } from './runTests';
import { addSigningOptions, signingWayMissingError } from './signingOptions';
import { composedForWallet, requireSignedFor } from './composedForWallet';
import { surroundings } from './surroundings';
import type { ThrownHere } from './whereItThrew';

/** `send FILE|BASE64|HEX|-` or `--compose LINE`: rehearses a message, sends it once, and follows it to the end. */
export function registerSendCommand(program: Command): void {
  const command = program
    .command('send')
    .summary('rehearse a signed message, send it once, follow it')
    .description(
      'Rehearses a signed external message, sends it at most once, and follows it until its trace is complete. ' +
        'The main network needs --yes.\n\n' +
        'On a local network, --compose makes the message from one line and signs it with a wallet there:\n' +
        '  send bob 0.1ton comment "rent" from alice\n' +
        '  send EQ… 0.1ton body b(u32 7, addr @bob)\n' +
        '  send new 1ton code file "contract.boc" data b(u32 0)\n' +
        '  send EQ… 0.1ton body b(u32 7) as EQ…\n' +
        'The last one is sent in the name of any contract, without a signature.\n\n' +
        'On any other network, your own wallet signs what --compose makes: see --sign.',
    )
    .argument('[boc]', 'a file, a BoC in base64 or hex, or - for the standard input')
    .option('--compose <line>', 'the message as one line, instead of a BoC')
    .option('--dry-run', 'only rehearse; exit status 1 if it would fail')
    .option('--from <address>', 'with --sign link or qr: your wallet, whose message is rehearsed')
    .option('--yes', 'send on the main network')
    .option('--anyway', 'send even what the account would not accept, or cannot pay for');
  addJsonOptions(
    command,
    'print the result as one JSON line',
    async () => (await import('./sendAnswer')).sendLineSchema,
  );
  addSigningOptions(addNetworkOptions(command)).action(
    async (argument: string | undefined, options: SendCommandOptions) => {
      await runSend(argument, options);
    },
  );
}

/** Rehearses a message, sends it once, and follows it, as set by the options. */
export async function runSend(argument: string | undefined, options: SendCommandOptions): Promise<void> {
  const fate: Fate = { mayHaveLeft: false };
  try {
    await deliver(argument, options, fate);
  } catch (error) {
    throw WorkbenchError.is(error, 'aborted') && !fate.mayHaveLeft ? nothingSentError(error) : error;
  }
}

/** What may have become of a message. */
interface Fate {
  /** It was decided that it leaves. */
  mayHaveLeft: boolean;
}

async function deliver(argument: string | undefined, options: SendCommandOptions, fate: Fate): Promise<void> {
  const { network } = networkHere(options.network);
  const signal = stopSignal({ isReaderNeeded: false });
  const [{ runDelivery }, { createSandboxEmulator }] = await Promise.all([
    import('../toolkit/workflows/runDelivery'),
    import('../toolkit/execution/emulator/createSandboxEmulator'),
  ]);
  const access = await openAccess(network, options);
  const isForWallet =
    options.compose !== undefined && (options.sign !== undefined || network.kind !== 'local');
  if (options.from !== undefined && options.deploys === undefined && !isForWallet) {
    throw usageError(
      '--from names the wallet that signs elsewhere; here, the message says who sends it.',
      'Write it into the message: "bob 0.1ton from alice".',
    );
  }
  let given: SendableMessage | undefined;
  const signed = options.sign?.kind === 'boc' ? options.sign.file : undefined;
  if (isForWallet && options.compose !== undefined) {
    if (argument !== undefined) {
      await readSendable(access, { boc: argument, line: options.compose }, signal);
    }
    if (options.sign === undefined && options.dryRun !== true) {
      throw signingWayMissingError(network);
    }
    const composed = await composedForWallet(access, options.compose, options.deploys, signal);
    if (signed === undefined) {
      const { handOverHere } = await import('./handOverHere');
      fate.mayHaveLeft = true;
      await handOverHere({ access, composed, signal }, options);
      return;
    }
    given = await requireSignedFor(access, signed, composed);
    if (options.dryRun !== true && (await isMainHere(access, signal))) {
      const { requireWithinLimit } = await import('../toolkit/send/mainnetLimit');
      requireWithinLimit(composed.value, surroundings().environment.TON_MAINNET_LIMIT, 'TON_MAINNET_LIMIT');
    }
  } else if (options.sign !== undefined) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: '--sign is for a message that is composed here: this one is signed already.',
      hint: 'Leave --sign out, or give the message with --compose.',
    });
  }
  const read = (): Promise<SendableMessage> =>
    readSendable(access, { boc: argument, line: options.compose, deploys: options.deploys }, signal);
  // An unreadable BoC is reported before any request; composing needs the network.
  const isComposed = options.compose !== undefined && signed === undefined;
  if (!isComposed) {
    given ??= await read();
  }
  if (options.dryRun !== true) {
    await requireConsent(access, { yes: options.yes, compose: isComposed, signal });
  }
  given ??= await read();
  const words = await traceReader(access, {
    wholeAddresses: options.json === true,
    isDry: options.dryRun,
    signal,
  });
  const delivery = new PrintedDelivery(options, words, network.kind === 'local', fate);
  const events = runDelivery({
    ...{ access, message: given, signal },
    emulators: { get: createSandboxEmulator, dispose: () => undefined },
    confirm: (rehearsed) => delivery.confirm(rehearsed),
  });
  for await (const event of events) {
    await delivery.take(event);
  }
}

async function isMainHere(access: Access, signal: AbortSignal): Promise<boolean> {
  const { isMainNetwork } = await import('../toolkit/access/networkIdentity');
  return isMainNetwork(access, { signal, priority: 'user' });
}

function nothingSentError(cause: WorkbenchError): WorkbenchError {
  const { code, kind } = cause;
  return new WorkbenchError({ code, kind, message: 'Canceled. Nothing was sent.', cause });
}

/** Prints the rehearsal, and decides by the options whether to send. */
class PrintedDelivery {
  #prepared: PreparedSend | undefined;
  #hash: string | undefined;

  constructor(
    private readonly options: SendCommandOptions,
    private readonly words: Words,
    private readonly isLocal: boolean,
    private readonly fate: Fate,
  ) {}

  async confirm(rehearsed: PreparedSend | WorkbenchError): Promise<boolean> {
    if (WorkbenchError.is(rehearsed)) {
      throw rehearsed;
    }
    this.#prepared = rehearsed;
    this.fate.mayHaveLeft = await showAndDecide(rehearsed, this.options, this.words);
    return this.fate.mayHaveLeft;
  }

  async take(event: DeliveryEvent): Promise<void> {
    switch (event.type) {
      case 'stopped':
        await requireRehearsed(this.#prepared as PreparedSend, this.options, this.words);
        return;
      case 'failed':
        if (event.outcome.state === 'unknown') {
          writeNote('The next "send" does not know about this message and will not warn about it.');
        }
        throw event.outcome.error;
      case 'sent':
        this.#hash = event.hash;
        writeNote(
          event.resolved
            ? `Sent; the answer was lost, and the network has the message ${event.hash}.`
            : `Sent ${event.hash}; waiting for its trace.`,
        );
        return;
      case 'follow':
        if (event.event.type === 'error') {
          noteRetry(event.event);
        }
        return;
      case 'ended':
        await this.#ended(event);
    }
  }

  async #ended({ happened, error }: Extract<DeliveryEvent, { type: 'ended' }>): Promise<void> {
    const prepared = this.#prepared as PreparedSend;
    if (error !== undefined) {
      throw error;
    }
    const thrown = happened?.isComplete === true ? await this.#thrown(happened) : undefined;
    if (this.options.json === true) {
      await printRehearsal(prepared, happened, this.options, this.words, this.#hash);
    } else if (happened?.isComplete === true) {
      await printOutcome(happened, thrown?.context ?? (await this.words(happened.model)));
    }
    if (happened !== undefined) {
      const context = thrown?.context ?? (await this.words(happened.model));
      await requireSuccess(context, await this.#whatFailed(context, thrown));
    }
    if (happened?.isComplete !== true) {
      throw stoppedError(this.#hash ?? '');
    }
  }

  /** The trace with the line that threw, as `trace` tells it. */
  async #thrown({ model }: Happened): Promise<ThrownHere | undefined> {
    const { whereItThrew } = await import('./whereItThrew');
    const findsLine = this.isLocal && this.options.json !== true;
    return whereItThrew(await this.words(model), this.options, findsLine);
  }

  /** Names the command that tells more. */
  async #whatFailed({ model }: TraceContext, thrown: ThrownHere | undefined): Promise<string> {
    const { causeOf } = await import('../toolkit/trace/verdict');
    const hash = causeOf(model)?.hash ?? this.#hash;
    const trace = hash === undefined ? '' : ` What happened: ton-workbench trace ${hash}${networkWords()}.`;
    return `The message was sent.${thrown === undefined ? trace : ` ${thrown.next}`}`;
  }
}

/** The outcome, in full if it differs from the rehearsal. */
async function printOutcome(happened: Happened, context: TraceContext): Promise<void> {
  const { factsLine, traceSymbol, traceText } = await import('../toolkit/trace/traceText');
  const { model, prediction, comparison } = happened;
  if (comparison?.verdict === 'equal' || comparison?.verdict === 'same') {
    const likeness = comparison.verdict === 'equal' ? 'exactly as rehearsed' : 'as rehearsed';
    const part = prediction?.complete === true ? '' : ', as far as it was rehearsed';
    writeText(
      `\n${traceSymbol(model)} happened ${likeness}${part}: ${factsLine(context)}, trace ${model.id ?? 'unknown'}`,
    );
    const { failureLines } = await import('../toolkit/trace/failureHeadline');
    const failed = failureLines(context);
    if (failed.length > 0) {
      writeText(`\n${failed.join('\n')}`);
    }
    return;
  }
  writeText(
    [
      comparison?.verdict === 'unknown'
        ? '\nwhether it happened as rehearsed is not known'
        : '\nwhat happened differs from the rehearsal',
      ...(comparison?.differences ?? []).map((one) => `  ${one}`),
      '',
      traceText(context),
    ].join('\n'),
  );
}

/** Nothing failed, and nothing is known to have ended well. */
function stoppedError(hash: string): WorkbenchError {
  return new WorkbenchError({
    code: 'aborted',
    kind: 'network',
    message: 'The message was sent; its trace was not complete yet when you stopped.',
    hint: `To see what becomes of it: ton-workbench trace ${hash} --follow${networkWords()}`,
  });
}
