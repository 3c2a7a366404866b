import path from 'node:path';
import type { Command } from 'commander';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Replay } from '../toolkit/replay/runReplay';
import type { TestRunner } from '../toolkit/testRuns/testRunner';
import type { TestStyle } from '../toolkit/testRuns/testStyle';
import type { KeptTest } from '../toolkit/workflows/keepTest';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions, addSourceOption, replayedWords, takesLinks } from './networkHere';
import { writeJsonLine, writeText } from './output';
import { stopSignal } from './runTests';
import { pathHere, surroundings } from './surroundings';

/** What can be written. */
const forms = ['sheet', 'jest', 'vitest', 'mocha', 'node'] as const;

/** How a runner that is not the project's own runs a file. */
const runners: Readonly<Record<TestRunner, string>> = {
  jest: 'npx jest',
  vitest: 'npx vitest run',
  mocha: 'npx mocha',
  node: 'node --test',
};

interface KeepOptions extends NetworkOptions {
  json?: true;
  as?: (typeof forms)[number];
  exit: number;
  out?: string;
  source?: string;
}

/** `keep HASH|FILE`: writes a transaction as a test that fails until the source is mended. */
export function registerKeepCommand(program: Command): void {
  const command = program
    .command('keep')
    .summary('keep a failed transaction as a test')
    .description(
      'Writes a test that runs a transaction again with the code that its source has then, on the state that it met, ' +
        'which is a file beside the test. It fails today, passes once the source is mended, and needs no network. ' +
        'It is a test of @ton/sandbox if the project has such tests, else a call sheet. Nothing is overwritten.',
    )
    .addArgument(new Argument('<what>', replayedWords))
    .addOption(new Option('--as <form>', 'what to write; by default what the project has').choices(forms))
    .option('--exit <code>', 'the exit code that is right, if it should fail', parseExit, 0)
    .option('--out <folder>', 'where to write; by default the folder kept among the tests');
  addJsonOptions(
    command,
    'print one JSON line',
    async () => (await import('./doctorAnswer')).keepAnswerSchema,
  );
  takesLinks(addNetworkOptions(addSourceOption(command))).action(keep);
}

async function keep(what: string, options: KeepOptions): Promise<void> {
  const [{ openReplayer }, { keepTest }, { readContract }, { describeTrace }, project, { engineHere }] =
    await Promise.all([
      import('./openReplayer'),
      import('../toolkit/workflows/keepTest'),
      import('./readContract'),
      import('../toolkit/workflows/describeTrace'),
      import('./projectWith'),
      import('./openRecord'),
    ]);
  const { folder } = surroundings();
  const replayer = await openReplayer(options);
  const gathered = await replayer.inputs(what);
  const { inputs } = gathered;
  const source = pathHere(
    options.source ?? (await sourceOf(what, (await replayer.run(gathered, [])).replay)),
  );
  const { root, style, projectRunner } = await placeOf(source, options.as);
  const inRoot = (file: string): string => path.relative(root, file).replaceAll('\\', '/');
  const built = await readContract(source);
  const kept = await keepTest({
    ...{ inputs, style, exit: options.exit, source: inRoot(source), signal: stopSignal() },
    built,
    ...(options.out === undefined ? {} : { folder: inRoot(pathHere(options.out)) }),
    emulator: await engineHere(),
    describe: (model) =>
      describeTrace(model, { contracts: (hashes) => project.compiledProject(folder, hashes) }),
  });
  await writeFiles(root, kept);
  const files = kept.files.map((one) =>
    path.relative(folder, path.join(root, one.path)).replaceAll('\\', '/'),
  );
  const isForeign = style !== undefined && style.runner !== projectRunner;
  const run = `${isForeign ? runners[style.runner] : `ton-workbench ${style === undefined ? 'run' : 'test'}`} ${files[0]}`;
  const { was, today } = kept;
  if (options.json === true) {
    writeJsonLine({ as: style?.runner ?? 'sheet', files, was, today, expected: options.exit, run });
    return;
  }
  writeText(
    [
      `Kept as ${files.join(' and ')}.`,
      `It fails today: ${today}, expected ${options.exit === 0 ? 'success' : `exit code ${options.exit}`}. ${isForeign ? `The project's own tests run with ${projectRunner}; run this one with:` : 'Run it with:'}`,
      `  ${run}`,
    ].join('\n'),
  );
}

/** @throws WorkbenchError `keep-impossible` (input) if the project has no source of the code that ran */
async function sourceOf(what: string, replay: Replay): Promise<string> {
  const [{ replayedCode }, { sourceOfCode }, { isRecordingName }, { keepImpossibleError }] =
    await Promise.all([
      import('../toolkit/replay/replayedCode'),
      import('./sourceOfCode'),
      import('./openRecord'),
      import('../toolkit/testRuns/keptTestText'),
    ]);
  // The tests of a project run its compilers anyway.
  const source = await sourceOfCode(replayedCode(replay), isRecordingName(what));
  if (source === undefined) {
    throw keepImpossibleError(
      'No source in this project is known to be that of the code that ran.',
      'Name it: --source contracts/counter.fc.',
    );
  }
  return source;
}

/** Where the project is, and how its tests are written; without a style for a call sheet. */
async function placeOf(
  source: string,
  as: KeepOptions['as'],
): Promise<{ root: string; style: TestStyle | undefined; projectRunner?: TestRunner }> {
  const [{ testStyleAround }, { projectPlace }, { keepImpossibleError }] = await Promise.all([
    import('../toolkit/testRuns/testStyle'),
    import('./projectWith'),
    import('../toolkit/testRuns/keptTestText'),
  ]);
  const found = as === 'sheet' ? undefined : testStyleAround(source, as, surroundings().root);
  if (found === undefined && as !== undefined && as !== 'sheet') {
    throw keepImpossibleError('The project does not have @ton/sandbox.', 'Add --as sheet for a call sheet.');
  }
  return found ?? { root: await projectPlace(path.dirname(source)), style: undefined };
}

/** @throws WorkbenchError `report-unwritable` (input), also if one of them is there */
async function writeFiles(root: string, { files }: KeptTest): Promise<void> {
  const [{ writeNewFiles }, { unwritableError }] = await Promise.all([
    import('../toolkit/base/writeUserFile'),
    import('./writeWholeFile'),
  ]);
  try {
    await writeNewFiles(root, files);
  } catch (cause) {
    const { path: file = root, code } = cause as NodeJS.ErrnoException;
    const name = path.relative(root, file).replaceAll('\\', '/');
    if (code === 'EEXIST') {
      const { keepImpossibleError } = await import('../toolkit/testRuns/keptTestText');
      throw keepImpossibleError(
        `${name} exists already: it is kept, and nothing was written.`,
        'Remove it to keep it anew, or name another folder with --out.',
      );
    }
    throw unwritableError('test', name, cause);
  }
}

function parseExit(text: string): number {
  if (!/^-?\d{1,10}$/.test(text)) {
    throw new InvalidArgumentError('This is an exit code, such as 401.');
  }
  return Number(text);
}
