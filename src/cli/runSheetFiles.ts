import type { Network } from '../toolkit/access/network';
import { isReservedName } from '../toolkit/access/resolveNetwork';
import type { CallSheet } from '../toolkit/callSheet/callSheet';
import type { JunitSuite } from '../toolkit/callSheet/junitReport';
import { parseCallSheet } from '../toolkit/callSheet/parseCallSheet';
import { WorkbenchError, toWorkbenchError } from '../toolkit/base/errors';
import { exitFact, gasFact, isSuccess } from '../toolkit/getMethods/getMethodResult';
import { groupDigits, visibleText } from '../toolkit/base/text';
import { factsLine } from '../toolkit/trace/traceText';
import { runCallSheet } from '../toolkit/workflows/runCallSheet';
import type { RunCallSheetOptions, SheetNetwork, StepOutcome } from '../toolkit/workflows/sheetRunTypes';
import { ownWalletName, scenarioCases, stepSummary } from '../toolkit/workflows/sheetRunTypes';
import { namedOnLocal } from './reachedAccountNames';
import type { NetworkOptions } from './networkOptions';
import { isWithin, openAccess, originsOf, originsText, readApiKey } from './networkOptions';
import { networkHere, ownNetworksFor } from './networkHere';
import { recordedNames } from './deployedHere';
import type { PlanOptions } from './planHere';
import { writeJsonLine, writeNote, writeText } from './output';
import { readTypesFile } from './readGivenFile';
import { stepAnswer } from './runAnswers';
import { stopSignal } from './runTests';
import { readSheet, sheetKnowledge, withPlace } from './sheetKnowledge';
import { SheetProject } from './sheetProject';
import { checkReportFile, writeReport } from './writeReport';

interface SheetOptions extends NetworkOptions {
  json?: true;
  /** A file that declares get-methods (`--types`). */
  types?: string;
  /** The file to write a JUnit XML report to. */
  junit?: string;
  /** Whether `--network` was given, which overrides all networks in the sheet. */
  isNetworkGiven: boolean;
  /** The user's own wallet signs; without `sign`, the messages are only drawn. */
  plan?: PlanOptions;
}

/**
 * Runs *.toncall files one after another: a line per step, then the count. Fails with the first error, after all of
 * them have run.
 */
export async function runSheetFiles(files: readonly string[], options: SheetOptions): Promise<void> {
  if (options.junit !== undefined) {
    await checkReportFile(options.junit);
  }
  const declared = options.types === undefined ? [] : await readTypesFile(options.types);
  const run = new SheetFilesRun(options, new SheetNetworks(options), stopSignal());
  const errors: unknown[] = [];
  try {
    for (const file of files) {
      await run.file(file, new SheetProject(file, declared)).catch((error: unknown) => {
        if (WorkbenchError.is(error, 'aborted')) {
          throw error;
        }
        errors.push(error);
      });
    }
  } finally {
    if (options.junit !== undefined) {
      await writeReport(options.junit, run.suites);
    }
  }
  if (errors.length > 0) {
    throw errors[0];
  }
}

class SheetFilesRun {
  readonly suites: JunitSuite[] = [];

  constructor(
    private readonly options: SheetOptions,
    private readonly networks: SheetNetworks,
    private readonly signal: AbortSignal,
  ) {}

  async file(file: string, project: SheetProject): Promise<void> {
    const at = new Date();
    const outcomes: StepOutcome[] = [];
    let sheet: CallSheet | undefined;
    let text = '';
    try {
      text = await readSheet(file);
      sheet = parseCallSheet(text);
      if (sheet.steps.length === 0 && sheet.problems.length === 0) {
        throw new WorkbenchError({
          code: 'sheet-empty',
          kind: 'input',
          message: `${file} has no calls.`,
          hint: 'A call is a line such as: alice seqno()',
        });
      }
      await this.#run(file, text, sheet, project, outcomes);
      this.suites.push({ name: file, at, cases: scenarioCases(sheet.steps, outcomes) });
    } catch (thrown) {
      const error = toWorkbenchError(withPlace(thrown, file, text));
      const done = sheet === undefined ? [] : scenarioCases(sheet.steps, outcomes);
      const { code, message } = error;
      this.suites.push({
        name: file,
        at,
        cases: [...done, { name: 'the sheet', elapsedMs: 0, error: { code, message } }],
      });
      throw error;
    }
    failFor(outcomes, file, text);
  }

