import type { Cell } from '@ton/core';
import { Address } from '@ton/core';
import { parseHashInput } from '../toolkit/address/hash';
import { parseAddressInput } from '../toolkit/address/parseAddressInput';
import { parseBocInput } from '../toolkit/cell/parseBocInput';
import { toCoreCell } from '../toolkit/cell/toCoreCell';
import type { Emulator } from '../toolkit/execution/emulator/emulator';
import { everyStep } from '../toolkit/execution/emulator/emulator';
import { instructionAt, stackTextAt } from '../toolkit/recording/recording';
import type { ReplayEdits } from '../toolkit/replay/replayEdits';
import type { ReplayInputs } from '../toolkit/replay/replayInputs';
import { openReplayFile, replayFileText } from '../toolkit/replay/replayFile';
import { ReplaySource, targetHash } from '../toolkit/replay/replaySource';
import { replayRecording, runReplay } from '../toolkit/replay/runReplay';
import { vmPhaseOf } from '../toolkit/replay/replayErrors';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';

/** A transaction of the chain, with everything that it depended on: enough to run it again without a network. */
export interface PastTransaction {
  /** Hash of the transaction, lowercase hex. */
  readonly hash: string;
  /** Raw, lowercase. */
  readonly account: string;
  /** Name of the network. */
  readonly network: string;
  /** The masterchain block that holds it, or refers to its block. */
  readonly seqno: number | undefined;
  /** How many earlier transactions of the account run first. */
  readonly earlier: number;
  /** Whether the service gave the account's exact state; otherwise storage fees can differ. */
  readonly isStateExact: boolean;
  /** The text of a `*.tonreplay` file, which {@link readReplay}, the editor, and the command line open. */
  toFileText(): string;
}

/** What is different from what happened: "what if". Everything left out stays as it was. Cells are BoCs in base64 or hex. */
export interface ReplayChanges {
  /** The message's body. */
  readonly body?: string | undefined;
  /** Nanocoins that the message carries; internal messages only. */
  readonly value?: bigint | undefined;
  /** Sender of the message, in any form; internal messages only. */
  readonly sender?: string | undefined;
  /** Unix seconds. */
  readonly now?: number | undefined;
  /** Nanocoins that the account has before the message arrives. */
  readonly balance?: bigint | undefined;
  readonly code?: string | undefined;
  readonly data?: string | undefined;
  /** Parameters of the network's configuration, by number. */
  readonly config?: Readonly<Record<number, string>> | undefined;
  /** Makes every signature check pass. */
  readonly ignoreSignatures?: boolean | undefined;
}

