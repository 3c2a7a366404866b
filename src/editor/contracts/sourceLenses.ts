import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { GetMethodSignature } from '../../toolkit/contracts/abi/getMethodSignature';
import type { ProjectContract } from '../../toolkit/contracts/abi/projectContract';
import { staleBuilds } from '../../toolkit/contracts/abi/projectContract';
import { readSignatures } from '../../toolkit/contracts/abi/readSignatures';
import { sourcePlaces } from '../../toolkit/contracts/abi/readTlbComments';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { olderCodeTitle } from '../../toolkit/build/olderCodeTitle';
import { hasCompiler } from '../../toolkit/build/projectCompiler';
import { contractName } from '../../toolkit/build/readBuiltContract';
import type { ReadCode } from '../../toolkit/build/readCodes';
import { isOutdated, sourceCodes } from '../../toolkit/build/sourceCodes';
import { WorkbenchError } from '../../toolkit/base/errors';
import { messageKey } from '../../toolkit/gas/gasKeys';
import { projectLayouts } from '../../toolkit/contracts/layouts/projectLayouts';
import { isSetOf, receiverOf } from '../../toolkit/contracts/layouts/layoutSet';
import { fileName } from '../../toolkit/base/text';
import { accountWord } from '../project/accountName';
import { gasFigures } from '../getMethods/gasFigures';
import type { Instance } from '../project/findInstances';
import { recordedFrom } from '../project/recordedDeployments';
import { sourceProblems } from '../project/sourceProblems';
import type { Services } from '../project/services';
import { plainLensText } from '../ui/plainText';
import type { AnswerLens } from './answerLenses';
import { AnswerLenses } from './answerLenses';
import { deployedOf } from './deployedOf';
import { ForecastLenses } from './forecastLenses';
import { KnownInstances } from './knownInstances';

/** The deployed contract that a lens refers to. */
interface Target {
  address: string;
  label: string;
}

type ListProject = () => Promise<ProjectContract[]>;

/**
 * The lenses in sources: above each get-method, above each message that the contract accepts, and for
 * deploying it.
 */
export class SourceLenses implements vscode.Disposable {
  readonly #services: Services;
  readonly #instances: KnownInstances;
  readonly #answers: AnswerLenses;
  readonly #outdated: OutdatedCode;
  readonly #onChange: () => void;
  readonly #forecasts: ForecastLenses;
  readonly #subscription: vscode.Disposable;
  /** Only where there is a verdict. */
  #verdicts: vscode.Disposable | undefined;

