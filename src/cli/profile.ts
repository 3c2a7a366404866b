import type { Command } from 'commander';
import { addNetworkOptions } from './network';
import type { NetworkOptions } from './network';
import { writeJsonLine, writeNote, writeText } from './output';

interface ProfileOptions extends NetworkOptions {
  json?: true;
  cpuprofile?: string;
  source?: string;
}

/** `profile HASH|FILE`: where the gas of a transaction went. */
export function registerProfileCommand(program: Command): void {
  const command = program
    .command('profile')
    .summary('show which source lines a transaction spent its gas on')
    .description(
      'Replays a transaction and adds up its gas by function and by source line. The source is found in the project ' +
        'around the working folder by the hash of the code. The gas of all lines and of what has no line is the gas ' +
        'that the transaction used.',
    )
    .argument('<what>', 'the hash of a transaction or of the message that caused it, or a saved replay')
    .option('--json', 'print the profile as one JSON line')
    .option('--cpuprofile <file>', 'write it for viewers of profiles, such as that of VS Code (*.cpuprofile)')
    .option(
      '--source <file>',
      "the source of the code; FunC and Tact are compiled by their project's compiler only if named here",
    );
  addNetworkOptions(command).action(async (what: string, options: ProfileOptions) => {
    await profile(what, options);
  });
}

async function profile(what: string, options: ProfileOptions): Promise<void> {
  const [{ openReplayer }, { runWithLines, shownFile }] = await Promise.all([
    import('./openReplayer'),
    import('./linesHere'),
  ]);
  const replayer = await openReplayer(options);
  const { steps, notes } = await runWithLines(replayer, what, options.source);
  notes.forEach(writeNote);
  if (steps === undefined) {
    const { WorkbenchError } = await import('../toolkit/errors');
    throw new WorkbenchError({
      code: 'source-map-missing',
      kind: 'failed',
      message: 'The code that ran has no source lines here.',
      hint: 'Run it in the folder of the project, or give the source with --source.',
    });
  }
  const [{ profileOf }, { profileText }] = await Promise.all([
    import('../toolkit/sourceMap/profileOf'),
    import('../toolkit/sourceMap/profileText'),
  ]);
  const found = profileOf([steps]);
  if (options.cpuprofile !== undefined) {
    const [{ cpuProfile }, { writeWholeFile }] = await Promise.all([
      import('../toolkit/sourceMap/cpuProfile'),
      import('./writeWholeFile'),
    ]);
    await writeWholeFile('profile', options.cpuprofile, JSON.stringify(cpuProfile(steps)));
  }
  if (options.json === true) {
    const named = <T extends { file: string }>(one: T): T => ({ ...one, file: shownFile(one.file) });
    writeJsonLine({ ...found, functions: found.functions.map(named), lines: found.lines.map(named) });
  } else {
    writeText(profileText(found, shownFile));
  }
}
