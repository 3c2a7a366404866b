import * as vscode from 'vscode';
import { methodNamed } from '../../toolkit/contracts/abi/methodNamed';
import { describeContract } from '../../toolkit/contracts/abi/contractDescription';
import type { ContractDescription } from '../../toolkit/contracts/abi/contractDescription';
import type { ProjectContract } from '../../toolkit/contracts/abi/projectContract';
import { bareName } from '../../toolkit/address/resolveAccount';
import type { CallSheet } from '../../toolkit/callSheet/callSheet';
import type { KnownSource } from '../../toolkit/callSheet/sheetValues';
import type { LayoutSet } from '../../toolkit/contracts/layouts/layoutSet';
import { findStorage } from '../../toolkit/contracts/layouts/layoutSet';
import { projectLayouts } from '../../toolkit/contracts/layouts/projectLayouts';
import type { Services } from '../project/services';

interface Sources {
  contracts: readonly ProjectContract[];
  layouts: readonly LayoutSet[];
}

/** The contract of a source. */
interface SourceContract {
  name: string;
  file: string;
  description: ContractDescription;
}

/** What the workspace's sources say about the contracts that sheets deploy. Nothing is compiled for this. */
export class SheetSources implements vscode.Disposable {
  readonly #services: Services;
  readonly #learned = new vscode.EventEmitter<void>();
  readonly onDidLearn = this.#learned.event;
  readonly #subscription: vscode.Disposable;
  /** By file, because a sheet asks for each of its steps. */
  readonly #described = new Map<string, SourceContract | undefined>();
  #known: Sources | undefined;
  #reading: Promise<Sources> | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#subscription = services.project.onDidChange(() => {
      this.#described.clear();
      this.#known = undefined;
      this.#reading = undefined;
    });
  }

  dispose(): void {
    vscode.Disposable.from(this.#learned, this.#subscription).dispose();
  }

  /** Everything, once it has been read. */
  read(): Promise<Sources> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** What is known without waiting; {@link onDidLearn} fires when the rest is known. */
  now(): Sources | undefined {
    if (this.#known === undefined) {
      this.read().catch((error: unknown) => this.#services.log.debug(`no sources: ${String(error)}`));
    }
    return this.#known;
  }

  /** The contract of a file that a sheet deploys; undefined if the workspace has no source for it. */
  contractOf(file: string, { contracts }: Sources): SourceContract | undefined {
    const path = file.replaceAll('\\', '/').replace(/^(?:\.{1,2}\/)+/, '');
    if (!this.#described.has(path)) {
      const found = contracts.find(
        (one) => one.origin !== undefined && (one.file === path || one.file.endsWith(`/${path}`)),
      );
      this.#described.set(
        path,
        found && {
          name: found.name,
          file: found.file,
          description: describeContract({}, contracts, `${found.name}, ${found.file}`),
        },
      );
    }
    return this.#described.get(path);
  }

  /** The contract that the sheet deploys under this name. */
  deployed(target: string, sheet: CallSheet, sources: Sources): SourceContract | undefined {
    const name = bareName(target);
    const step = sheet.steps.findLast((one) => one.kind === 'deploy' && one.name.text === name);
    return step?.kind === 'deploy' ? this.contractOf(step.file.text, sources) : undefined;
  }

  /** The context for `checkCallSheet`. */
  forChecks(file: string): KnownSource | undefined {
    const sources = this.now();
    const found = sources === undefined ? undefined : this.contractOf(file, sources);
    if (sources === undefined || found === undefined) {
      return undefined;
    }
    const { methods } = found.description;
    return {
      method: (name) => {
        const method = methodNamed({ methods }, name);
        return method === undefined
          ? { kind: 'absent', others: methods.map((one) => one.name) }
          : { kind: 'known', signature: method.signature };
      },
      contract: { name: found.name, file: found.file },
      storage: findStorage(sources.layouts, found),
    };
  }

  async #read(): Promise<Sources> {
    const contracts = await this.#services.project.list();
    const known = { contracts, layouts: await projectLayouts(contracts) };
    this.#described.clear();
    this.#known = known;
    this.#learned.fire();
    return known;
  }
}
