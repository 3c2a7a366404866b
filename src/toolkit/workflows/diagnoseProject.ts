import type { SourceLanguage } from '../contracts/abi/sourceLanguage';
import { plainSource } from '../contracts/abi/readSourceConstants';
import { isContractSource, sourceLanguage } from '../contracts/abi/sourceLanguage';
import { compilerPackages, dependencyOf } from '../build/projectCompiler';
import type { BuiltContract } from '../build/readBuiltContract';
import { WorkbenchError } from '../base/errors';
import { refusedNotes } from '../sourceMap/refusedNotes';
import { fileName, inputReason } from '../base/text';
import type { DiagnosedProject, Finding } from './diagnosedProject';
import { artifactFindings, findingSubjects } from './diagnosedProject';

/** Most sources that are compiled. */
const mostCompiled = 12;

const languageNames: Readonly<Record<SourceLanguage, string>> = { tolk: 'Tolk', func: 'FunC', tact: 'Tact' };

/**
 * Looks for what keeps a project's contracts from being found, compiled, and shown by their lines. What causes the others
 * comes first.
 */
export async function diagnoseProject(project: DiagnosedProject): Promise<Finding[]> {
  const sources = project.files.flatMap(({ path, text }) => {
    const language = sourceLanguage(path);
    return language === undefined
      ? []
      : [{ path, language, isContract: isContractSource(plainSource(text), language) }];
  });
  const contracts = sources.filter(({ isContract }) => isContract);
  const compilers = [...new Set(contracts.map(({ language }) => language))].flatMap((language) =>
    compilerOf(
      project,
      contracts.filter((one) => one.language === language).map(({ path }) => path),
      language,
    ),
  );
  const missing = new Set(
    compilers.filter(({ finding }) => finding.state !== 'good').map((one) => one.language),
  );
  const builds = await compiledFindings(
    project,
    contracts.filter(({ language }) => language === 'tolk' || !missing.has(language)).map(({ path }) => path),
  );
  const findings = [
    ...configFindings(project),
    ...sourceFindings(project, sources, contracts),
    ...compilers.flatMap(({ language, finding }) => compilerFinding(language, finding, builds)),
    ...builds.findings,
    ...artifactFindings(project, builds.codes),
    ...networkFindings(project),
  ];
  const rank = ({ state, subject }: Finding): number =>
    (state === 'wrong' ? 0 : findingSubjects.length) + findingSubjects.indexOf(subject);
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

/** The project's own files, as far as they must be right for the rest. */
function configFindings({ read, problems }: DiagnosedProject): Finding[] {
  const unread = ['package.json', 'tact.config.json'].flatMap((file): Finding[] => {
    const text = read(file);
    if (text === undefined) {
      return [];
    }
    try {
      JSON.parse(text);
      return [];
    } catch (error) {
      return [
        {
          ...{ subject: 'project', state: 'wrong' },
          text: `${file} is not JSON: ${inputReason(error)}.`,
          next: `Correct ${file}; what it says of compilers and options does not count until then.`,
        },
      ];
    }
  });
  const told = problems.filter(
    ({ details }) => unread.length === 0 || fileName(String(details['path'])) !== 'tact.config.json',
  );
  const next = 'Correct it; what it says does not count until then.';
  return [
    ...unread,
    ...told.map(({ message, hint = next }): Finding => ({
      subject: 'project',
      state: 'wrong',
      text: message,
      next: hint,
    })),
  ];
}

function sourceFindings(
  { folder, isProject, files }: DiagnosedProject,
  sources: readonly { path: string; language: SourceLanguage }[],
  contracts: readonly { path: string; language: SourceLanguage }[],
): Finding[] {
  if (contracts.length > 0) {
    const counts = Object.entries(languageNames).flatMap(([language, name]) => {
      const count = contracts.filter((one) => one.language === language).length;
      return count === 0 ? [] : [`${count} in ${name}`];
    });
    const text = `${contracts.length === 1 ? '1 contract' : `${contracts.length} contracts`} found: ${counts.join(', ')}.`;
    return [{ subject: 'project', state: 'good', text }];
  }
  if (sources.length > 0) {
    return [
      {
        ...{ subject: 'project', state: 'wrong' },
        text: `None of the ${sources.length} sources is a contract: none has a function that receives messages.`,
        next: 'Add onInternalMessage (Tolk), recv_internal (FunC), or a contract (Tact), or open the folder with the contracts.',
      },
    ];
  }
  const searched = isProject ? '' : ' in its folders contracts, sources, wrappers, build, and output';
  return [
    {
      ...{ subject: 'project', state: 'wrong' },
      text: `There is no source in Tolk, FunC, or Tact in ${folder}${searched}${files.length > 0 ? ', only build output and wrappers' : ''}.`,
      next: isProject
        ? 'Open the folder of the contracts, or begin with a new one: ton-workbench new counter, or TON: New Contract…'
        : 'Open the folder of a project: one with package.json, Acton.toml, tact.config.json, or .git. ' +
          'Or begin with a contract: ton-workbench new counter, or TON: New Contract…',
    },
  ];
}

/** The compiler of a language, as the project has it. */
function compilerOf(
  { installed, read, ownTolk, mayRun }: DiagnosedProject,
  [file]: readonly string[],
  language: SourceLanguage,
): { language: SourceLanguage; finding: Finding }[] {
  if (file === undefined) {
    return [];
  }
  const name = compilerPackages[language];
  const version = installed(file, name);
  const wanted = dependencyOf(read('package.json'), name);
  const finding = (state: Finding['state'], text: string, next?: string): Finding => ({
    ...{ subject: 'compiler', state, text, next },
  });
  const install = wanted === undefined ? `Run "npm install --save-dev ${name}".` : 'Run "npm install".';
  if (version === undefined) {
    if (wanted !== undefined) {
      const instead = language === 'tolk' ? `; TON Workbench's Tolk ${ownTolk} is used instead` : '';
      const text = `package.json asks for ${name} ${wanted}, which is not installed${instead}.`;
      return [{ language, finding: finding('wrong', text, install) }];
    }
    return [
      {
        language,
        finding:
          language === 'tolk'
            ? finding('good', `Tolk is compiled by TON Workbench's Tolk ${ownTolk}.`)
            : finding(
                'wrong',
                `${languageNames[language]} is compiled by ${name}, which the project does not have.`,
                install,
              ),
      },
    ];
  }
  const allowed = mayRun(file);
  if (allowed === true) {
    return [
      {
        language,
        finding: finding(
          'good',
          `${languageNames[language]} is compiled by the project's ${name} ${version}.`,
        ),
      },
    ];
  }
  const isOurs = language === 'tolk' && version === ownTolk;
  return [
    {
      language,
      finding: isOurs
        ? finding('good', `Tolk is compiled by TON Workbench's Tolk ${ownTolk}, the version of the project.`)
        : {
            ...finding(
              'wrong',
              `The project's ${name} ${version} is not run here${language === 'tolk' ? `; TON Workbench's Tolk ${ownTolk} is used instead` : ''}.`,
              allowed,
            ),
            subject: 'trust',
          },
    },
  ];
}

/** What compiling has shown. */
interface Builds {
  findings: Finding[];
  codes: ReadonlyMap<string, readonly BuiltContract[]>;
}

/** What is said of a compiler that is there: which one it was, if it compiled something; nothing if it could not. */
function compilerFinding(language: SourceLanguage, finding: Finding, { findings, codes }: Builds): Finding[] {
  if (finding.state !== 'good') {
    return [finding];
  }
  const built = [...codes].flatMap(([file, contracts]) =>
    sourceLanguage(file) === language ? contracts : [],
  );
  // What else a build says of itself comes after a comma.
  const by = new Set(built.flatMap(({ compiledBy }) => compiledBy?.split(', ')[0] ?? []));
  if (by.size > 0) {
    return [{ ...finding, text: `${languageNames[language]} is compiled by ${[...by].join(' and by ')}.` }];
  }
  return findings.some(({ subject, state }) => subject === 'compiler' && state === 'wrong') ? [] : [finding];
}

/** Compiles the contracts, and looks for methods without lines. */
async function compiledFindings(
  { compile, map }: DiagnosedProject,
  files: readonly string[],
): Promise<Builds> {
  const findings: Finding[] = [];
  const codes = new Map<string, readonly BuiltContract[]>();
  let methods = 0;
  for (const file of files.slice(0, mostCompiled)) {
    try {
      codes.set(file, await compile(file));
      const maps = await map(file);
      methods += maps.flatMap((one) => one.methods).length;
      const notes = maps.flatMap((one) => refusedNotes(one));
      findings.push(
        ...notes.map((text): Finding => ({ subject: 'lines', state: 'wrong', text: `${file}: ${text}` })),
      );
    } catch (error) {
      findings.push(uncompiled(file, error));
    }
  }
  if (codes.size > 0) {
    findings.push({ subject: 'source', state: 'good', text: `${[...codes.keys()].join(', ')} compiled.` });
  }
  if (methods > 0 && !findings.some(({ subject }) => subject === 'lines')) {
    findings.push({
      subject: 'lines',
      state: 'good',
      text: methods === 1 ? 'Its method has source lines.' : `All ${methods} methods have source lines.`,
    });
  }
  if (files.length > mostCompiled) {
    const text = `${files.length - mostCompiled} more contracts were not compiled here.`;
    findings.push({ subject: 'source', state: 'open', text, next: 'Name one: ton-workbench doctor FILE.' });
  }
  return { findings, codes };
}

function uncompiled(file: string, error: unknown): Finding {
  if (!(error instanceof WorkbenchError)) {
    throw error;
  }
  const isCompiler = ['compiler-missing', 'compiler-unusable', 'compiler-too-old'].includes(error.code);
  return {
    subject: isCompiler ? 'compiler' : 'source',
    state: 'wrong',
    text: error.message.includes(fileName(file)) ? error.message : `${file}: ${error.message}`,
    next:
      error.hint ??
      `Correct it; without its code, ${fileName(file)} has no lenses that run, no lines, and no deployment.`,
  };
}

function networkFindings({ network, port }: DiagnosedProject): Finding[] {
  const found: Finding[] = [
    network.state === 'running'
      ? { subject: 'network', state: 'good', text: `The folder's local network runs at ${network.url}.` }
      : network.state === 'stopped'
        ? {
            ...{ subject: 'network', state: 'wrong' },
            text: `The folder's local network at ${network.url} has stopped unexpectedly.`,
            next: 'Start it again: ton-workbench localnet, or TON: Start Local Network. Its state is kept if it had a folder.',
          }
        : {
            ...{ subject: 'network', state: 'open' },
            text: 'No local network runs in this folder.',
            next: 'To start one: ton-workbench localnet, or TON: Start Local Network.',
          },
  ];
  if (network.state !== 'running' && port.user !== 'nobody') {
    found.push({
      ...{ subject: 'port', state: 'wrong' },
      text: `Port ${port.number}, on which a local network starts, is in use by ${port.user === 'local network' ? 'the local network of another folder' : 'another program'}.`,
      next:
        port.user === 'local network'
          ? `Use that one with --network http://127.0.0.1:${port.number}, or start one on another port: ton-workbench localnet --port 0.`
          : 'Start the network on another port: ton-workbench localnet --port 0.',
    });
  }
  return found;
}