/** How to run a transaction again. */
export interface ReplayOptions {
  readonly changes?: ReplayChanges | undefined;
  /** Also record every step of the VM; default false. */
  readonly record?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A field in which a transaction and its replay differ. Amounts are nanocoins, hashes lowercase hex. */
export interface ReplayDifference {
  /** Such as `exit code`. */
  readonly field: string;
  /** Undefined if there is no such field. */
  readonly original: string | undefined;
  readonly replayed: string | undefined;
}

/** One step of the VM. */
export interface ReplayStep {
  /** Such as `PUSHINT 0`; empty for an instruction that ran out of gas. */
  readonly instruction: string;
  readonly gasUsed: number;
  /** Gas left afterward. */
  readonly gasLeft: number;
  /** Hash of its code cell, lowercase hex; undefined for steps of the VM's own, such as implicit returns. */
  readonly codeCell: string | undefined;
  /** Bit offset in the code cell. */
  readonly offset: number;
  /** The stack before it, as the VM prints it; its end is the top. */
  readonly stack: string;
}

/** A transaction that was run again. */
export interface ReplayResult {
  /**
   * How well the replay agrees: `exact` (identical, byte for byte), `exact-state` (the account ends in the same state),
   * `same-computation` (same exit code, gas, and actions), or `diverged`. `edited`: it ran with changes, so it never
   * happened.
   */
  readonly verdict: 'exact' | 'exact-state' | 'same-computation' | 'diverged' | 'edited';
  /** In the order of execution, so the first one is the nearest to the cause. */
  readonly differences: readonly ReplayDifference[];
  /** Undefined if no code ran; the same for the next two. */
  readonly exitCode: number | undefined;
  readonly gasUsed: bigint | undefined;
  readonly steps: number | undefined;
  /** The replayed transaction: BoC in base64. */
  readonly transaction: string;
  /** The account afterward: ShardAccount as a BoC in base64. */
  readonly accountAfter: string;
  /** With `record`: every step that the engine's log of 32 MiB holds, which loses the first ones of a longer execution. */
  readonly recorded: readonly ReplayStep[] | undefined;
}

/**
 * Gathers everything that a transaction depended on, with public calls of v2 and v3 only.
 *
 * @param hash of the transaction, or of the message that caused it; hex or base64
 * @throws WorkbenchError `replay-not-found` (input), `replay-impossible` (failed), `archive-unavailable`, `aborted`, and
 * the network's errors
 * @example
 * ```ts
 * import { gatherReplay, replay } from 'ton-workbench/replay';
 *
 * const past = await gatherReplay(access, hash);
 * const { verdict, exitCode } = await replay(past);
 * const edited = await replay(past, { changes: { value: 2_000_000_000n } });
 * ```
 */
export async function gatherReplay(
  access: Access,
  hash: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<PastTransaction> {
  const source = new ReplaySource(toolkitAccess(access));
  return new GatheredTransaction(await source.gather(parseHashInput(hash), { signal: options.signal }));
}

/**
 * Reads the text of a `*.tonreplay` file. Nothing in it is trusted.
 *
 * @throws WorkbenchError `replay-file-invalid`, `over-limit` (input)
 */
export function readReplay(text: string): PastTransaction {
  return new GatheredTransaction(openReplayFile(text));
}

/**
 * Runs a transaction again, as it was or with changes, and compares it with what happened. Nothing is ever sent.
 *
 * @throws WorkbenchError `replay-impossible` (failed), `replay-refused` (failed) if a changed external message is not
 * accepted, `aborted`
 */
export async function replay(
  past: PastTransaction,
  { changes = {}, record = false, signal }: ReplayOptions = {},
): Promise<ReplayResult> {
  const inputs = past instanceof GatheredTransaction ? past.inputs : openReplayFile(past.toFileText());
  const edits = editsOf(changes);
  const verbosity = record ? everyStep : undefined;
  const run = await runReplay(inputs, await emulator(), { edits, verbosity, signal });
  const compute = vmPhaseOf(run.replayed);
  return {
    verdict: Object.keys(edits).length > 0 ? 'edited' : run.verdict,
    differences: run.differences.map(({ field, original, replayed }) => ({ field, original, replayed })),
    exitCode: compute?.exitCode,
    gasUsed: compute?.gasUsed,
    steps: compute?.vmSteps,
    transaction: run.outcome.transaction,
    accountAfter: run.outcome.shardAccount,
    recorded: record ? stepsOf(run) : undefined,
  };
}

class GatheredTransaction implements PastTransaction {
  readonly hash: string;
  readonly account: string;
  readonly network: string;
  readonly seqno: number | undefined;
  readonly earlier: number;
  readonly isStateExact: boolean;
  readonly #inputs: ReplayInputs;

  constructor(inputs: ReplayInputs) {
    this.#inputs = inputs;
    this.hash = targetHash(inputs);
    this.account = inputs.account;
    this.network = inputs.network;
    this.seqno = inputs.seqno;
    this.earlier = inputs.earlier.length;
    this.isStateExact = inputs.state.fidelity === 'exact';
  }

  get inputs(): ReplayInputs {
    return this.#inputs;
  }

  toFileText(): string {
    return replayFileText(this.#inputs);
  }
}

let made: Promise<Emulator> | undefined;

/** One engine for all replays of the program. */
function emulator(): Promise<Emulator> {
  made ??= import('../toolkit/execution/emulator/createSandboxEmulator').then(({ createSandboxEmulator }) =>
    createSandboxEmulator(),
  );
  return made;
}

function editsOf({ body, sender, code, data, config, ...plain }: ReplayChanges): ReplayEdits {
  const edits: ReplayEdits = {
    ...plain,
    body: body === undefined ? undefined : cellOf(body),
    sender: sender === undefined ? undefined : addressOf(sender),
    code: code === undefined ? undefined : cellOf(code),
    data: data === undefined ? undefined : cellOf(data),
    config:
      config === undefined
        ? undefined
        : new Map(Object.entries(config).map(([id, boc]) => [Number(id), cellOf(boc)])),
  };
  return Object.fromEntries(Object.entries(edits).filter(([, value]) => value !== undefined));
}

function cellOf(text: string): Cell {
  const boc = parseBocInput(text);
  return toCoreCell(boc, boc.roots[0] ?? 0);
}

function addressOf(text: string): Address {
  return Address.parse(parseAddressInput(text).toRawString());
}

function stepsOf(run: Awaited<ReturnType<typeof runReplay>>): ReplayStep[] {
  const recording = replayRecording(run);
  if (recording === undefined) {
    return [];
  }
  return Array.from({ length: recording.steps }, (_, step) => ({
    instruction: instructionAt(recording, step),
    gasUsed: recording.gas[step] ?? 0,
    gasLeft: recording.gasAfter[step] ?? 0,
    codeCell: recording.cells[recording.cell[step] ?? -1],
    offset: recording.offset[step] ?? 0,
    stack: stackTextAt(recording, step),
  }));
}