  /** @param onChange called when lenses may have changed */
  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#instances = new KnownInstances(services, onChange);
    this.#answers = new AnswerLenses(services, onChange);
    this.#outdated = new OutdatedCode(services, onChange);
    this.#onChange = onChange;
    this.#forecasts = new ForecastLenses(services, onChange);
    this.#subscription = services.project.onDidReadCode(onChange);
    sourceProblems(services);
  }

  dispose(): void {
    this.#instances.dispose();
    this.#answers.dispose();
    this.#outdated.dispose();
    this.#forecasts.dispose();
    this.#subscription.dispose();
    this.#verdicts?.dispose();
  }

  async of(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    try {
      // Asked for once at most, and only if there is something to say.
      const project = once(() => this.#services.project.list());
      const signatures = await readSignatures(document.fileName, document.getText());
      const answers = await this.#answers.of(
        document,
        signatures.map(({ name, contract }) => ({
          method: name,
          contract: contract ?? baseName(document.fileName),
        })),
        project,
      );
      return [
        ...(await this.#structLenses(document, project)),
        ...this.#methodLenses(document, signatures, answers),
      ];
    } catch (error) {
      if (!WorkbenchError.is(error, 'over-limit')) {
        throw error;
      }
      return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: error.message, command: '' })];
    }
  }

  /** @param answers of each get-method, where it has one */
  #methodLenses(
    document: vscode.TextDocument,
    signatures: readonly GetMethodSignature[],
    answers: readonly (AnswerLens | undefined)[],
  ): vscode.CodeLens[] {
    return signatures.flatMap(({ name, contract: declared, offset, parameters }, place) => {
      if (offset === undefined) {
        return [];
      }
      const contract = declared ?? baseName(document.fileName);
      const target = { method: name, contract, ...fileOf(document) };
      const known = this.#target(contract, vscode.workspace.asRelativePath(document.uri));
      const choose = asCommand(
        'tonWorkbench.runOnContract',
        known === undefined ? `$(play) Run ${name}() on…` : 'another…',
        target,
      );
      const answer = answers[place];
      // A click on the answer runs it again.
      const isAgain = answer !== undefined && answer.address === known?.address && parameters.length === 0;
      const again =
        known === undefined || isAgain
          ? []
          : [
              asCommand('tonWorkbench.runOnContract', `$(play) Run ${name}() on ${known.label}`, {
                ...target,
                address: known.address,
              }),
            ];
      const first = answer === undefined ? again : [answer.command, ...again];
      const debug = asCommand('tonWorkbench.debugDeclared', debugTitle(answer !== undefined), {
        ...target,
        ...addressOf(known),
      });
      return [...first, choose, debug].map((command) => lensAt(document, offset, command));
    });
  }

  /**
   * Messages are structs in Tolk and Tact. FunC and Tact can be deployed if the project has their compiler.
   */
  async #structLenses(document: vscode.TextDocument, project: ListProject): Promise<vscode.CodeLens[]> {
    const language = sourceLanguage(document.fileName);
    if (language === undefined) {
      return [];
    }
    const { structs, entry } = sourcePlaces(document.getText(), language);
    const sets = await projectLayouts(await project());
    const own = baseName(document.fileName);
    const path = vscode.workspace.asRelativePath(document.uri);
    const lenses = [...structs].flatMap(([message, offset]) => {
      const receiver = receiverOf(sets, message, { name: own, file: path });
      if (receiver === undefined) {
        return [];
      }
      const { name: contract, file } = receiver;
      const known = this.#target(contract, file);
      // The file to deploy is the contract's, which may only import the one with the lens.
      const source = file === undefined ? undefined : this.#services.project.uriOf(file);
      const target = {
        message,
        contract: contractName(contract),
        ...(source === undefined ? fileOf(document) : { file: source.toString() }),
      };
      const send =
        known === undefined
          ? asCommand('tonWorkbench.sendMessage', `$(send) Send ${message}…`, target)
          : asCommand('tonWorkbench.sendMessage', `$(send) Send ${message} to ${known.label}…`, {
              ...target,
              address: known.address,
            });
      const gas = gasFigures(this.#services).words(messageKey(contract, message));
      const debug = asCommand('tonWorkbench.debugDeclared', debugTitle(gas !== undefined), {
        ...target,
        ...addressOf(known),
      });
      const commands = [send, debug, ...(gas === undefined ? [] : [{ title: gas, command: '' }])];
      return commands.map((command) => lensAt(document, offset, command));
    });
    const storage = sets
      .filter((set) => isSetOf(set, { name: own, file: path }))
      .flatMap((set) => [...set.structs.values()].filter(({ isStorage }) => isStorage))
      .flatMap(({ name }) => structs.get(name) ?? [])[0];
    const isDeployable =
      entry !== undefined &&
      !document.isUntitled &&
      hasCompiler(document.fileName, vscode.workspace.isTrusted);
    const deploy = isDeployable ? await this.#deployCommands(document, own, project) : [];
    const deployed = entry === undefined ? undefined : this.#target(own, path);
    const coverage =
      deployed === undefined
        ? []
        : [asCommand('tonWorkbench.showCoverage', '$(run-coverage) Coverage', document.uri)];
    const verdict = isDeployable ? await this.#verdict(document, own, path, project) : [];
    const forecast = this.#forecasts.of(document, deployed?.address);
    const stale = entry === undefined ? [] : staleLenses(path, await project());
    return [
      ...deploy
        .concat(isDeployable ? coverage : [], verdict, forecast)
        .concat(stale)
        .map((command) => lensAt(document, storage ?? entry ?? 0, command)),
      ...lenses,
    ];
  }

  /** Where the user's own wallet signs: whether the deployed contract is what the source says. */
  async #verdict(
    document: vscode.TextDocument,
    own: string,
    path: string,
    project: ListProject,
  ): Promise<vscode.Command[]> {
    const network = this.#services.networks.current();
    if (network.kind === 'local') {
      return [];
    }
    const recorded = recordedFrom(this.#services, network.name, path);
    const target =
      recorded === undefined
        ? this.#target(own, path)
        : { address: recorded, label: accountWord(this.#services, network)(recorded) };
    if (target === undefined) {
      return [];
    }
    const verdicts = (await import('./sourceVerdicts')).sourceVerdicts(this.#services);
    this.#verdicts ??= verdicts.onDidChange(this.#onChange);
    return [verdicts.command(this.#services, document, target, await project())];
  }

  /** The actions for a contract: if deployed instances run older code than the source's, that comes first. */
  async #deployCommands(
    document: vscode.TextDocument,
    own: string,
    project: ListProject,
  ): Promise<vscode.Command[]> {
    const contracts = await project();
    const older = this.#outdated.of(document, this.#instances.all(), contracts);
    const elsewhere = this.#olderElsewhere(
      this.#outdated.of(document, this.#services.project.readCodes(), contracts),
    );
    const network = this.#services.networks.current();
    const place = network.kind === 'local' ? '' : ` to ${plainLensText(network.name)}`;
    const title = older.length === 0 ? `$(rocket) Deploy ${contractName(own)}${place}…` : `Redeploy${place}…`;
    const deploy = asCommand('tonWorkbench.localDeploy', title, document.uri);
    if (older.length === 0) {
      return [...elsewhere, deploy];
    }
    const addresses = older.map(({ address }) => address);
    const names = addresses.map(accountWord(this.#services, this.#services.networks.local()));
    const mark = plainLensText(olderCodeTitle(names, undefined, Date.now()));
    const target = { file: document.uri.toString(), addresses };
    return [
      { title: `$(warning) ${mark}`, command: '' },
      deploy,
      asCommand('tonWorkbench.setCodeFromSource', 'Set Code…', target),
      ...elsewhere,
    ];
  }

  /** Marks for the networks on which nothing is read merely for lenses: with the time of the last reading. */
  #olderElsewhere(older: readonly ReadCode[]): vscode.Command[] {
    return this.#services.networks.list().flatMap((network) => {
      const found = older.filter((one) => one.network === network.name);
      if (found.length === 0) {
        return [];
      }
      const names = found.map(({ address }) => accountWord(this.#services, network)(address));
      const at = Math.min(...found.map((one) => one.at));
      const mark = plainLensText(olderCodeTitle(names, { network: network.name, at }, Date.now()));
      return [{ title: `$(warning) ${mark}`, command: '' }];
    });
  }

  /** The only deployed instance of the contract; on a network that cannot be searched, the last one used. */
  #target(contract: string, source?: string): Target | undefined {
    const network = this.#services.networks.current();
    const last = deployedOf(this.#services, network.name, contract);
    if (network.kind !== 'local') {
      return last;
    }
    const found = this.#instances.of(contract, source);
    const { address } =
      (found.length === 1 ? found[0] : found.find((one) => one.address === last?.address)) ?? {};
    return address === undefined ? undefined : { address, label: accountWord(this.#services)(address) };
  }
}

/** One mark, however many files were built; a click says what to do. */
function staleLenses(source: string, project: readonly ProjectContract[]): vscode.Command[] {
  const [first, ...others] = staleBuilds(project, source);
  if (first === undefined) {
    return [];
  }
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const what = first.reason === 'older' ? 'of an earlier text' : 'other code than this text compiles to';
  const title = `$(history) ${plainLensText(first.file)}${more}: ${what}`;
  return [asCommand('tonWorkbench.diagnoseProject', title)];
}

/** With dots, it asks what to run, because nothing has run yet. */
function debugTitle(hasRun: boolean): string {
  return hasRun ? '$(debug-alt) Debug' : '$(debug-alt) Debug…';
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function lensAt(document: vscode.TextDocument, offset: number, command: vscode.Command): vscode.CodeLens {
  const start = document.positionAt(offset);
  return new vscode.CodeLens(new vscode.Range(start, start), command);
}

function addressOf(known: Target | undefined): { address?: string } {
  return known === undefined ? {} : { address: known.address };
}

/** The file, if it is saved; otherwise it cannot be deployed. */
function fileOf(document: vscode.TextDocument): { file?: string } {
  return document.isUntitled ? {} : { file: document.uri.toString() };
}

function baseName(path: string): string {
  return fileName(path).replace(/\.[a-z]+$/i, '');
}

/** Milliseconds from a change of the sources until one is compiled. */
const debounceMs = 500;

/**
 * Finds deployed contracts whose code was compiled from an earlier text of their source. A source is compiled
 * only if there is such a contract, after it was saved, and only in a trusted window.
 */
class OutdatedCode implements vscode.Disposable {
  readonly #services: Services;
  readonly #onChange: () => void;
  readonly #subscription: vscode.Disposable;
  /** Sources that do not compile in their current state; tried again when one changes. */
  readonly #failed = new Set<string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** @param onChange called when a source was compiled */
  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#onChange = onChange;
    this.#subscription = services.project.onDidChange(() => this.#failed.clear());
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#timers.forEach((timer) => clearTimeout(timer));
  }

  /** The instances for which the current text of the source is known to compile to different code. */
  of<Deployed extends Pick<Instance, 'codeHash'>>(
    document: vscode.TextDocument,
    instances: readonly Deployed[],
    project: readonly ProjectContract[],
  ): Deployed[] {
    const file = vscode.workspace.asRelativePath(document.uri);
    const codes = sourceCodes(file, project);
    const isCandidate = instances.some(
      ({ codeHash }) => codeHash !== undefined && codes.earlier.has(codeHash),
    );
    if (isCandidate && codes.current.size === 0) {
      this.#compileLater(file, document);
    }
    return instances.filter(({ codeHash }) => isOutdated(codes, codeHash));
  }

  #compileLater(file: string, document: vscode.TextDocument): void {
    if (!vscode.workspace.isTrusted || document.isDirty || this.#failed.has(file)) {
      return;
    }
    clearTimeout(this.#timers.get(file));
    this.#timers.set(
      file,
      setTimeout(() => void this.#compile(file, document.uri), debounceMs),
    );
  }

  async #compile(file: string, uri: vscode.Uri): Promise<void> {
    this.#timers.delete(file);
    try {
      await this.#services.project.compile(uri);
    } catch (error) {
      this.#failed.add(file);
      this.#services.log.debug(`${file} does not compile: ${String(error)}`);
    }
    this.#onChange();
  }
}
