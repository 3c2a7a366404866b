import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { Services } from '../project/services';
import { ToolProcess } from './toolProcess';

/** What editors newer than the oldest supported one have. */
interface NewerEditor {
  lm: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: {
        onDidChangeMcpServerDefinitions: vscode.Event<void>;
        provideMcpServerDefinitions(): object[];
      },
    ): vscode.Disposable;
  };
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    environment: Record<string, string>,
    version: string,
  ) => object;
}

const settingName = 'tonWorkbench.agents.allowedNetworks';

/** The tools for agents of this window, which run in a process of their own. */
export class AgentTools {
  #process: ToolProcess | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[];

  constructor(private readonly services: Pick<Services, 'context' | 'log'>) {
    this.#disposables = [
      this.#changed,
      ...this.#serverProvider(),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(settingName)) {
          this.#change();
        }
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#change()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#change()),
    ];
  }

  /**
   * Calls a tool by its name in the editor.
   * @throws WorkbenchError `tools-unavailable`, `aborted`
   */
  async invoke(
    name: string,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    this.#process ??= new ToolProcess(this.#arguments(), this.services.log);
    const text = await this.#process.call(name.replace(/^ton_workbench_/, ''), input, token);
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  dispose(): void {
    this.#process?.dispose();
    this.#disposables.forEach((one) => void one.dispose());
  }

  /** The next call starts a process that knows what has changed. */
  #change(): void {
    this.#process?.dispose();
    this.#process = undefined;
    this.#changed.fire();
  }

  /** None in an editor that knows no servers. */
  #serverProvider(): vscode.Disposable[] {
    const { lm, McpStdioServerDefinition: Definition } = vscode as unknown as NewerEditor;
    if (lm.registerMcpServerDefinitionProvider === undefined || Definition === undefined) {
      return [];
    }
    const { version } = this.services.context.extension.packageJSON as { version: string };
    const environment = { ELECTRON_RUN_AS_NODE: '1' };
    try {
      const provider = lm.registerMcpServerDefinitionProvider('tonWorkbench.tools', {
        onDidChangeMcpServerDefinitions: this.#changed.event,
        provideMcpServerDefinitions: () =>
          hasProject()
            ? [new Definition('TON Workbench', process.execPath, this.#arguments(), environment, version)]
            : [],
      });
      return [provider];
    } catch (error) {
      // VS Code 1.100 had a draft of this, under another name in package.json.
      this.services.log.debug(`This editor takes no servers of tools: ${String(error)}`);
      return [];
    }
  }

  /** @throws WorkbenchError `tools-unavailable` (input) */
  #arguments(): string[] {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    if (folder === undefined || !hasProject()) {
      const { isTrusted } = vscode.workspace;
      throw new WorkbenchError({
        code: 'tools-unavailable',
        kind: 'input',
        message: isTrusted
          ? 'The tools of TON Workbench work in a folder, and none is open.'
          : 'The tools of TON Workbench run code of the folder, which is not trusted.',
        hint: isTrusted
          ? 'Ask the user to open the folder of the project.'
          : 'Ask the user to trust the folder.',
      });
    }
    const program = vscode.Uri.joinPath(this.services.context.extensionUri, 'dist', 'cli.js');
    const networks = readSetting(vscode.workspace, settingName);
    return [
      program.fsPath,
      ...['mcp', '--root', folder.uri.fsPath],
      ...networks.flatMap((name) => ['--allow-network', name]),
    ];
  }
}

function hasProject(): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.workspaceFolders?.[0]?.uri.scheme === 'file';
}