  async #run(
    file: string,
    text: string,
    sheet: CallSheet,
    project: SheetProject,
    outcomes: StepOutcome[],
  ): Promise<void> {
    const { signal } = this;
    const { json } = this.options;
    const options: RunCallSheetOptions = {
      network: (name) => this.networks.open(name, file),
      ...sheetKnowledge(file, project, signal),
    };
    const planned = this.options.plan && (await drawHere(this.options.plan, file, sheet, options));
    if (planned === 'drawn') {
      return;
    }
    await runCallSheet(sheet, {
      ...options,
      ...planned,
      onOutcome: (outcome) => {
        outcomes.push(outcome);
        if (json) {
          writeJsonLine(stepAnswer(outcome));
        } else {
          writeText(stepLines(outcome, sheet, file, text));
        }
      },
    });
    if (!json) {
      writeText(countsText(sheet, outcomes));
    }
  }
}

/** Draws what the user's own wallet signs; what to run then, if it is to be carried out. */
async function drawHere(
  given: PlanOptions,
  file: string,
  sheet: CallSheet,
  options: RunCallSheetOptions,
): Promise<'drawn' | RunCallSheetOptions> {
  const [{ planHere }, { drawPlan }, { planAnswer, planText }, { initCell }, { isSending }] =
    await Promise.all([
      import('./planHere'),
      import('../toolkit/workflows/drawPlan'),
      import('./planAnswer'),
      import('../toolkit/send/messageRequest'),
      import('../toolkit/workflows/checkWholeSheet'),
    ]);
  const { signal = new AbortController().signal, messages } = options;
  const isDrawn = given.sign === undefined;
  const { plan, withWallet, begin } = await planHere(sheet, file, { options: given, isDrawn, signal });
  const opened = new Map<string | undefined, Promise<SheetNetwork>>();
  const network = (name: string | undefined): Promise<SheetNetwork> => {
    const known = opened.get(name) ?? options.network(name).then(withWallet);
    opened.set(name, known);
    return known;
  };
  const whole: RunCallSheetOptions = { ...options, network, messages: messages && { ...messages, plan } };
  if (!isDrawn) {
    const names = new Set(sheet.steps.filter(isSending).map((step) => (step.network ?? sheet.network)?.text));
    begin(await Promise.all([...names].map(network)));
  }
  const drawn = await drawPlan(sheet, plan, whole).catch(withWalletHint);
  if (given.json === true) {
    writeJsonLine(
      planAnswer(drawn, (message) => initCell({ init: message.init })?.toBoc().toString('base64')),
    );
  } else if (drawn.length === 0) {
    writeNote(
      `${file} has no message for your own wallet: a local network signs itself, with ton-workbench run.`,
    );
  } else {
    writeText(`${planText(drawn, file)}\n`);
  }
  return isDrawn ? 'drawn' : whole;
}

/** The name of the user's own wallet means nothing before its address is known. */
function withWalletHint(error: unknown): never {
  if (WorkbenchError.is(error, 'call-sheet-invalid') && error.message.includes(`“${ownWalletName}”`)) {
    const { code, kind, message, details } = error;
    const hint = `${ownWalletName} is your own wallet, once its address is known: add --from ADDRESS, or --sign connect.`;
    throw new WorkbenchError({ code, kind, message, hint, details, cause: error });
  }
  throw error;
}

/** A step; the title of a scenario of several steps is a line of its own above its first one. */
function stepLines(outcome: StepOutcome, { steps }: CallSheet, file: string, text: string): string {
  const { step, passed } = outcome;
  const own = steps.filter(({ scenario }) => scenario === step.scenario);
  const place = passed ? '' : `  ${file}:${step.lineNumber}`;
  if (own.length === 1 || step.scenarioTitle === undefined) {
    return stepText(outcome, step.title, place);
  }
  const [line = ''] = text.slice(step.offset).split(/\r\n|\n|\r/, 1);
  const lines = stepText(outcome, line.trim(), place).replace(/^/gm, '  ');
  return step === own[0] ? `${visibleText(step.scenarioTitle)}\n${lines}` : lines;
}

