import type { Cell } from '@ton/core';
import type { ContractRef } from '../contracts/abi/projectContract';
import type { ContractMethod } from '../contracts/abi/contractDescription';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import type { Access } from '../access/createAccess';
import type { BuiltContract } from '../build/readBuiltContract';
import type { Expectation, SheetDeploy, SheetSend, SheetStep } from '../callSheet/callSheet';
import type { JunitCase } from '../callSheet/junitReport';
import type { WorkbenchError } from '../base/errors';
import { errorSentences } from '../base/errors';
import type { ExitSource } from '../contracts/exitCodes';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import type { RunGetMethodOptions } from '../getMethods/runGetMethod';
import type { SummaryOptions } from '../getMethods/summarizeResult';
import { summarizeResult } from '../getMethods/summarizeResult';
import { summaryText } from '../getMethods/summaryText';
import { groupBy } from '../base/collections';
import type { LayoutSet, StorageLayout } from '../contracts/layouts/layoutSet';
import type { LocalAccount } from '../accounts/localAccount';
import type { MessageRequest } from '../send/messageRequest';
import type { Emulator } from '../execution/emulator/emulator';
import type { ReplayInputs } from '../replay/replayInputs';
import type { SendableMessage } from '../send/sendableMessage';
import type { StackValue } from '../stack/stackValue';
import type { StackTextOptions } from '../stack/stackTextContext';
import { visibleText } from '../base/text';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { causeOf } from '../trace/verdict';
import type { Deployment } from './planDeployment';

/** A sheet's network and what is known there. */
export interface SheetNetwork {
  access: Access;
  preferredApi?: 'v2' | 'v3' | undefined;
  /** Names of accounts and their addresses. */
  accounts: ReadonlyMap<string, string>;
  /** The wallets that can sign; only a local network has any. */
  wallets?: readonly LocalAccount[] | undefined;
}

/** An expectation and its result. */
export interface CheckedExpectation {
  expectation: Expectation;
  /** Why it is not met, as a sentence; absent if it is. */
  failure?: string;
  /** Both in the syntax of sheets; `actual` is absent if the answer has no such part. */
  expected: string;
  actual?: string;
}

/** The outcome of a sent message. */
export interface SentOutcome {
  trace: TraceContext;
  /** 0 if nothing failed, otherwise that of the first failure; null if that has none, or it is unknown. */
  exitCode: number | null;
  /** The phase whose failure it is; none if nothing failed. */
  exitPhase?: 'compute' | 'action';
  /** The contract's name for the code. */
  exitName?: string;
  /** Of all transactions. */
  gasUsed: bigint;
}

/** The contract of a `deploy` step, newly deployed or already there. */
export interface DeployedOutcome {
  name: string;
  /** Raw, lowercase. */
  address: string;
  wasThere: boolean;
}

/** A step's outcome. */
export interface StepOutcome {
  step: SheetStep;
  passed: boolean;
  /** Of a call; absent without an answer. */
  result?: GetMethodResult;
  /** The types used to read the answer. */
  signature?: GetMethodSignature;
  /** Of a message. */
  sent?: SentOutcome;
  deployed?: DeployedOutcome;
  /** Whole sentences, one per unmet expectation. */
  failures: string[];
  /** The expectations in order; empty if the step could not run. */
  checks: CheckedExpectation[];
  /** The error that prevented the step. */
  error?: WorkbenchError;
  /** It was not tried, because a step that it needs failed; `error` says which. */
  isSkipped?: true;
  /** An earlier run has completed it, and it was not done again. */
  wasDone?: true;
  elapsedMs: number;
}

/** The contract of a `deploy` step. */
export interface BuiltForSheet {
  built: BuiltContract;
  storage: StorageLayout | undefined;
  /** Which contract of the project it is. */
  contract?: ContractRef | undefined;
  /** Those of its source; undefined if they are not known. */
  methods?: readonly ContractMethod[] | undefined;
}

/** A run whose messages the user's own wallet signs, and which goes on where an earlier one was ended. */
export interface SheetPlan<Opened extends SheetNetwork = SheetNetwork> {
  /** Whether the user's own wallet signs the messages on a network. */
  isFor: (network: Opened) => boolean;
  /** Throws if nothing may be handed over there. */
  allow: (network: Opened) => void;
  /** Whether an earlier run has completed a step: it is not done again. */
  isDone: (step: SheetStep, network: Opened) => boolean;
  /** Keeps that a step is complete. */
  done: (step: SheetStep, network: Opened) => void;
  /** Keeps that what a step has sent did not do what it expects. */
  failed: (step: SheetStep, network: Opened) => void;
  /** The value that an earlier run has read from an answer into a variable. */
  answer: (name: string, network: Opened) => StackValue | undefined;
  keepAnswer: (name: string, value: StackValue, network: Opened) => void;
  /** Hands a message over, at most once; resolves to its whole trace. */
  send: (
    step: SheetSend | SheetDeploy,
    request: MessageRequest,
    network: Opened,
    signal: AbortSignal,
  ) => Promise<TraceModel>;
  /** A contract is there, by this run or an earlier one. */
  deployed: (step: SheetDeploy, deployment: Deployment, network: Opened) => Promise<void>;
}

/** The name by which a sheet names the user's own wallet on a network where it signs. */
export const ownWalletName = 'wallet';

/** How `replay` steps run. */
export interface SheetReplays {
  /** Reads a `*.tonreplay` file that a sheet names. */
  open: (file: string) => Promise<ReplayInputs>;
  emulator: () => Promise<Pick<Emulator, 'runTransaction' | 'runTickTock'>>;
}

