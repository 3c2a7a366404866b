import * as vscode from 'vscode';
import type { CodeTarget } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { readAddressForm, toFriendlyAddress } from '../../toolkit/address/canonicalAddress';
import { formatTable } from '../../toolkit/base/formatTable';
import { WorkbenchError } from '../../toolkit/base/errors';
import { clockTime, fileName } from '../../toolkit/base/text';
import type { Network } from '../../toolkit/access/network';
import { oneContract } from '../../toolkit/build/oneContract';
import { contractName } from '../../toolkit/build/readBuiltContract';
import { sourceCodes } from '../../toolkit/build/sourceCodes';
import type { ProjectContract } from '../../toolkit/contracts/abi/projectContract';
import { plainName } from '../../toolkit/contracts/abi/projectContract';
import { readSignatures } from '../../toolkit/contracts/abi/readSignatures';
import { readDeployedCode } from '../../toolkit/getMethods/readDeployedCode';
import type { SourceVerdict } from '../../toolkit/workflows/verifyContract';
import { changeWords, codeVerdict, verdictWords } from '../../toolkit/workflows/verifyContract';
import { perWindow } from '../networks/sourceNames';
import { accountWord } from '../project/accountName';
import type { Services } from '../project/services';
import { sourceProblems } from '../project/sourceProblems';
import { plainLensText } from '../ui/plainText';
import { withProgress } from '../ui/withProgress';

/**
 * Whether deployed contracts are what their sources say. A lens shows what is known from earlier readings and compilations;
 * only a click asks the network, and compiles if it must.
 */
class SourceVerdicts {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Comparisons of two codes, by their hashes: that of the chain, that of the source. */
  readonly #compared = new Map<string, SourceVerdict>();

  /** The lens above a source: its verdict, or the offer to find it out. */
  command(
    services: Services,
    document: vscode.TextDocument,
    { address, label }: { address: string; label: string },
    contracts: readonly ProjectContract[],
  ): vscode.Command {
    const network = services.networks.current();
    const read = readCode(services, network, address);
    const now = compiledNow(document, contracts);
    const verdict = read && this.#known(read.codeHash, now);
    const target: CodeTarget = { file: document.uri.toString(), addresses: [address] };
    if (read === undefined || verdict === undefined) {
      return asCommand('tonWorkbench.verifySource', `$(verified) Verify ${plainLensText(label)}`, target);
    }
    const words = verdictWords(
      verdict,
      fileName(document.fileName),
      services.project.compilerOf(verdict.sourceHash),
    );
    const icon = verdict.state === 'same' ? 'verified-filled' : 'warning';
    return {
      ...asCommand('tonWorkbench.verifySource', `$(${icon}) ${plainLensText(`${label} ${words}`)}`, target),
      tooltip: `Its code was read from ${network.name} at ${clockTime(read.at / 1000)}. Click to read it again and see the whole verdict.`,
    };
  }

  /**
   * Compares the code on the chain with what a source compiles to, and shows the whole verdict.
   * @throws WorkbenchError `workspace-not-trusted` (input), the network's errors, and as {@link ProjectContracts.compile}
   */
  async verify(services: Services, { file, addresses: [address = ''] }: CodeTarget): Promise<void> {
    const network = services.networks.current();
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file, true));
    const { code, codeHash } = await withProgress('Reading the code', async (signal) =>
      readDeployedCode(await services.connections.open(network, signal), address, {
        signal,
        priority: 'user',
      }),
    );
    if (codeHash !== undefined) {
      services.project.noteRead({ network: network.name, address, codeHash, at: Date.now() });
    }
    const now = compiledNow(document, await services.project.list());
    const known = codeHash === undefined ? undefined : this.#known(codeHash, now);
    const isWhole = known !== undefined && (known.state === 'same' || known.methods !== undefined);
    const verdict = isWhole ? known : await this.#compare(services, document, { code, codeHash });
    this.#changed.fire();
    const compiledBy = services.project.compilerOf(verdict.sourceHash);
    const label = accountWord(services, network)(address);
    const source = vscode.workspace.asRelativePath(document.uri);
    const testOnly = network.kind === 'testnet';
    const rows = [
      ['contract', toFriendlyAddress(readAddressForm(address), { bounceable: true, testOnly })],
      ['network', network.name],
      ['source', source],
      ['compiler', compiledBy ?? 'unknown'],
      ['code on the chain', verdict.chainHash ?? 'none'],
      ['code of the source', verdict.sourceHash],
    ];
    const methods = (verdict.methods ?? []).map(({ name, change }) => `${name}: ${changeWords[change]}`);
    const text = [
      `${label} on ${network.name} ${verdictWords(verdict, source, compiledBy)}`,
      '',
      ...formatTable(rows, ['left', 'left']),
      ...(methods.length === 0 ? [] : ['', ...methods]),
      ...(verdict.state === 'differs' && verdict.methods === undefined
        ? ['', 'One of the codes is not made of methods that can be read, so only the hashes are compared.']
        : []),
    ];
    await services.documents.show(
      `verdict/${label} on ${network.name}`,
      { text: `${text.join('\n')}\n`, lenses: [] },
      { language: 'ton-report' },
    );
  }

  async #compare(
    services: Services,
    document: vscode.TextDocument,
    chain: Awaited<ReturnType<typeof readDeployedCode>>,
  ): Promise<SourceVerdict> {
    if (!vscode.workspace.isTrusted) {
      throw new WorkbenchError({
        code: 'workspace-not-trusted',
        kind: 'input',
        message: 'Nothing is compiled, so the source cannot be compared: this window is not trusted.',
        hint: 'Trust the workspace first (Workspaces: Manage Workspace Trust).',
      });
    }
    const built = await withProgress('Compiling', () => sourceProblems(services).compile(document.uri));
    const signatures = await readSignatures(document.fileName, document.getText());
    const verdict = codeVerdict(
      chain,
      oneContract(built, document.fileName),
      signatures.map(({ name }) => name),
    );
    this.#compared.set(`${verdict.chainHash ?? ''} ${verdict.sourceHash}`, verdict);
    return verdict;
  }

  /** What two hashes say, with the methods if they were compared. */
  #known(chainHash: string, sourceHash: string | undefined): SourceVerdict | undefined {
    if (sourceHash === undefined) {
      return undefined;
    }
    const isSame = chainHash === sourceHash;
    return (
      this.#compared.get(`${chainHash} ${sourceHash}`) ?? {
        ...{ chainHash, sourceHash },
        ...(isSame ? { state: 'same', methods: [] } : { state: 'differs', methods: undefined }),
      }
    );
  }
}

/** The verdicts of this window. */
export const sourceVerdicts = perWindow(() => new SourceVerdicts());

/** The code of a contract as this project has last read it. */
function readCode(
  { project }: Services,
  { name }: Network,
  address: string,
): { codeHash: string; at: number } | undefined {
  return project.readCodes().findLast((one) => one.network === name && one.address === address);
}

/** Hash of what the current text compiles to, if it was compiled. */
function compiledNow(
  document: vscode.TextDocument,
  contracts: readonly ProjectContract[],
): string | undefined {
  if (document.isDirty) {
    return undefined;
  }
  const { current } = sourceCodes(vscode.workspace.asRelativePath(document.uri), contracts);
  const [only, another] = current.values();
  return another === undefined ? only : current.get(plainName(contractName(document.fileName)));
}
