import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { WorkbenchError, toWorkbenchError } from '../toolkit/base/errors';
import { registerAccountCommand } from './account';
import { registerApiCommand } from './api';
import { registerBocCommand } from './boc';
import { registerCompletionCommand } from './completion';
import { registerConfigCommand } from './config';
import { registerCoverageCommand } from './coverage';
import { registerDebugCommand } from './debug';
import { registerDeployCommand } from './deploy';
import { registerDoctorCommand } from './doctor';
import { registerFaucetCommand } from './faucet';
import { registerExploreCommand } from './explore';
import { writeProblem } from './fileError';
import { registerFuzzCommand } from './fuzz';
import { registerKeepCommand } from './keep';
import { registerLocalnetCommand } from './localnet';
import { registerMcpCommand } from './mcp';
import { registerNetworksCommand, withLocalHint } from './networkOptions';
import { printJsonSchema } from './networkHere';
import { registerNewCommand } from './new';
import { exitStatusOf, writeError, writeText } from './output';
import { flushOutput, watchOutput } from './outputStreams';
import { registerPaymentsCommand } from './payments';
import { registerProfileCommand } from './profile';
import { registerQueryCommand } from './query';
import { registerReplayCommand } from './replay';
import { registerReportCommand } from './report';
import { registerPlanCommand } from './plan';
import { registerVerifyCommand } from './verify';
import { registerRunCommand } from './run';
import { stopSignalInUse } from './runTests';
import { registerSendCommand } from './send';
import type { Surroundings } from './surroundings';
import { ownStatus, runIn, surroundings } from './surroundings';
import { registerStreamCommand } from './stream';
import { registerTestCommand } from './test';
import { registerTraceCommand } from './trace';
import { registerWalletCommand } from './wallet';
import { registerWebhookCommand } from './webhook';

/**
 * Adds one command to the program. Command files import nothing heavy: their actions load the toolkit with `await
 * import(…)`, which keeps `--help` fast.
 */
type RegisterCommand = (program: Command) => void;

/** Every command, in the order of the help text. */
const commands: readonly RegisterCommand[] = [
  registerNewCommand,
  registerRunCommand,
  registerExploreCommand,
  registerFuzzCommand,
  registerPlanCommand,
  registerVerifyCommand,
  registerDeployCommand,
  registerAccountCommand,
  registerNetworksCommand,
  registerConfigCommand,
  registerApiCommand,
  registerLocalnetCommand,
  registerFaucetCommand,
  registerBocCommand,
  registerSendCommand,
  registerWebhookCommand,
  registerPaymentsCommand,
  registerWalletCommand,
  registerTraceCommand,
  registerStreamCommand,
  registerReplayCommand,
  registerProfileCommand,
  registerDebugCommand,
  registerQueryCommand,
  registerKeepCommand,
  registerCoverageCommand,
  registerTestCommand,
  registerReportCommand,
  (program) => registerMcpCommand(program, runCommandLine),
  registerDoctorCommand,
  registerCompletionCommand,
];

/**
 * Runs one command line (without node and script).
 *
 * @returns its exit status, which output.ts defines; undefined if it was stopped before all its output was read
 */
export function runCommandLine(args: readonly string[], place: Surroundings): Promise<number | undefined> {
  return runIn(place, async () => {
    const outputFailure = watchOutput();
    const status = await statusOf(args);
    const isWhole = await flushOutput(stopSignalInUse());
    const failure = outputFailure();
    if (failure !== undefined && status === 0) {
      const error = outputFailedError(failure);
      writeError(error, isForPeople(args));
      await flushOutput(stopSignalInUse());
      return exitStatusOf(error.kind);
    }
    return isWhole ? status : undefined;
  });
}

async function statusOf(args: readonly string[]): Promise<number> {
  try {
    const program = createProgram();
    if (!(await printJsonSchema(program, args))) {
      await program.parseAsync(keepNegativeNumbers(args), { from: 'user' });
    }
    return ownStatus();
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) {
      return 0;
    }
    const error = errorOf(thrown);
    writeError(withLocalHint(error), isForPeople(args));
    return exitStatusOf(error.kind);
  }
}

function isForPeople(args: readonly string[]): boolean {
  return surroundings().errors.isTTY === true && !args.includes('--json');
}

function outputFailedError(cause: NodeJS.ErrnoException): WorkbenchError {
  return new WorkbenchError({
    code: 'output-failed',
    kind: 'failed',
    message: `The output is not complete: ${writeProblem(cause)}.`,
    hint: 'The command may have done its work anyway. Make room, or write the output elsewhere.',
    cause,
  });
}

/** Converts anything thrown by a command line to an error for the user. */
export function errorOf(thrown: unknown): WorkbenchError {
  return thrown instanceof CommanderError ? usageError(thrown) : toWorkbenchError(thrown);
}

/** The program with all its commands. */
export function createProgram(): Command {
  const program = new Command('ton-workbench')
    .description(
      'Get-methods, traces, messages and payment webhooks of TON, on public networks or a local one.',
    )
    .version(version)
    .exitOverride()
    // Usage errors are printed as one JSON line like every other error.
    .configureOutput({ writeOut: writeText, writeErr: () => undefined })
    .showSuggestionAfterError()
    .usage('<command> [options]')
    .argument('[command]', 'one of the commands below')
    .allowExcessArguments()
    .action((name: string | undefined) => {
      throw commandMissingError(program, name);
    });
  for (const register of commands) {
    register(program);
  }
  // Applies to the program itself, whose own argument is the name of an unknown command.
  program.commands.forEach(refuseExcessArguments);
  return program;
}

/**
 * `-1` and `-0x2a` are values, never options. A leading space hides them from the option parser; stack text and
 * numbers ignore it.
 */
export function keepNegativeNumbers(args: readonly string[]): string[] {
  return args.map((arg) => (/^-\.?\d/.test(arg) ? ` ${arg}` : arg));
}

function refuseExcessArguments(command: Command): void {
  command.allowExcessArguments(false);
  command.commands.forEach(refuseExcessArguments);
}

function commandMissingError(program: Command, name: string | undefined): WorkbenchError {
  const close = program.commands
    .map((command) => command.name())
    .find((known) => name !== undefined && known.startsWith(name.slice(0, 3)));
  return new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: name === undefined ? 'A command is missing.' : `There is no command ${JSON.stringify(name)}.`,
    hint: `${close === undefined ? '' : `Did you mean ${close}? `}ton-workbench --help lists the commands.`,
  });
}

function usageError(error: CommanderError): WorkbenchError {
  if (error.code === 'commander.help') {
    return new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: 'A command is missing.',
      hint: 'Add --help to list the commands.',
      cause: error,
    });
  }
  const text = error.message
    .replace(/^error: /, '')
    // The space added by keepNegativeNumbers.
    .replace(/(argument ') (?=-\.?\d)/, '$1')
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
  return new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`,
    hint: 'Add --help to see what the command takes.',
    cause: error,
  });
}