/** What `send` and `deploy` steps need beyond the network. */
export interface SheetMessages<Opened extends SheetNetwork = SheetNetwork> {
  /** Hands messages to the user's own wallet; without it, they are sent on local networks only. */
  plan?: SheetPlan<Opened> | undefined;
  /** Throws if sending is not allowed on a network; called for local networks only. */
  allow?: ((network: Opened) => void) | undefined;
  /** The contracts whose messages may be written as structs. */
  layouts: () => Promise<readonly LayoutSet[]>;
  /** The contract of the project with the code at a raw address. */
  contractAt?:
    ((address: string, network: Opened, signal: AbortSignal) => Promise<ContractRef | undefined>) | undefined;
  /** Delivers a message in another way than to the network, such as in a rehearsal; resolves to its trace. */
  deliver?:
    | ((
        message: SendableMessage,
        step: SheetSend | SheetDeploy,
        network: Opened,
      ) => Promise<TraceModel | undefined>)
    | undefined;
  /** Adds the known names to a trace. */
  describe: (model: TraceModel, network: Opened) => Promise<TraceContext>;
  /** What `replay` steps need; without it, they fail. */
  replays?: SheetReplays | undefined;
  /** Builds the contract of a `deploy` or `replay` step from source, or reads it from compiler output. */
  build: (file: string) => Promise<BuiltForSheet>;
}

export interface RunCallSheetOptions<Opened extends SheetNetwork = SheetNetwork> extends RunGetMethodOptions {
  /** The network of that name, or the default one. */
  network: (name: string | undefined) => Promise<Opened>;
  /** What is known about a method; arguments can then use its types, and are checked against them. */
  signature?:
    | ((address: string, method: string, network: Opened) => Promise<GetMethodSignature | undefined>)
    | undefined;
  /** What is known about a contract's exit codes. */
  exits?: ((address: string, network: Opened) => Promise<ExitSource | undefined>) | undefined;
  /** Whether there is a contract at an address; used if arguments cannot be parsed without its types. */
  isDeployed?: ((address: string, network: Opened) => Promise<boolean | undefined>) | undefined;
  /** Sends messages; without it, `send` and `deploy` steps fail. */
  messages?: SheetMessages<Opened> | undefined;
  /** The codes of the project's contracts that a text uses by name. */
  codes?: ((text: string) => Promise<ReadonlyMap<string, Cell>>) | undefined;
  /** Reads the files that values refer to, relative to the sheet. */
  readFile?: StackTextOptions['readFile'];
  /** Called before each step. */
  onStep?: ((step: SheetStep) => void) | undefined;
  /** Called after each step, and awaited: what the step has done is not undone before. */
  onOutcome?: ((outcome: StepOutcome) => void | Promise<void>) | undefined;
  /** Which steps to run; default: all. */
  only?: ((step: SheetStep) => boolean) | undefined;
  /** A step with errors in its text fails alone; otherwise the first error in the sheet is thrown. */
  isTolerant?: boolean | undefined;
}

/** One test per scenario: its steps pass or fail together. Scenarios that were not reached are skipped. */
export function scenarioCases(steps: readonly SheetStep[], outcomes: readonly StepOutcome[]): JunitCase[] {
  return [...groupBy(steps, ({ scenario }) => scenario).values()].map((own) => {
    const done = outcomes.filter(({ step, isSkipped }) => own.includes(step) && isSkipped !== true);
    const [first] = own;
    const name = first?.scenarioTitle ?? first?.title ?? '';
    const elapsedMs = done.reduce((sum, one) => sum + one.elapsedMs, 0);
    const error = done.find((one) => one.error !== undefined)?.error;
    const failures = done.flatMap((one) =>
      one.failures.map((failure) => (own.length === 1 ? failure : `${one.step.title}: ${failure}`)),
    );
    return {
      ...{ name, elapsedMs, failures },
      ...(error === undefined ? {} : { error: { code: error.code, message: errorSentences(error) } }),
      ...(done.length === 0 ? { isSkipped: true } : {}),
    };
  });
}

/**
 * A step's outcome in a few words: the answer by its types (`1`, `true`, `count 1, owner alice`), a message's
 * outcome (`exit 101 ERR_OVER_LIMIT`, `ok`), or a deployed contract.
 */
export function stepSummary(
  { step, result, signature, sent, deployed, passed, error, wasDone }: StepOutcome,
  options: Omit<SummaryOptions, 'signature'> = {},
): string {
  if (error !== undefined) {
    return visibleText(errorSentences(error));
  }
  if (wasDone === true) {
    return 'done before';
  }
  if (result !== undefined) {
    return summaryText(
      summarizeResult(result, { ...options, ...(signature === undefined ? {} : { signature }) }),
    );
  }
  if (sent !== undefined && (deployed === undefined || causeOf(sent.trace.model) !== undefined)) {
    const { exitCode, exitName, trace } = sent;
    const isWhole = causeOf(trace.model) === undefined;
    return exitCode === 0
      ? isWhole
        ? 'ok'
        : 'exit 0, but actions were left out'
      : `exit ${exitCode ?? 'unknown'}${exitName === undefined ? '' : ` ${visibleText(exitName)}`}`;
  }
  if (deployed !== undefined) {
    return deployed.wasThere ? 'is already deployed' : 'deployed';
  }
  return step.kind === 'check' && passed ? 'ok' : '';
}
