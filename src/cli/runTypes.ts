import { readFile } from 'node:fs/promises';
import type { ContractDescription, DeployedCode } from '../toolkit/abi/describeContract';
import type { GetMethodSignature } from '../toolkit/abi/getMethodSignature';
import type { Access } from '../toolkit/access/createAccess';
import { fileError } from './fileError';
import { readProjectOf } from './readProjectOf';
import { networkKey } from '../toolkit/access/network';

/**
 * The get-methods that a file declares (`--types`).
 * @throws WorkbenchError `file-unreadable`, `abi-unreadable` (input)
 */
export async function readTypesFile(file: string): Promise<GetMethodSignature[]> {
  const { readSignatures } = await import('../toolkit/abi/readSignatures');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw fileError({ path: file, what: 'The --types file', code: 'file-unreadable' }, cause);
  }
  return readSignatures(file, text);
}

/**
 * Signatures of the methods that a sheet calls: from the file of `--types`, else from the contract's code and the
 * project around the sheet. Types are optional: without them the call is made anyway.
 */
export class TypesOfSheet {
  readonly #sheet: string;
  readonly #declared: readonly GetMethodSignature[];
  readonly #codes = new Map<string, Promise<DeployedCode | undefined>>();

  /** @param declared signatures from the file of `--types` */
  constructor(sheet: string, declared: readonly GetMethodSignature[]) {
    this.#sheet = sheet;
    this.#declared = declared;
  }

  /** @param address raw, lowercase */
  async signatureOf(
    access: Access,
    address: string,
    method: string,
    signal: AbortSignal,
  ): Promise<GetMethodSignature | undefined> {
    const declared = this.#declared.find(({ name }) => name === method);
    if (declared !== undefined) {
      return declared;
    }
    const description = await this.describe(access, address, signal);
    return description?.methods.find(({ name }) => name === method)?.signature;
  }

  /**
   * What the code and the project say about a contract; undefined if the code cannot be read.
   *
   * @param address raw, lowercase
   */
  async describe(
    access: Access,
    address: string,
    signal: AbortSignal,
  ): Promise<ContractDescription | undefined> {
    const [code, { describeContract }] = await Promise.all([
      this.#codeOf(access, address, signal),
      import('../toolkit/abi/describeContract'),
    ]);
    signal.throwIfAborted();
    if (code === undefined) {
      return undefined;
    }
    return describeContract(code, await readProjectOf(this.#sheet));
  }

  /** Whether the contract exists; undefined if that cannot be read. */
  async isDeployed(access: Access, address: string, signal: AbortSignal): Promise<boolean | undefined> {
    const code = await this.#codeOf(access, address, signal);
    return code === undefined ? undefined : code.codeHash !== undefined;
  }

  /** Each contract is read once, however many calls it gets. */
  #codeOf(access: Access, address: string, signal: AbortSignal): Promise<DeployedCode | undefined> {
    const key = `${networkKey(access.network)} ${address}`;
    const known =
      this.#codes.get(key) ??
      import('../toolkit/getMethods/readDeployedCode').then(({ readDeployedCode }) =>
        readDeployedCode(access, address, { signal }).catch(() => undefined),
      );
    this.#codes.set(key, known);
    return known;
  }
}
