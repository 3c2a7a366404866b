import path from 'node:path';
import type { ContractDescription } from '../toolkit/contracts/abi/contractDescription';
import type { GetMethodSignature } from '../toolkit/contracts/abi/getMethodSignature';
import { methodNamed, signatureNamed } from '../toolkit/contracts/abi/methodNamed';
import type { ProjectContract } from '../toolkit/contracts/abi/projectContract';
import type { Access } from '../toolkit/access/createAccess';
import { networkKey } from '../toolkit/access/network';
import type { SheetMessages, SheetNetwork } from '../toolkit/workflows/sheetRunTypes';
import { engineHere } from './openRecord';
import { readGivenFile } from './readGivenFile';
import { compiledProject, projectAround, projectWith } from './projectWith';
import { pathHere, surroundings } from './surroundings';

/**
 * What the project around a sheet knows about its contracts: types, messages, exit codes. If the sheet's
 * folder has no sources, the project around the working folder is used. All of it is optional: calls also
 * work without it.
 */
export class SheetProject {
  readonly #folder: string;
  readonly #declared: readonly GetMethodSignature[];
  readonly #known = new Map<string, Promise<ContractDescription | undefined>>();

  /** @param declared signatures from the file of `--types`, which take precedence over the project's */
  constructor(sheet: string, declared: readonly GetMethodSignature[]) {
    this.#folder = path.dirname(pathHere(sheet));
    this.#declared = declared;
  }

  /** @param address raw, lowercase */
  async signature(
    access: Access,
    address: string,
    method: string,
    signal: AbortSignal,
  ): Promise<GetMethodSignature | undefined> {
    const declared = signatureNamed(this.#declared, method);
    return declared ?? methodNamed(await this.describe(access, address, signal), method)?.signature;
  }

  /** Whether the contract exists; undefined if that cannot be read. */
  async isDeployed(access: Access, address: string, signal: AbortSignal): Promise<boolean | undefined> {
    const found = await this.describe(access, address, signal);
    return found === undefined ? undefined : found.codeHash !== undefined;
  }

  /** How `send` and `deploy` steps read messages and sources. Files are relative to the sheet. */
  messages(): SheetMessages<SheetNetwork> {
    return {
      layouts: async () => {
        const { projectLayouts } = await import('../toolkit/contracts/layouts/projectLayouts');
        return projectLayouts([...(await projectAround(await this.#root()))]);
      },
      contractAt: async (address, { access }, signal) => {
        const { name, file } = (await this.describe(access, address, signal)) ?? {};
        return name === undefined ? undefined : { name, file };
      },
      describe: async (model, { access, accounts }) => {
        const [{ describeTrace }, { namesInTraces }] = await Promise.all([
          import('../toolkit/workflows/describeTrace'),
          import('../toolkit/workflows/namesInTraces'),
        ]);
        const folder = await this.#root();
        const contracts = (hashes: ReadonlySet<string>): Promise<readonly ProjectContract[]> =>
          compiledProject(folder, hashes);
        return describeTrace(model, { names: namesInTraces(access.network, accounts), contracts });
      },
      replays: {
        open: async (file) => {
          const { openReplayFile } = await import('../toolkit/replay/replayFile');
          const given = { path: pathHere(file, this.#folder), code: 'file-unreadable' } as const;
          return openReplayFile((await readGivenFile(given, 'replayFile')).toString('utf8'));
        },
        emulator: engineHere,
      },
      build: async (file) => {
        const [{ readContract, readStorageOf }, { readProjectOf }, { describeContract }] = await Promise.all([
          import('./readContract'),
          import('./projectWith'),
          import('../toolkit/contracts/abi/contractDescription'),
        ]);
        const resolved = pathHere(file, this.#folder);
        const built = await readContract(resolved);
        this.#known.clear();
        const { methods, ...known } = describeContract({}, [...(await readProjectOf(resolved))], built.name);
        const contract = { name: built.name, file: known.file };
        return { built, contract, methods, storage: await readStorageOf(resolved, built.name) };
      },
    };
  }

  /**
   * What is known about a contract from its code and the project; undefined if the code cannot be read. Each
   * is read once, or again if it did not exist yet.
   */
  describe(access: Access, address: string, signal: AbortSignal): Promise<ContractDescription | undefined> {
    const key = `${networkKey(access.network)} ${address}`;
    const known = this.#known.get(key) ?? this.#read(access, address, signal).catch(() => undefined);
    this.#known.set(key, known);
    return known.then((found) => {
      if (found?.codeHash === undefined) {
        this.#known.delete(key);
      }
      signal.throwIfAborted();
      return found;
    });
  }

  async #read(access: Access, address: string, signal: AbortSignal): Promise<ContractDescription> {
    const [{ readDeployedCode }, { describeContract }] = await Promise.all([
      import('../toolkit/getMethods/readDeployedCode'),
      import('../toolkit/contracts/abi/contractDescription'),
    ]);
    const deployed = await readDeployedCode(access, address, { signal });
    return describeContract(deployed, [...(await projectWith(await this.#root(), deployed))]);
  }

  /** The folder of the project: the sheet's, unless there are no sources. */
  async #root(): Promise<string> {
    return (await projectAround(this.#folder)).length === 0 ? surroundings().folder : this.#folder;
  }
}
