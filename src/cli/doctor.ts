import type { Command } from 'commander';
import { statSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../package.json';
import type { WorkbenchError } from '../toolkit/base/errors';
import type { DiagnosedProject } from '../toolkit/workflows/diagnosedProject';
import type { DoctorAnswer } from './doctorAnswer';
import { addJsonOptions } from './networkHere';
import { writeJsonLine, writeText } from './output';
import { readGivenFile } from './readGivenFile';
import { compileFile, mapFile, pathHere, surroundings } from './surroundings';

/** `doctor [FILE]`: why contracts, lenses, or lines are not there. */
export function registerDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .summary('find out why contracts, names, or source lines are missing')
    .description(
      'Looks at the project around the working folder: its files, its compilers, whether its contracts compile, its ' +
        'build output, their source lines, and its local network. What causes the rest comes first, with the next step. ' +
        'The text can be copied into a report; it has no contents of files. Nothing is written, and no public network is ' +
        'asked.',
    )
    .argument('[file]', "a source; the project's own compiler may run on it, and it alone is compiled");
  addJsonOptions(
    command,
    'print one JSON line',
    async () => (await import('./doctorAnswer')).doctorAnswerSchema,
  ).action(async (file: string | undefined, options: { json?: true }) => {
    await doctor(file, options);
  });
}

async function doctor(file: string | undefined, { json }: { json?: true }): Promise<void> {
  const [{ diagnoseProject }, { diagnosisText }] = await Promise.all([
    import('../toolkit/workflows/diagnoseProject'),
    import('../toolkit/workflows/diagnosedProject'),
  ]);
  const project = await projectHere(file);
  const findings = await diagnoseProject(project);
  const facts = {
    'TON Workbench': version,
    'Node.js': process.version,
    system: `${process.platform} ${process.arch}`,
    folder: project.folder,
  };
  if (json === true) {
    const answer: DoctorAnswer = { findings, ...facts };
    writeJsonLine(answer);
  } else {
    writeText(diagnosisText(findings, Object.entries(facts)));
  }
}

/** The project around the working folder, or around a file, of which only that file is compiled. */
async function projectHere(file: string | undefined): Promise<DiagnosedProject> {
  const [{ projectFilesAround }, { networkFacts }, { readUserText }, { packageVersion }, tolk] =
    await Promise.all([
      import('./projectWith'),
      import('../toolkit/workflows/networkFacts'),
      import('../toolkit/base/readUserFile'),
      import('../toolkit/build/projectCompiler'),
      import('@ton/tolk-js/package.json'),
    ]);
  const named = file === undefined ? undefined : pathHere(file);
  if (file !== undefined) {
    // Without it, the project would seem to have no source at all.
    await readGivenFile({ path: file, code: 'file-unreadable' }, 'projectFileBytes');
  }
  const { root, isProject, files, problems, contracts } = await projectFilesAround(
    named === undefined ? surroundings().folder : path.dirname(named),
  );
  const at = (name: string): string => path.join(root, name);
  const isTrusted = (name: string): boolean => at(name) === named;
  const isOther = (name: string): boolean => named !== undefined && isSource(name) && !isTrusted(name);
  return {
    ...{ folder: root, isProject, contracts, ownTolk: tolk.version },
    problems: [...(await projectProblems(root)), ...problems],
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
    ...(await networkFacts(root, 8081)),
    now: surroundings().clock.now(),
  };
}

function isSource(name: string): boolean {
  return /\.(?:tolk|fc|func|tact)$/.test(name);
}

/** What is wrong with the files that describe the project. */
async function projectProblems(root: string): Promise<WorkbenchError[]> {
  const [{ describeProject }, { listFolder }, { readUserText }] = await Promise.all([
    import('../toolkit/project/describeProject'),
    import('../toolkit/build/compileRequest'),
    import('../toolkit/base/readUserFile'),
  ]);
  const { problems } = describeProject(`${root.replaceAll('\\', '/')}/contract.tolk`, {
    read: (file) => readUserText(file, 'projectFileBytes'),
    list: listFolder,
  });
  return problems.map(({ error }) => error);
}