/** The steps, and if there are fewer scenarios, those as the report counts them. */
function countsText({ steps }: CallSheet, outcomes: readonly StepOutcome[]): string {
  const count = (some: readonly { passed: boolean; isSkipped?: boolean | undefined }[]): string => {
    const skipped = some.filter(({ isSkipped }) => isSkipped === true).length;
    const passed = some.filter((one) => one.passed).length;
    const failed = `${some.length - skipped - passed} failed`;
    return [`${passed} passed`, failed, ...(skipped === 0 ? [] : [`${skipped} skipped`])].join(', ');
  };
  const cases = scenarioCases(steps, outcomes);
  const before = outcomes.filter(({ wasDone }) => wasDone === true).length;
  const note = before === 0 ? '' : `; ${before} done before, and not checked again`;
  if (cases.length === outcomes.length) {
    return count(outcomes) + note;
  }
  const scenarios = cases.map(({ failures = [], error, isSkipped }) => ({
    passed: isSkipped !== true && error === undefined && failures.length === 0,
    isSkipped,
  }));
  return `steps: ${count(outcomes)}${note}\nscenarios: ${count(scenarios)}`;
}

/** The networks of all sheets of a run, each opened once. */
class SheetNetworks {
  readonly #opened = new Map<string, Promise<SheetNetwork>>();

  constructor(private readonly options: SheetOptions) {}

  open(name: string | undefined, file: string): Promise<SheetNetwork> {
    const { isNetworkGiven, network } = this.options;
    const wanted = isNetworkGiven ? network : (name ?? network);
    const opened = this.#opened.get(wanted) ?? openNetwork(wanted, file, this.options);
    this.#opened.set(wanted, opened);
    return opened;
  }
}

/** @throws WorkbenchError the first error of a step, else `expectation-failed` */
function failFor(outcomes: readonly StepOutcome[], file: string, text: string): void {
  const failed = outcomes.filter(({ passed }) => !passed);
  const error = failed.find((outcome) => outcome.error !== undefined && outcome.isSkipped !== true)?.error;
  if (error !== undefined) {
    throw withPlace(error, file, text);
  }
  const [first] = failed;
  if (first !== undefined) {
    const { title } = first.step;
    throw new WorkbenchError({
      code: 'expectation-failed',
      kind: 'failed',
      message: `${failed.length} of ${outcomes.length} steps failed, first “${visibleText(title)}”: ${first.failures[0]}`,
    });
  }
}

async function openNetwork(name: string, file: string, options: SheetOptions): Promise<SheetNetwork> {
  const { network, preferredApi } = networkHere(name);
  const chosen = networkHere(options.network).network;
  if (!isWithin(network, originsOf(chosen))) {
    await tellForeignNetwork(network, chosen, file, options);
  }
  const [access, { accounts, wallets }] = await Promise.all([
    openAccess(network, options, chosen),
    network.kind === 'local'
      ? namedOnLocal(network)
      : recordedNames(network).then((accounts) => ({ accounts, wallets: [] })),
  ]);
  return { access, accounts, wallets, preferredApi };
}

/**
 * A sheet may come from anywhere, so its network is announced before the first request, and gets no API key.
 */
async function tellForeignNetwork(
  network: Network,
  chosen: Network,
  file: string,
  { apiKeyFile }: SheetOptions,
): Promise<void> {
  const isConfigured =
    isReservedName(network.name) || ownNetworksFor(network.name).some(({ name }) => name === network.name);
  const hasKey = (await readApiKey(chosen, apiKeyFile)) !== undefined;
  if (isConfigured && !hasKey) {
    return;
  }
  const place = originsText(network);
  writeNote(
    [
      `${file} asks for calls on ${place}${isConfigured ? '' : ', which is not a configured network'}.`,
      ...(hasKey
        ? [`The API key is for ${chosen.name} and is not sent there; use --network to choose a network.`]
        : []),
    ].join(' '),
  );
}

/**
 * @param words what the step does
 * @param place of the failed step
 */
function stepText(outcome: StepOutcome, words: string, place: string): string {
  const { passed, isSkipped, result, sent, failures } = outcome;
  const facts =
    result !== undefined
      ? `  ${exitFact(result)}${isSuccess(result) ? '' : ` ${visibleText(result.exitMeaning)}`}, ${gasFact(result)}, ${Math.round(result.elapsedMs)} ms`
      : outcome.wasDone === true
        ? `  ${stepSummary(outcome)}`
        : sent !== undefined
          ? `  ${stepSummary(outcome)}, gas ${groupDigits(sent.gasUsed)}, ${factsLine(sent.trace)}`
          : outcome.deployed !== undefined
            ? `  ${stepSummary(outcome)}`
            : '';
  return [
    `${passed ? '✓' : isSkipped === true ? '-' : '✗'} ${visibleText(words)}${facts}${place}`,
    ...failures.map((failure) => `    ${visibleText(failure)}`),
  ].join('\n');
}
