import * as vscode from 'vscode';
import type { ProjectContract } from '../../toolkit/abi/projectContract';
import { isOutdated, sourceCodes } from '../../toolkit/build/sourceCodes';
import type { Instance } from '../instances/findInstances';
import type { Services } from '../services';

/** Milliseconds from a change of the sources until one is compiled. */
const debounceMs = 500;

/**
 * Finds deployed contracts whose code was compiled from an earlier text of their source. A source is compiled
 * only if there is such a contract, after it was saved, and only in a trusted window.
 */
export class OutdatedCode implements vscode.Disposable {
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
