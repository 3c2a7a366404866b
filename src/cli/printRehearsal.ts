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
