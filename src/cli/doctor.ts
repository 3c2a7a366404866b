import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { version } from '../../package.json';
import type { DiagnosedProject } from '../toolkit/workflows/diagnoseProject';
import { compileFile, mapFile } from './compileFile';
import { writeJsonLine, writeText } from './output';
import { pathHere, surroundings } from './surroundings';

/** The port on which `localnet` starts. */
const usualPort = 8081;

/** `doctor [FILE]`: why contracts, lenses, or lines are not there. */
export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('say what keeps contracts, names, or source lines from being found')
    .description(
      'Looks at the project around the working folder: its files, its compilers, whether its contracts compile, its ' +
        'build output, their source lines, and its local network. What causes the rest comes first, with the next step. ' +
        'The text can be copied into a report; it has no contents of files. Nothing is written, and no public network is ' +
        'asked.',
    )
    .argument('[file]', "a source; the project's own compiler may run on it, and it alone is compiled")
    .option('--json', 'print one JSON line')
    .action(async (file: string | undefined, options: { json?: true }) => {
      await doctor(file, options);
    });
}

async function doctor(file: string | undefined, { json }: { json?: true }): Promise<void> {
  const [{ diagnoseProject }, { diagnosisText }] = await Promise.all([
    import('../toolkit/workflows/diagnoseProject'),
    import('../toolkit/workflows/diagnosisText'),
  ]);
  const project = await projectHere(file);
  const findings = await diagnoseProject(project);
  const facts: [string, string][] = [
    ['TON Workbench', version],
    ['Node.js', process.version],
    ['system', `${process.platform} ${process.arch}`],
    ['folder', project.folder],
  ];
  if (json === true) {
    writeJsonLine({ findings, ...Object.fromEntries(facts) });
  } else {
    writeText(diagnosisText(findings, facts));
  }
}

/** The project around the working folder, or around a file, of which only that file is compiled. */
async function projectHere(file: string | undefined): Promise<DiagnosedProject> {
  const [{ projectFilesAround }, { readUserText }, { packageVersion }, tolk] = await Promise.all([
    import('./readProjectOf'),
    import('../toolkit/readUserFile'),
    import('../toolkit/build/projectCompiler'),
    import('@ton/tolk-js/package.json'),
  ]);
  const named = file === undefined ? undefined : pathHere(file);
  const { root, isProject, files, contracts } = await projectFilesAround(
    named === undefined ? surroundings().folder : path.dirname(named),
  );
  const at = (name: string): string => path.join(root, name);
  const isTrusted = (name: string): boolean => at(name) === named;
  const isOther = (name: string): boolean => named !== undefined && isSource(name) && !isTrusted(name);
  return {
    ...{ folder: root, isProject, contracts, ownTolk: tolk.version },
    files: files.filter((one) => !isOther(one.path)),
    read: (name) => {
      try {
        return readUserText(at(name), 'projectFileBytes');
      } catch {
        return undefined;
      }
    },
    modified: (name) => statSync(at(name), { throwIfNoEntry: false })?.mtimeMs,
    installed: (name, of) => packageVersion(at(name), of),
    mayRun: (name) =>
      isTrusted(name)
        ? true
        : `Name the file, and it runs: ton-workbench doctor ${path.relative(surroundings().folder, at(name)).replaceAll('\\', '/')}`,
    compile: (name) => compileFile(at(name), { isTrusted: isTrusted(name) }),
    map: (name) => mapFile(at(name), { isTrusted: isTrusted(name) }),
    ...(await networkFacts(root)),
    now: surroundings().clock.now(),
  };
}

function isSource(name: string): boolean {
  return /\.(?:tolk|fc|func|tact)$/.test(name);
}

/** The folder's local network, and who has the usual port. */
async function networkFacts(root: string): Promise<Pick<DiagnosedProject, 'network' | 'port'>> {
  const [{ findLocalNetwork, lastLocalNetwork }, { isListening }, { callControl }] = await Promise.all([
    import('../toolkit/localnet/folder/localNetworkFile'),
    import('../toolkit/isListening'),
    import('../toolkit/localnet/callControl'),
  ]);
  const answers = (origin: string): Promise<boolean> =>
    callControl(`${origin}/control`, 'status', {}, AbortSignal.timeout(2_000)).then(
      () => true,
      () => false,
    );
  const [running, last] = [findLocalNetwork(root), lastLocalNetwork(root)];
  const url = new URL((running ?? last)?.v2 ?? `http://127.0.0.1:${usualPort}`).origin;
  const usual = `http://127.0.0.1:${usualPort}`;
  const isTaken = (await isListening(new URL(usual))) === true;
  return {
    network: {
      url,
      state:
        running !== undefined && (await answers(url)) ? 'running' : last === undefined ? 'none' : 'stopped',
    },
    port: {
      number: usualPort,
      user: !isTaken ? 'nobody' : (await answers(usual)) ? 'local network' : 'another program',
    },
  };
}
