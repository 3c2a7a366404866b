import type { Command } from 'commander';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import type { GasComparison } from '../toolkit/gas/compareGas';
import type { Recording } from '../toolkit/recording/recording';
import type { Replay } from '../toolkit/replay/runReplay';
import type { MappedSteps } from '../toolkit/sourceMap/mapSteps';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions, addSourceOption, replayedWords, takesLinks } from './networkHere';
import { writeJsonLine, writeNote, writeText } from './output';

interface ProfileOptions extends NetworkOptions {
  json?: true;
  cpuprofile?: string;
  baseline?: string;
  saveBaseline?: string;
  source?: string;
}

/** `profile HASH|FILE`: where the gas of a transaction went. */
export function registerProfileCommand(program: Command): void {
  const command = program
    .command('profile')
    .summary('show which source lines a transaction spent its gas on')
    .description(
      'Replays a transaction and adds up its gas by function and by source line. The source is found in the project ' +
        'around the working folder by the hash of the code. Code without a source is listed by instruction.',
    )
    .argument('<what>', replayedWords)
    .option('--cpuprofile <file>', 'write it for viewers of profiles, such as that of VS Code (*.cpuprofile)')
    .option('--baseline <file>', 'compare it line by line with this gas-baseline.json')
    .option('--save-baseline <file>', 'write its lines into this gas-baseline.json; other entries stay');
  addJsonOptions(
    command,
    'print the profile as one JSON line',
    async () => (await import('./lineAnswers')).profileAnswerSchema,
  );
  takesLinks(addNetworkOptions(addSourceOption(command))).action(
    async (what: string, options: ProfileOptions) => {
      await profile(what, options);
    },
  );
}

async function profile(what: string, options: ProfileOptions): Promise<void> {
  const [{ openReplayer }, { runWithLines, shownFile }] = await Promise.all([
    import('./openReplayer'),
    import('./linesHere'),
  ]);
  const replayer = await openReplayer(options);
  const {
    steps: lines,
    notes,
    recording,
    deployed,
    replay,
  } = await runWithLines(replayer, what, options.source);
  notes.forEach(writeNote);
  if (recording === undefined) {
    const { WorkbenchError } = await import('../toolkit/base/errors');
    throw new WorkbenchError({
      code: 'profile-empty',
      kind: 'failed',
      message: 'The transaction ran no code, so it used no gas.',
      hint: 'ton-workbench replay says why it was skipped.',
    });
  }
  const steps = lines ?? (await instructionsOf(recording, deployed));
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
  const comparison = await compareWithBaseline(options, replay, lines);
  if (options.json === true) {
    const { profileAnswer } = await import('./lineAnswers');
    writeJsonLine(profileAnswer(found, comparison));
  } else {
    writeText(profileText(found, shownFile, lines === undefined ? 'instruction' : 'line'));
    if (comparison.comparison != null) {
      const { gasComparisonText } = await import('../toolkit/gas/gasComparisonText');
      writeText(`\ncompared with the baseline: ${gasComparisonText(comparison.comparison)}`);
    }
  }
}

/** For code whose source is not known here. */
async function instructionsOf(recording: Recording, deployed: DeployedCode): Promise<MappedSteps> {
  const [{ instructionSteps }, { knownMethodName }] = await Promise.all([
    import('../toolkit/sourceMap/instructionMap'),
    import('../toolkit/getMethods/knownMethodName'),
  ]);
  return instructionSteps(recording, { ...deployed, methodName: knownMethodName });
}

/** Compares a run with a baseline, and saves it in one, as the options say. A comparison that has no lines is null. */
async function compareWithBaseline(
  { baseline, saveBaseline }: ProfileOptions,
  replay: Replay | undefined,
  steps: MappedSteps | undefined,
): Promise<{ comparison?: GasComparison | null }> {
  if (baseline === undefined && saveBaseline === undefined) {
    return {};
  }
  const [{ baselineKey, readBaselineFile }, { gasByLine }, { measureRun }, { shownFile }] = await Promise.all(
    [
      import('./gasBaselineHere'),
      import('../toolkit/gas/gasByLine'),
      import('../toolkit/gas/gasReport'),
      import('./linesHere'),
    ],
  );
  const known = baseline === undefined ? undefined : await readBaselineFile(baseline, false);
  const key = steps && replay && (await baselineKey(replay));
  if (steps === undefined || key === undefined) {
    writeNote(
      steps === undefined
        ? 'This run is not in the baseline, which counts by source line.'
        : 'This run is not in a baseline: it failed, or its message has no name here.',
    );
    return baseline === undefined ? {} : { comparison: null };
  }
  const gas = gasByLine(measureRun(steps).profile, shownFile);
  if (saveBaseline !== undefined) {
    const [{ mergeBaseline, printBaseline }, { writeWholeFile }] = await Promise.all([
      import('../toolkit/gas/gasBaseline'),
      import('./writeWholeFile'),
    ]);
    const merged = mergeBaseline(await readBaselineFile(saveBaseline, true), new Map([[key, gas]]));
    await writeWholeFile('baseline', saveBaseline, printBaseline(merged));
    writeNote(`Saved ${key} in ${saveBaseline}.`);
  }
  const before = known?.get(key);
  if (known === undefined) {
    return {};
  }
  if (typeof before !== 'object') {
    writeNote(`${baseline} has no lines of ${key}.`);
    return { comparison: null };
  }
  const { compareGas } = await import('../toolkit/gas/compareGas');
  return { comparison: compareGas(before, gas) };
}
