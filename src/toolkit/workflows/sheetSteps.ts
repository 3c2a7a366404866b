import type { Cell } from '@ton/core';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { withDomains } from '../accounts/findAccount';
import type { AccountsByName } from '../address/resolveAccount';
import type { AnswerValue } from '../callSheet/answerValue';
import { typedToStack } from '../callSheet/answerValue';
import type {
  AnswerPart,
  CallSheet,
  MethodCall,
  SheetCall,
  SheetDeploy,
  SheetSend,
  SheetStep,
  SheetVariable,
} from '../callSheet/callSheet';
import { namesUsed, textsOf, textsOfSheet, usedIn } from '../callSheet/textsOfSheet';
import { SheetValues, callSheetError } from '../callSheet/sheetValues';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import { explainExitCode } from '../contracts/exitCodes';
import type { ComposedMessage } from '../send/prepareComposed';
import { prepareComposed } from '../send/prepareComposed';
import type { SendableMessage } from '../send/sendableMessage';
import { withExits } from '../getMethods/withExits';
import { isSuccess } from '../getMethods/getMethodResult';
import type { StackValue } from '../stack/stackValue';
import { isSuccessCode } from '../contracts/standardExitCode';
import { visibleText } from '../base/text';
import { computeSucceeded } from '../trace/outcomeOf';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel, TraceNode } from '../trace/traceModel';
import { causeOf } from '../trace/verdict';
import { answerOf, callContract } from './callContract';
import type { Deployment } from './planDeployment';
import {
  composeDeployment,
  composeLine,
  deploySheetContract,
  runReplayStep,
  sendLine,
} from './sheetMessages';
import type {
  RunCallSheetOptions,
  SentOutcome,
  SheetMessages,
  SheetNetwork,
  StepOutcome,
} from './sheetRunTypes';
import type { SheetAnswer } from './stepChecks';
import { StepChecks, answerPart } from './stepChecks';

/** The outcome of a step, without the step itself. */
type StepResult = Omit<StepOutcome, 'step' | 'elapsedMs'>;

/**
 * Runs the steps of one run, and keeps what they provide for later ones: values of answers, and names of
 * contracts.
 */
export class SheetSteps<Opened extends SheetNetwork> {
  readonly #sheet: CallSheet;
  readonly #options: RunCallSheetOptions<Opened>;
  readonly #signal: AbortSignal;
  /** Values of `@name = target method(…)`, or the error of reading it. */
  readonly #answers = new Map<SheetVariable, StackValue | WorkbenchError>();
  /** Contracts that this run has deployed, by name, by network. */
  readonly #deployed = new Map<string, Map<string, string>>();
  /** Codes that the steps so far use by name. */
  readonly #codes = new Map<string, Cell>();
  /** Accounts with the domains that this run has looked up, by network. */
  readonly #named = new Map<string, AccountsByName>();

  constructor(sheet: CallSheet, options: RunCallSheetOptions<Opened>, signal: AbortSignal) {
    this.#sheet = sheet;
    this.#options = options;
    this.#signal = signal;
  }

