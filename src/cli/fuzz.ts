import { randomInt } from 'node:crypto';
import path from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { WorkbenchError } from '../toolkit/base/errors';

import type { FuzzedSheet } from '../toolkit/workflows/fuzzSheet';
import { parseCodes, parseMost } from './explore';
import { addJsonOptions } from './networkHere';
import { openAccess } from './networkOptions';
import { usageError, writeJsonLine, writeNote, writeText } from './output';
import { isCallSheet } from './run';
import { stopSignal } from './runTests';
import type { SheetProject } from './sheetProject';
import { pathHere, surroundings } from './surroundings';

interface FuzzOptions {
  json?: true;
  runs: number;
  length: number;
  seconds: number;
  seed?: number;
  keep?: string;
  accept?: number[];
}

/** Milliseconds between two notes of how far it is. */
const noteMs = 5_000;

/** `fuzz FILE [METHOD]`: random messages and calls, with values by the types in the source. */
export function registerFuzzCommand(program: Command): void {
  const command = program
    .command('fuzz')
    .summary('send random messages to a contract until something breaks')
    .description(
      'Sends random messages to a contract, and calls its get-methods, with values by the types in its source, on a ' +
        'local network of its own. Ends at an exit code that the source does not name, at coins that do not add up, or ' +
        'at a broken expectation of the sheet, and shortens the lines that lead to it.\n\n' +
        'A sheet deploys the contracts and says what must hold after each message: the expectations of answers at the ' +
        'end of its last scenario. A source is deployed with zeros, and alice as every address.',
    )
    .argument('<file>', 'a *.toncall file, or the source or build of a contract')
    .argument('[method]', 'the name of one message or get-method, such as Take or Pot.Take; default: all')
    .option('--runs <number>', 'maximum random sequences', parseMost, 500)
    .option('--length <number>', 'maximum messages and calls in one', parseMost, 8)
    .option('--seconds <number>', 'maximum seconds', parseMost, 60)
    .option('--seed <number>', 'repeats a run: the number that it printed', parseSeed)
    .option('--keep <file>', 'write what was found as a sheet, and its transaction as *.tonreplay')
    .option('--accept <codes>', 'exit codes that are as good as named, such as 4,5', parseCodes);
  addJsonOptions(command, 'print one JSON line', async () => (await import('./fuzzAnswer')).fuzzAnswerSchema);
  command.action(fuzz);
}

async function fuzz(file: string, method: string | undefined, options: FuzzOptions): Promise<void> {
  checkKeep(file, options.keep);
  const [{ fuzzSheet }, { parseCallSheet }, { SheetProject: Project }, knowledge, { namedOnLocal }] =
    await Promise.all([
      import('../toolkit/workflows/fuzzSheet'),
      import('../toolkit/callSheet/parseCallSheet'),
      import('./sheetProject'),
      import('./sheetKnowledge'),
      import('./reachedAccountNames'),
    ]);
  const project = new Project(file, []);
  const text = isCallSheet(file) ? await knowledge.readSheet(file) : await sheetOfContract(file, project);
  const signal = stopSignal();
  const { clock } = surroundings();
  let noted = clock.monotonic();
  let fuzzed: FuzzedSheet;
  try {
    fuzzed = await fuzzSheet(parseCallSheet(text), {
      ...knowledge.sheetKnowledge(file, project, signal),
      open: async (network) => {
        const { accounts, wallets } = await namedOnLocal(network);
        return { access: await openAccess(network, {}), accounts, wallets };
      },
      ...{ clock, runs: options.runs, length: options.length, seconds: options.seconds, target: method },
      ...{ seed: options.seed ?? randomInt(2 ** 31), accepted: new Set(options.accept ?? []) },
      onRun: (runs, isShortening) => {
        if (clock.monotonic() - noted >= noteMs) {
          noted = clock.monotonic();
          writeNote(isShortening ? 'Something broke; shortening it…' : `${runs} of ${options.runs} runs…`);
        }
      },
    });
  } catch (error) {
    throw knowledge.withPlace(error, file, text);
  }
  const { fuzzAnswer, fuzzText, fuzzFaultError } = await import('./fuzzAnswer');
  if (options.json === true) {
    writeJsonLine(fuzzAnswer(fuzzed));
  } else {
    writeText(fuzzText(fuzzed, file));
  }
  const { finding } = fuzzed;
  if (finding !== undefined) {
    await keep(fuzzed, text, options.keep);
    throw fuzzFaultError(fuzzed, finding, { file, kept: options.keep });
  }
}

/** A sheet that deploys the contract with harmless data. */
async function sheetOfContract(file: string, project: SheetProject): Promise<string> {
  const { exampleSteps } = await import('../toolkit/callSheet/exampleSteps');
  const messages = project.messages();
  const name = path.basename(file);
  const { built, contract } = await messages.build(name);
  const own = { name: built.name, methods: [], ...contract, file: contract?.file ?? name };
  const [, , deploy = ''] = exampleSteps(own, name, await messages.layouts(), 'alice');
  if (deploy.startsWith('#')) {
    throw new WorkbenchError({
      code: 'fuzz-nothing-deployed',
      kind: 'input',
      message: `The initial data of ${built.name} cannot be made up.`,
      hint: `Write it in a call sheet, and fuzz that: ${deploy.replace(/^# fill in: /, '')}`,
    });
  }
  return `@network local\n@restore\n\n### ${built.name} under random messages\n${deploy}\n`;
}

async function keep({ finding, place }: FuzzedSheet, text: string, file: string | undefined): Promise<void> {
  if (file === undefined || finding === undefined) {
    return;
  }
  const [{ writeWholeFile }, { keptSheet }, { replayFileText }] = await Promise.all([
    import('./writeWholeFile'),
    import('../toolkit/workflows/keptSheet'),
    import('../toolkit/replay/replayFile'),
  ]);
  await writeWholeFile('sheet', file, keptSheet(text, place, finding));
  if (finding.replay !== undefined) {
    const replay = file.replace(/\.toncall$/, '.tonreplay');
    await writeWholeFile('replay', replay, replayFileText(finding.replay));
    writeNote(`${replay} has the last transaction: ton-workbench replay ${replay}`);
  }
}

/** The files that a sheet names are beside it. */
function checkKeep(file: string, keep: string | undefined): void {
  if (keep === undefined) {
    return;
  }
  if (!isCallSheet(keep)) {
    throw usageError(`--keep ${JSON.stringify(keep)} is not the name of a sheet.`, 'Give a *.toncall file.');
  }
  if (path.dirname(pathHere(keep)) !== path.dirname(pathHere(file))) {
    throw usageError(
      `--keep ${JSON.stringify(keep)} is in another folder than ${file}.`,
      'Give a file beside it: a sheet names its files from its own folder.',
    );
  }
}

function parseSeed(text: string): number {
  if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) >= 2 ** 31) {
    throw new InvalidArgumentError('This is a whole number of at most 31 bits.');
  }
  return Number(text);
}
