import nodePath from 'node:path';
import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import { projectFileLimit, projectFiles } from '../../toolkit/contracts/abi/projectFile';
import type { DeployedCode } from '../../toolkit/contracts/abi/contractDescription';
import type { ProjectContract } from '../../toolkit/contracts/abi/projectContract';
import type { ProjectFile } from '../../toolkit/contracts/abi/projectFile';
import type { CompiledCode } from '../../toolkit/build/compiledCode';
import { ReadCodes } from '../../toolkit/build/readCodes';
import type { ReadCode } from '../../toolkit/build/readCodes';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import type { CompileRequest } from '../../toolkit/build/compileRequest';
import type { SourceCompiler } from '../../toolkit/build/sourceCompiler';
import type { TextHashes } from '../../toolkit/build/textHashes';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';
import type { SourceMap } from '../../toolkit/sourceMap/sourceMap';
import { currentText } from '../ui/openDocument';

const { pattern, excluded } = projectFiles;
const chosenKey = 'contractOfCode';
const compiledKey = 'compiledCode';
const readKey = 'readCodes';

/** The contracts in the workspace's files, read on first use and again after a file has changed. */
export class ProjectContracts {
  readonly #state: vscode.Memento;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the contracts may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #codeRead = new vscode.EventEmitter<void>();
  /** Fires when another code than before was read from a network. */
  readonly onDidReadCode = this.#codeRead.event;
  readonly #reads: ReadCodes;
  #known: Promise<ProjectContract[]> | undefined;
  #watcher: vscode.FileSystemWatcher | undefined;
  /** URIs of the files, by their paths in the workspace. */
  #uris: ReadonlyMap<string, vscode.Uri> = new Map();
  #compiler: SourceCompiler | undefined;
  /** Hashes of the texts that were read, by file. */
  #hashes: Pick<TextHashes, 'get'> = new Map<string, string>();
  /** Searches, by the hash of the code. Those without a result are kept until a file changes. */
  readonly #searches = new Map<string, Promise<void>>();

  /** What has compiled each code, by its hash. */
  readonly #compilers = new Map<string, string>();

