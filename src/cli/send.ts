import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import { WorkbenchError } from '../toolkit/errors';
import { controlOf } from '../toolkit/localnet/controlOf';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import type { SendableMessage } from '../toolkit/send/sendableMessage';
import type { TraceContext } from '../toolkit/trace/traceContext';
import type { TraceModel } from '../toolkit/trace/traceModel';
import { readSendable } from './readSendable';
import { requireConsent } from './requireConsent';
import { addNetworkOptions, openAccess } from './network';
import { resolveNetwork } from '../toolkit/access/resolveNetwork';
import type { NetworkOptions } from './network';
import { writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './stopSignal';
import { traceWords } from './traceWords';

/** The options of `send`. */
export interface SendOptions extends NetworkOptions {
  json?: true;
  dryRun?: true;
  yes?: true;
  anyway?: true;
  compose?: string;
}

/** How traces are put into words; see {@link traceWords}. */
type Words = Awaited<ReturnType<typeof traceWords>>;

/** `send FILE|BASE64|HEX|-` or `--compose LINE`: rehearses a message, sends it once, follows it to its end. */
export function registerSend(program: Command): void {
  const command = program
    .command('send')
    .summary('rehearse a signed message, send it once, follow it')
    .description(
      'Runs a signed external message on the current state of its accounts, sends it at most once, ' +
        'and follows it until its trace is complete. The main network needs --yes.\n\n' +
        'On a local network --compose makes the message from one line and signs it with one of the wallets there:\n' +
        '  send bob 0.1ton comment "rent" from alice\n' +
        '  send EQ… 0.1ton body b(u32 7, addr @bob)\n' +
        '  send new 1ton code file "contract.boc" data b(u32 0)\n' +
        '  send EQ… 0.1ton body b(u32 7) as EQ…\n' +
        'The last is sent in the name of any contract, without a signature.',
    )
    .argument('[boc]', 'a file, a BoC in base64 or hex, or - for the standard input')
    .option('--compose <line>', 'the message as one line of text, instead of a BoC; local networks only')
    .option('--dry-run', 'only rehearse; nothing is sent')
    .option('--yes', 'send on the main network')
    .option('--anyway', 'send even when the rehearsal says that it will be refused, or could not be made')
    .option('--json', 'print the result as one JSON line');
  addNetworkOptions(command).action(async (argument: string | undefined, options: SendOptions) => {
    await send(argument, options);
  });
}

/** Rehearses a message, sends it once and follows it, as the options say. */
export async function send(argument: string | undefined, options: SendOptions): Promise<void> {
  const { network } = resolveNetwork(options.network);
  const signal = stopSignal();
  const [{ prepareSend }, { createSandboxEmulator }] = await Promise.all([
    import('../toolkit/workflows/prepareSend'),
    import('../toolkit/emulator/createSandboxEmulator'),
  ]);
  const access = await openAccess(network, options);
  const read = (): Promise<SendableMessage> =>
    readSendable(access, { boc: argument, line: options.compose }, signal);
  // A BoC that cannot be read is reported before the network is asked anything; composing needs the network.
  const given = options.compose === undefined ? await read() : undefined;
  if (options.dryRun !== true) {
    await requireConsent(access, { yes: options.yes, compose: options.compose !== undefined, signal });
  }
  const message = given ?? (await read());
  const prepared = await prepareSend({ access, message, emulator: await createSandboxEmulator(), signal });
  const { rehearsal } = prepared;
  const words = await traceWords({ network, access, wholeAddresses: options.json === true, signal });
  if (options.dryRun === true || (rehearsal.accepted !== true && options.anyway !== true)) {
    await print(prepared, undefined, options, words);
    if (rehearsal.accepted === undefined) {
      throw notRehearsedError(rehearsal.reason?.text);
    }
    if (!rehearsal.accepted) {
      throw refusedError(rehearsal.reason?.text, rehearsal.exitCode);
    }
    return;
  }
  if (options.json !== true) {
    await print(prepared, undefined, options, words);
  }
  const sentHash = await handOver(access, message, signal);
  const happened = await follow(access, sentHash, signal);
  if (options.json === true) {
    await print(prepared, happened, options, words, sentHash);
  } else if (happened !== undefined) {
    await printOutcome(prepared, happened, words);
  }
  if (happened !== undefined) {
    await requireSuccess(await words(happened));
  }
}

/** A message that was sent and executed can still fail; a script must not take that for success. */
async function requireSuccess(context: TraceContext): Promise<void> {
  const { verdictOf } = await import('../toolkit/trace/verdict');
  const verdict = verdictOf(context);
  if (verdict !== undefined) {
    throw new WorkbenchError({
      code: 'trace-failed',
      kind: 'failed',
      message: verdict,
      hint: 'The message was sent; its trace says what became of it.',
    });
  }
}

/** The trace that happened; undefined when it was not seen in time. */
async function follow(access: Access, hash: string, signal: AbortSignal): Promise<TraceModel | undefined> {
  if (access.network.v3 === undefined) {
    return undefined;
  }
  const [{ followTrace }, { traceSourceOf }] = await Promise.all([
    import('../toolkit/trace/followTrace'),
    import('../toolkit/access/traceSourceOf'),
  ]);
  const intervalMs = access.network.kind === 'local' ? 100 : 2000;
  let last: TraceModel | undefined;
  for await (const event of followTrace(traceSourceOf(access), {
    hashes: [hash],
    signal,
    intervalMs,
  })) {
    if (event.type === 'trace') {
      last = event.model;
    } else if (event.type === 'error') {
      writeNote(`${event.error.message} Trying again in ${Math.round(event.retryInMs / 1000)} s.`);
    }
  }
  return last;
}

/** Sends it, once; answers the hash by which it is found. Throws when it was not sent. */
async function handOver(access: Access, message: SendableMessage, signal: AbortSignal): Promise<string> {
  if (message.kind === 'internal') {
    const { sendAsContract } = await import('../toolkit/compose/sendAsContract');
    const { hash } = await sendAsContract(controlOf(access.network) ?? '', message, signal);
    writeNote(`Sent ${hash}; waiting for its trace.`);
    return hash;
  }
  const { sendOnce } = await import('../toolkit/send/sendOnce');
  const outcome = await sendOnce(access, message, { signal });
  if (outcome.state === 'unknown') {
    writeNote('The next "send" does not remember this message and will not warn of it.');
  }
  if (outcome.state !== 'sent') {
    throw outcome.error;
  }
  writeNote(
    outcome.resolved
      ? `Sent; the answer was lost, and the network has the message ${message.hashNorm}.`
      : `Sent ${message.hashNorm}; waiting for its trace.`,
  );
  return message.hashNorm;
}

async function print(
  prepared: PreparedSend,
  happened: TraceModel | undefined,
  { json, dryRun }: SendOptions,
  words: Words,
  sentHash?: string,
): Promise<void> {
  const [{ traceSummary }, { compareOutcome }] = await Promise.all([
    import('../toolkit/trace/traceSummary'),
    import('../toolkit/send/compareOutcome'),
  ]);
  const { message, rehearsal, serviceFees } = prepared;
  const predicted = rehearsal.trace;
  const model = happened ?? predicted;
  const comparison =
    happened === undefined || predicted === undefined
      ? undefined
      : compareOutcome({ complete: rehearsal.complete, trace: predicted }, happened);
  if (json === true) {
    const root = happened?.nodes[0]?.transaction;
    const summary = model === undefined ? null : traceSummary(await words(model));
    writeJsonLine({
      // What is sent in the name of a contract gets the network's time, and only with it the hash it is found by.
      hash: message.kind === 'external' ? message.hash : (sentHash ?? null),
      hashNorm: message.kind === 'external' ? message.hashNorm : null,
      destination: message.destination.toRawString(),
      sent: dryRun !== true && (rehearsal.accepted === true || happened !== undefined),
      // Null: the emulator could not say.
      accepted: happened !== undefined || (rehearsal.accepted ?? null),
      exitCode: root?.description?.compute_ph?.exit_code ?? rehearsal.exitCode,
      reason: rehearsal.reason?.text ?? null,
      fees: happened === undefined ? rehearsal.fees.toString() : (summary?.fees ?? null),
      serviceFees: serviceFees?.total.toString() ?? null,
      // Otherwise fees and money are the least: not all of it was run.
      complete: happened !== undefined || rehearsal.complete,
      confidence: rehearsal.confidence,
      doubts: rehearsal.doubts,
      asPredicted: comparison === undefined ? null : comparison.verdict !== 'different',
      trace: summary,
    });
    return;
  }
  const { rehearsalText } = await import('../toolkit/send/rehearsalText');
  const knowledge = model === undefined ? undefined : (await words(model)).knowledge;
  writeText(rehearsalText(prepared, { knowledge, name: (raw) => knowledge?.names?.get(raw) }));
}

/** What happened, in full where it is not what was rehearsed. */
async function printOutcome({ rehearsal }: PreparedSend, happened: TraceModel, words: Words): Promise<void> {
  const [{ factsLine, traceSymbol, traceText }, { compareOutcome }] = await Promise.all([
    import('../toolkit/trace/traceText'),
    import('../toolkit/send/compareOutcome'),
  ]);
  const context = await words(happened);
  const { complete, trace } = rehearsal;
  const comparison = trace === undefined ? undefined : compareOutcome({ complete, trace }, happened);
  if (comparison?.verdict === 'equal' || comparison?.verdict === 'same') {
    const likeness = comparison.verdict === 'equal' ? 'exactly as rehearsed' : 'as rehearsed';
    const part = complete ? '' : ', as far as it was rehearsed';
    writeText(
      `\n${traceSymbol(happened)} happened ${likeness}${part}: ${factsLine(context)}, trace ${happened.id ?? 'unknown'}`,
    );
    return;
  }
  writeText(
    [
      '\nwhat happened is not what was rehearsed',
      ...(comparison?.differences ?? []).map((one) => `  ${one}`),
      '',
      traceText(context),
    ].join('\n'),
  );
}

/** The emulator could not say what the message does; that is no refusal. */
function notRehearsedError(reason: string | undefined): WorkbenchError {
  return new WorkbenchError({
    code: 'rehearsal-failed',
    kind: 'failed',
    message: `The message could not be rehearsed here: ${reason ?? 'the emulator failed'}. What the network will do is not known.`,
    hint: 'Nothing was sent. Add --anyway to send it without a rehearsal.',
  });
}

function refusedError(reason: string | undefined, exitCode: number | null): WorkbenchError {
  const code = exitCode === null ? '' : ` (exit code ${exitCode})`;
  return new WorkbenchError({
    code: 'message-refused',
    kind: 'failed',
    message: `The contract will refuse the message: ${reason ?? 'it does not accept it'}${code}.`,
    hint: 'Nothing was sent.',
    details: { exitCode },
  });
}
