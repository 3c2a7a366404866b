import { WorkbenchError } from '../toolkit/base/errors';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import type { TraceContext } from '../toolkit/trace/traceContext';
import type { Happened } from '../toolkit/workflows/runDelivery';
import type { traceReader } from './reachedAccountNames';
import type { NetworkOptions } from './networkOptions';
import { writeJsonLine, writeText } from './output';
import { compiledProject } from './projectWith';
import type { SendAnswer } from './sendAnswer';
import type { SigningOptions } from './signingOptions';
import { surroundings } from './surroundings';

/** The options of `send`. */
export interface SendCommandOptions extends NetworkOptions, SigningOptions {
  json?: true;
  dryRun?: true;
  yes?: true;
  anyway?: true;
  compose?: string;
  /** A message for the user's own wallet: that wallet's address, if it is known. */
  from?: string;
  /** The contract that the composed message deploys, and the file that it is from. */
  deploys?: { name: string; file: string };
  /** Looks at the rehearsal; with an error, nothing is sent unless `anyway` says so. */
  onRehearsed?: (rehearsed: PreparedSend) => WorkbenchError | undefined;
  /** Takes the result that `json` prints, for a command whose document it is a part of. */
  onResult?: (result: SendAnswer) => void;
}

/** Renders a trace as text. */
export type Words = Awaited<ReturnType<typeof traceReader>>;

/** A message that is executed can still fail; scripts must not mistake that for success. */
export async function requireSuccess(context: TraceContext, hint: string): Promise<void> {
  const { verdictOf } = await import('../toolkit/trace/verdict');
  const verdict = verdictOf(context);
  if (verdict !== undefined) {
    throw new WorkbenchError({
      code: 'trace-failed',
      kind: 'failed',
      message: verdict,
      hint,
    });
  }
}

/**
 * Shows a rehearsal, and decides by the options whether the message leaves. With `json`, what leaves is printed later, with what
 * became of it.
 *
 * @param objection why it should not leave, beyond what the rehearsal itself says
 * @throws WorkbenchError the objection, also of a dry run, unless `anyway`
 */
export async function showAndDecide(
  rehearsed: PreparedSend,
  options: SendCommandOptions,
  words: Words,
  objection?: () => Promise<WorkbenchError | undefined>,
): Promise<boolean> {
  const { isPayable } = await import('../toolkit/send/rehearsalText');
  const { dryRun, anyway, json } = options;
  const objected = options.onRehearsed?.(rehearsed);
  const refused = anyway === true ? undefined : (objected ?? (await objection?.()));
  const leaves =
    dryRun !== true && refused === undefined && (isPayable(rehearsed.rehearsal) || anyway === true);
  if (!leaves || json !== true) {
    await printRehearsal(rehearsed, undefined, options, words);
  }
  if (refused !== undefined) {
    throw refused;
  }
  return leaves;
}

/**
 * Ends a message that does not leave with the same exit status as sending.
 * @throws WorkbenchError `rehearsal-failed`, `message-refused`, `trace-failed` (failed)
 */
export async function requireRehearsed(
  { rehearsal }: PreparedSend,
  { dryRun }: SendCommandOptions,
  words: Words,
): Promise<void> {
  const { accepted, reason, exitCode, trace } = rehearsal;
  if (accepted === undefined) {
    throw notRehearsedError(reason?.text);
  }
  if (!accepted) {
    throw refusedError(reason?.text, exitCode);
  }
  if (dryRun !== true || reason?.code === 'balance-too-small') {
    throw unpayableError(reason?.text);
  }
  if (trace !== undefined) {
    await requireSuccess(await words(trace), 'Nothing was sent: this is the rehearsal.');
  }
}

/** Prints a rehearsal, or with `json` what became of it. */
export async function printRehearsal(
  { message, rehearsal, serviceFees }: PreparedSend,
  happened: Happened | undefined,
  { json, dryRun, onResult = writeJsonLine }: SendCommandOptions,
  words: Words,
  sentHash?: string,
): Promise<void> {
  // What was sent is not told by its prediction.
  const model = happened?.model ?? (sentHash === undefined ? rehearsal.trace : undefined);
  const [{ rehearsalText, rehearsalReason }, { rehearsalExits }] = await Promise.all([
    import('../toolkit/send/rehearsalText'),
    import('../toolkit/workflows/runDelivery'),
  ]);
  const exitSource = await rehearsalExits(rehearsal, {
    contracts: (codeHashes) => compiledProject(surroundings().folder, codeHashes, { isDry: dryRun }),
  });
  if (json === true) {
    const [{ sendAnswer }, { failureHeadline }] = await Promise.all([
      import('./sendAnswer'),
      import('../toolkit/trace/failureHeadline'),
    ]);
    const predicted = rehearsal.trace === undefined ? undefined : await words(rehearsal.trace);
    const reason =
      rehearsal.reason === undefined
        ? null
        : ((predicted === undefined ? undefined : failureHeadline(predicted)?.title) ??
          rehearsalReason(rehearsal.reason, { exitSource }));
    const trace = model === undefined ? undefined : await words(model);
    onResult(sendAnswer({ message, rehearsal, serviceFees }, happened, { sentHash, reason, trace }));
    return;
  }
  const knowledge = model === undefined ? undefined : (await words(model)).knowledge;
  writeText(
    rehearsalText(
      { message, rehearsal, serviceFees },
      { knowledge, exitSource, name: (raw) => knowledge?.names?.get(raw) },
    ),
  );
}

/** The emulator could not predict the result; that is not a rejection. */
function notRehearsedError(reason: string | undefined): WorkbenchError {
  return new WorkbenchError({
    code: 'rehearsal-failed',
    kind: 'failed',
    message: `The message could not be rehearsed here: ${reason ?? 'the emulator failed'}. What the network will do is unknown.`,
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

function unpayableError(reason: string | undefined): WorkbenchError {
  return new WorkbenchError({
    code: 'message-refused',
    kind: 'failed',
    message: `The message would not do what it says: ${reason ?? 'the balance is too small'}.`,
    hint: 'Nothing was sent. Send less, or add --anyway to send it unchanged.',
  });
}