  constructor(state: vscode.Memento, log: Log) {
    this.#state = state;
    this.#reads = new ReadCodes(state.get<ReadCode[]>(readKey, []));
    this.#log = log;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(this.#changed, this.#codeRead, {
      dispose: () => {
        this.#watcher?.dispose();
        void this.#compiler?.close();
      },
    });
  }

  /** All contracts in the workspace's files, with the codes compiled from them here. */
  async list(): Promise<ProjectContract[]> {
    this.#watch();
    this.#known ??= this.#read();
    const { compiledContract } = await import('../../toolkit/build/compiledCode');
    const known = await this.#known;
    return [...known, ...this.#compiled().map((code) => compiledContract(code, this.#hashes))];
  }

  /** The URI of a file in the list. */
  uriOf(file: string): vscode.Uri | undefined {
    return this.#uris.get(file);
  }

  /**
   * Compiles a source in a separate thread, with the editors' unsaved changes, and remembers the resulting
   * codes. The project's own compilers run only in a trusted window.
   * @returns its contracts; only a Tact source can declare several
   * @throws WorkbenchError `compile-failed`, `compiler-missing`, `compiler-unusable` (input)
   */
  async compile(file: vscode.Uri): Promise<BuiltContract[]> {
    const request = await this.#request();
    const compiler = await this.#sourceCompiler();
    const built = await compiler.compile(slashed(file.fsPath), request);
    if (Object.keys(request.unsaved).length > 0) {
      // What was read from these files may be outdated.
      this.#known = undefined;
    }
    this.#watch();
    this.#known ??= this.#read();
    const [{ limits }, { sourceNumbers, withCompiled }, project] = await Promise.all([
      import('../../toolkit/base/limits'),
      import('../../toolkit/build/compiledCode'),
      this.#known,
    ]);
    const compiled = built.map(({ codeHash, name, texts = {}, typeIds, compiledBy }) => {
      if (compiledBy !== undefined) {
        this.#compilers.set(codeHash, compiledBy);
      }
      const own = Object.entries(texts).map(([path, hash]) => [relativePath(path), hash]);
      const code = {
        ...{ codeHash, name, file: vscode.workspace.asRelativePath(file) },
        texts: Object.fromEntries(own) as Record<string, string>,
      };
      return { ...code, names: sourceNumbers(code, project, this.#hashes), ...(typeIds && { typeIds }) };
    });
    await this.#state.update(
      compiledKey,
      withCompiled(this.#compiled(), compiled, limits.compiledCodes.most),
    );
    await this.#share(compiled);
    return built;
  }

  /**
   * The lines of a code, from the source in the workspace that compiles to it, with the editors' unsaved changes.
   *
   * Compiled each time, because lines move where the code stays the same. In an untrusted window, nothing is compiled.
   *
   * @param codeHash lowercase hex
   * @returns undefined if no source compiles to it
   */
  async lines(codeHash: string): Promise<SourceMap | undefined> {
    if (!vscode.workspace.isTrusted) {
      return undefined;
    }
    const { findSourceMap } = await import('../../toolkit/sourceMap/findSourceMap');
    const compiler = await this.#sourceCompiler();
    const { map } = await findSourceMap(codeHash, await this.list(), async (file) => {
      const uri = this.#uris.get(file);
      return uri === undefined ? [] : compiler.map(slashed(uri.fsPath), await this.#request());
    });
    return map;
  }

  /**
   * The lines of a source's codes, with the editors' unsaved changes.
   * @throws WorkbenchError as {@link compile}
   */
  async map(file: vscode.Uri): Promise<SourceMap[]> {
    return (await this.#sourceCompiler()).map(slashed(file.fsPath), await this.#request());
  }

  async #sourceCompiler(): Promise<SourceCompiler> {
    if (this.#compiler === undefined) {
      const { SourceCompiler } = await import('../../toolkit/build/sourceCompiler');
      this.#compiler ??= new SourceCompiler();
    }
    return this.#compiler;
  }

  async #request(): Promise<CompileRequest & Required<Pick<CompileRequest, 'unsaved'>>> {
    const unsaved = vscode.workspace.textDocuments
      .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
      .map((document) => [slashed(document.uri.fsPath), document.getText()] as const);
    const { isTrusted } = vscode.workspace;
    const { findActon } = await import('../../toolkit/build/findActon');
    const acton = isTrusted ? findActon(process.env['PATH']) : undefined;
    return { unsaved: Object.fromEntries(unsaved), isTrusted, acton };
  }

  /** Tells the command line what was compiled, if the folder's programs already tell each other where its network is. */
  async #share(compiled: readonly CompiledCode[]): Promise<void> {
    const [folder, another] = vscode.workspace.workspaceFolders ?? [];
    if (folder?.uri.scheme !== 'file' || another !== undefined) {
      return;
    }
    const { shareCompiledCodes } = await import('../../toolkit/build/compiledCodesFile');
    try {
      shareCompiledCodes(folder.uri.fsPath, compiled);
    } catch (error) {
      this.#log.debug(`The command line is not told what was compiled: ${String(error)}`);
    }
  }

  /**
   * Compiles the sources that a deployed code may come from until one results in that code; {@link list} then
   * includes it. In an untrusted window, nothing is compiled.
   */
  async findSource({ codeHash, code }: DeployedCode): Promise<void> {
    if (codeHash === undefined || code === undefined || !vscode.workspace.isTrusted) {
      return;
    }
    this.#watch();
    const search = this.#searches.get(codeHash) ?? this.#search(codeHash, code);
    this.#searches.set(codeHash, search);
    // What build output names is known by name; its source only tells later whether it has changed.
    const [project, { isIdentified }] = await Promise.all([
      this.list(),
      import('../../toolkit/contracts/abi/projectContract'),
    ]);
    const isBuilt = isIdentified(project, codeHash, (file) => this.#uris.has(file));
    await (isBuilt ? undefined : search);
  }

  /** Whether nothing is known about a code yet, and {@link findSource} may change that. */
  async isNew(codeHash: string): Promise<boolean> {
    if (this.#searches.has(codeHash) || !vscode.workspace.isTrusted) {
      return false;
    }
    const [project, { isFromSource }] = await Promise.all([
      this.list(),
      import('../../toolkit/build/findSource'),
    ]);
    return project.some(isFromSource) && !project.some((contract) => contract.codeHash === codeHash);
  }

  async #search(codeHash: string, code: Cell): Promise<void> {
    const project = await this.list();
    const compiled = this.compiledFrom(codeHash);
    if (compiled !== undefined && this.#uris.has(compiled.file)) {
      return;
    }
    const { findSource } = await import('../../toolkit/build/findSource');
    await findSource({ codeHash, code }, project, async ({ file }) => {
      const uri = this.#uris.get(file);
      return uri === undefined
        ? []
        : this.compile(uri).catch((error: unknown) => {
            this.#log.debug(`${file} does not compile: ${String(error)}`);
            return [];
          });
    });
  }

  /** What has compiled a code in this window, and how; undefined for a code of earlier. */
  compilerOf(codeHash: string): string | undefined {
    return this.#compilers.get(codeHash);
  }

  /** The source that a code was compiled from here, by the code's hash. */
  compiledFrom(codeHash: string): CompiledCode | undefined {
    return this.#compiled().find((one) => one.codeHash === codeHash);
  }

  #compiled(): readonly CompiledCode[] {
    return this.#state.get<CompiledCode[]>(compiledKey, []);
  }

  /** Remembers the code of a contract of the workspace on a network whose contracts are not kept current. */
  noteRead(code: ReadCode): void {
    const hasChanged = this.#reads.note(code);
    void this.#state.update(readKey, this.#reads.all());
    if (hasChanged) {
      this.#codeRead.fire();
    }
  }

  /** The codes of the workspace's contracts on such networks, as they were last read. */
  readCodes(): ReadCode[] {
    return this.#reads.all();
  }

  /** The project's contract that the user has chosen for this code. */
  chosen(codeHash: string): string | undefined {
    return this.#state.get<Record<string, string>>(chosenKey, {})[codeHash];
  }

  /** Remembers which contract of the project has this code; undefined forgets it. */
  async choose(codeHash: string, name: string | undefined): Promise<void> {
    const { [codeHash]: _, ...others } = this.#state.get<Record<string, string>>(chosenKey, {});
    await this.#state.update(chosenKey, name === undefined ? others : { ...others, [codeHash]: name });
    this.#changed.fire();
  }

  async #read(): Promise<ProjectContract[]> {
    const [{ limits }, { readProject }, { sourceLanguage }, { TextHashes: Hashes }] = await Promise.all([
      import('../../toolkit/base/limits'),
      import('../../toolkit/contracts/abi/readProject'),
      import('../../toolkit/contracts/abi/sourceLanguage'),
      import('../../toolkit/build/textHashes'),
    ]);
    const uris = await vscode.workspace.findFiles(pattern, excluded, limits.projectFiles.most);
    if (uris.length === limits.projectFiles.most) {
      this.#log.warn(`Only the first ${limits.projectFiles.most} files with contracts are read.`);
    }
    this.#uris = new Map(uris.map((uri) => [vscode.workspace.asRelativePath(uri), uri]));
    const read = await Promise.all(uris.map((uri) => this.#readFile(uri)));
    const files = read.filter((file) => file !== undefined);
    const sources = files.filter(({ path }) => sourceLanguage(path) !== undefined);
    this.#hashes = new Hashes(new Map(sources.map(({ path, text }) => [path, text])));
    const [folder, another] = vscode.workspace.workspaceFolders ?? [];
    const readImported = async (path: string): Promise<string | undefined> =>
      folder === undefined || another !== undefined ? undefined : this.#readOther(folder, path);
    return readProject(files, (path, error) => this.#tell(path, error), undefined, { readImported });
  }

  /** A file that the search leaves out: an import in `node_modules`, a build in a folder that the project names. */
  async #readOther(folder: vscode.WorkspaceFolder, path: string): Promise<string | undefined> {
    const uri = vscode.Uri.joinPath(folder.uri, path);
    const { readWorkspaceFile } = await import('../ui/readWorkspaceFile');
    try {
      const bytes = await readWorkspaceFile(uri, projectFileLimit(path));
      const isBinary = path.endsWith('.boc') && bytes[0] === 0xb5;
      this.#uris = new Map([...this.#uris, [path, uri]]);
      return Buffer.from(bytes).toString(isBinary ? 'base64' : 'utf8');
    } catch {
      return undefined;
    }
  }

  /** What exceeds a limit is left out deliberately; any other file simply has no contracts. */
  #tell(path: string, error: unknown): void {
    if (WorkbenchError.is(error, 'over-limit')) {
      this.#log.warn(`${path} was not read, or not completely. ${error.message}`);
    } else {
      this.#log.debug(`${path} has no readable get-methods: ${String(error)}`);
    }
  }

  async #readFile(uri: vscode.Uri): Promise<ProjectFile | undefined> {
    const path = vscode.workspace.asRelativePath(uri);
    try {
      return { path, text: await currentText(uri) };
    } catch (error) {
      this.#log.debug(`${path} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  #watch(): void {
    if (this.#watcher !== undefined) {
      return;
    }
    const forget = (): void => {
      this.#known = undefined;
      this.#searches.clear();
      this.#changed.fire();
    };
    this.#watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.#watcher.onDidChange(forget);
    this.#watcher.onDidCreate(forget);
    this.#watcher.onDidDelete(forget);
  }
}

/** The path, relative to the workspace, of a file that the compiler names. */
function relativePath(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(nodePath.normalize(file)));
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