  /** The same steps with what these know by now; neither learns what the other reads from here on. */
  branch(): SheetSteps<Opened> {
    const branch = new SheetSteps(this.#sheet, this.#options, this.#signal);
    this.#answers.forEach((value, variable) => branch.#answers.set(variable, value));
    this.#deployed.forEach((names, network) => branch.#deployed.set(network, new Map(names)));
    this.#codes.forEach((code, name) => branch.#codes.set(name, code));
    this.#named.forEach((accounts, network) => branch.#named.set(network, accounts));
    return branch;
  }

  /**
   * The message of a `send` step, ready to be sent.
   * @param chosen as in {@link run}
   */
  async prepareSend(step: SheetSend, opened: Opened, chosen: readonly SheetStep[]): Promise<SendableMessage> {
    const { network, values } = await this.#begin(step, opened, chosen);
    const composed = await composeLine(step, network, values, this.#messages(), this.#signal);
    return prepareComposed(network.access, composed, network.wallets ?? [], this.#signal);
  }

  /**
   * Checks what a `send` step expects of its message.
   * @param model the trace of the message
   * @param chosen as in {@link run}
   */
  async checkSend(
    step: SheetSend,
    model: TraceModel,
    opened: Opened,
    chosen: readonly SheetStep[],
  ): Promise<StepResult> {
    const { network, checks } = await this.#begin(step, opened, chosen);
    return checks.finish({ sent: sentOutcome(await this.#messages().describe(model, network)) });
  }

  /**
   * The message of a sending step, as far as it is known before the run: nothing is read from answers.
   * @throws WorkbenchError `call-sheet-invalid` (input) also if it needs what only the run reads
   */
  async preview(
    step: SheetSend | SheetDeploy,
    opened: Opened,
  ): Promise<{ composed: ComposedMessage; deployment?: Deployment }> {
    const network = await this.#withDomains(step, opened);
    const values = this.#values(step, network);
    if (step.kind === 'send') {
      return { composed: await composeLine(step, network, values, this.#messages(), this.#signal) };
    }
    const made = await composeDeployment(step, network, values, this.#messages(), this.#signal);
    this.#noteDeployed(step.name.text, made.deployment.address, network);
    return made;
  }

  #noteDeployed(name: string, address: string, { access }: Opened): void {
    const known = this.#deployed.get(access.network.name) ?? new Map<string, string>();
    this.#deployed.set(access.network.name, known.set(name, address));
  }

  async #begin(
    step: SheetStep,
    opened: Opened,
    chosen: readonly SheetStep[],
  ): Promise<{ network: Opened; values: SheetValues; checks: StepChecks }> {
    const network = await this.#withDomains(step, opened);
    await this.#readAnswers(step, network, chosen);
    const values = this.#values(step, network);
    const checks = new StepChecks(step, values, {
      call: (call) => this.#call(call, network, values),
      exits: async (address) => this.#options.exits?.(address, network),
      accountName: namesOf(values.accounts()),
    });
    return { network, values, checks };
  }

  #messages(): SheetMessages<Opened> {
    const { messages } = this.#options;
    if (messages === undefined) {
      throw new WorkbenchError({
        code: 'compose-local-only',
        kind: 'input',
        message: 'Nothing can be sent here.',
      });
    }
    return messages;
  }

  /** @param chosen all steps of the run; only the variables that they use are read */
  async run(step: SheetStep, opened: Opened, chosen: readonly SheetStep[]): Promise<StepResult> {
    const { network, values, checks } = await this.#begin(step, opened, chosen);
    switch (step.kind) {
      case 'call':
        return this.#runCall(step, network, values, checks);
      case 'check':
        return checks.finish({});
      default: {
        const messages = this.#messages();
        checks.readExpected();
        if (step.kind === 'replay') {
          const model = await runReplayStep(step, messages, this.#signal);
          const sent = sentOutcome(await messages.describe(model, network));
          // What it sent runs nowhere.
          const hasEnded = causeOf(model) === undefined;
          return checks.finish({ sent: hasEnded ? { ...sent, exitCode: 0 } : sent });
        }
        if (step.kind === 'send') {
          const model = await sendLine(step, network, values, messages, this.#signal);
          return checks.finish({ sent: sentOutcome(await messages.describe(model, network)) });
        }
        const { deployed, model } = await deploySheetContract(step, network, values, messages, this.#signal);
        this.#noteDeployed(deployed.name, deployed.address, network);
        const sent = model === undefined ? undefined : sentOutcome(await messages.describe(model, network));
        const after = this.#values(step, network);
        return checks
          .with(after, (call) => this.#call(call, network, after))
          .finish({ deployed, ...(sent === undefined ? {} : { sent }) });
      }
    }
  }

  async #withDomains(step: SheetStep, opened: Opened): Promise<Opened> {
    const { access } = opened;
    const { variables } = this.#sheet;
    const known = this.#named.get(access.network.name) ?? opened.accounts;
    const accounts = await withDomains(
      access,
      textsOfSheet({ variables, steps: [step] }),
      known,
      this.#signal,
    );
    this.#named.set(access.network.name, accounts);
    const codes = await this.#options.codes?.(textsOfSheet({ variables, steps: [step] }));
    codes?.forEach((code, name) => this.#codes.set(name, code));
    return { ...opened, accounts };
  }

  async #runCall(
    step: SheetCall,
    network: Opened,
    values: SheetValues,
    checks: StepChecks,
  ): Promise<StepResult> {
    // Unreadable values are found before anything is sent.
    const { result, signature } = await this.#call(step, network, values, () => checks.readExpected());
    return checks.finish({ result, ...(signature === undefined ? {} : { signature }) });
  }

  /** Reads the answers in variables above the step that the run uses. */
  async #readAnswers(step: SheetStep, network: Opened, chosen: readonly SheetStep[]): Promise<void> {
    const used = namesUsed(this.#sheet, chosen);
    for (const variable of this.#sheet.variables) {
      const { answer, name } = variable;
      const isDue = answer !== undefined && name.offset < step.offset && !this.#answers.has(variable);
      if (isDue && used.has(name.text)) {
        const plan = this.#options.messages?.plan;
        const own = plan?.isFor(network) === true ? plan : undefined;
        // An earlier run has read it when it got here; by now the contract may answer otherwise.
        const kept = own?.answer(name.text, network);
        const value = kept ?? (await this.#readAnswer(answer, step, network));
        this.#answers.set(variable, value);
        if (own !== undefined && kept === undefined && !(value instanceof WorkbenchError)) {
          own.keepAnswer(name.text, value, network);
        }
      }
    }
    const own = new Set(textsOf(step).flatMap(usedIn));
    for (const [{ name, answer }, value] of this.#answers) {
      if (own.has(name.text) && value instanceof WorkbenchError) {
        const place = answer?.call ?? name;
        const { offset = place.offset, length = place.length } = value.details as {
          offset?: number;
          length?: number;
        };
        const reason = `@${name.text} has no value: ${value.message}`;
        throw callSheetError(offset, length, reason, value.hint);
      }
    }
  }

  async #readAnswer(
    answer: AnswerPart,
    step: SheetStep,
    network: Opened,
  ): Promise<StackValue | WorkbenchError> {
    try {
      const values = this.#values(step, network);
      const { value } = await this.#part(answer, network, values);
      const read = typedToStack(value);
      if (read === undefined) {
        const { offset, length } = answer.call;
        throw callSheetError(
          offset,
          length,
          'A map cannot be a variable.',
          'Take one entry of it: add [key].',
        );
      }
      return read;
    } catch (error) {
      const known = toWorkbenchError(error);
      if (known.code === 'aborted') {
        throw known;
      }
      return known;
    }
  }

  async #part({ call, path }: AnswerPart, network: Opened, values: SheetValues): Promise<AnswerValue> {
    const { result, signature } = await this.#call(call, network, values);
    return answerPart({ result, signature }, path, values);
  }

  #values({ kind }: SheetStep, network: Opened): SheetValues {
    const deployed = this.#deployed.get(network.access.network.name) ?? [];
    const accounts = new Map([...network.accounts, ...deployed]);
    const values = new SheetValues({ accounts, codes: this.#codes, readFile: this.#options.readFile });
    // A deployment needs no variable that refers to the contract that it creates.
    values.readVariables(this.#sheet, kind === 'deploy');
    for (const [{ name }, value] of this.#answers) {
      if (!(value instanceof WorkbenchError)) {
        values.setVariable(name.text, value);
      }
    }
    return values;
  }

  async #call(
    call: MethodCall,
    network: Opened,
    values: SheetValues,
    onArguments: () => void = () => undefined,
  ): Promise<SheetAnswer> {
    const { signature: signatureOf, isDeployed, priority, preferredApi: api } = this.#options;
    const { access, accounts, preferredApi = api } = network;
    const method = call.method.text;
    let signature: GetMethodSignature | undefined;
    const events = callContract({
      ...{ access, accounts, method, signal: this.#signal },
      ...(preferredApi === undefined ? {} : { preferredApi }),
      ...(priority === undefined ? {} : { priority }),
      address: values.address(call),
      signature: async (address) => (signature = await signatureOf?.(address, method, network)),
      stack: async (known, address) => {
        const stack = await readStack(
          () => values.stack(call, known),
          async () =>
            known === undefined && (await isDeployed?.(address, network)) === false
              ? contractMissingError(call.target.text, address, access.network.name)
              : undefined,
        );
        onArguments();
        return stack;
      },
    });
    const { result } = await answerOf(events);
    const exits = isSuccess(result) ? undefined : await this.#options.exits?.(result.address, network);
    return { result: withExits(result, exits), signature };
  }
}

function namesOf(accounts: ReadonlyMap<string, string>): (raw: string) => string | undefined {
  const names = new Map([...accounts].reverse().map(([name, raw]) => [raw, name]));
  return (raw) => names.get(raw);
}

/**
 * If parsing fails because the contract's types are missing, and there is no contract, reports that instead.
 */
async function readStack(
  read: () => StackValue[],
  cause: () => Promise<WorkbenchError | undefined>,
): Promise<StackValue[]> {
  try {
    return read();
  } catch (error) {
    throw (await cause()) ?? error;
  }
}

function contractMissingError(target: string, address: string, network: string): WorkbenchError {
  const name = target === address ? '' : ` (${visibleText(target)})`;
  return new WorkbenchError({
    code: 'contract-missing',
    kind: 'failed',
    message: `There is no contract at ${address}${name} on ${network}.`,
    hint: 'Deploy it first, or check the address and the network.',
    details: { address },
  });
}

/** The outcome of a trace, in the form that expectations are about. */
export function sentOutcome(trace: TraceContext): SentOutcome {
  const { nodes } = trace.model;
  const gasUsed = nodes.reduce(
    (sum, { transaction }) => sum + BigInt(transaction?.description?.compute_ph?.gas_used ?? 0),
    0n,
  );
  return { trace, gasUsed, ...exitOf(trace) };
}

function exitOf(trace: TraceContext): Pick<SentOutcome, 'exitCode' | 'exitPhase' | 'exitName'> {
  const cause = causeOf(trace.model);
  if (cause === undefined) {
    return { exitCode: trace.model.nodes.some(({ outcome }) => outcome === 'unknown') ? null : 0 };
  }
  const { code, phase } = codeOf(cause);
  const name =
    code === null || isSuccessCode(code)
      ? undefined
      : explainExitCode(code, phase, trace.exitSource(cause.account))?.name;
  return { exitCode: code, exitPhase: phase, ...(name === undefined ? {} : { exitName: name }) };
}

/** The exit code of the phase that failed; null if it has none. Code whose actions were left out has ended well. */
function codeOf({ transaction, outcome }: TraceNode): { code: number | null; phase: 'compute' | 'action' } {
  const { compute_ph: compute, action } = transaction?.description ?? {};
  return computeSucceeded(compute) === false || outcome === 'partial'
    ? { code: compute?.exit_code ?? null, phase: 'compute' }
    : { code: action?.success === false ? (action.result_code ?? null) : null, phase: 'action' };
}
