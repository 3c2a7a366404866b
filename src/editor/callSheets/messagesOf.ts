import path from 'node:path';
import * as vscode from 'vscode';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { SheetMessages } from '../../toolkit/workflows/sheetRunTypes';
import type { EmulatorThread } from '../project/emulatorThread';
import { methodsOf } from '../project/methodsOf';
import { projectWords } from '../project/projectWords';
import type { Services } from '../project/services';
import { coinLabel, readWorkspaceFile } from '../ui/readWorkspaceFile';
import type { OpenSheetNetwork } from './contractsOfSheets';

/**
 * How a sheet's `send` and `deploy` steps read messages and sources. In an untrusted window, nothing is
 * compiled, and messages are sent only to the window's own local network.
 *
 * @param emulator runs `replay` steps
 * @param onBuilt called after a source was compiled, when more may be known about contracts
 */
export function messagesOf(
  services: Services,
  document: vscode.TextDocument,
  onBuilt: () => void,
  emulator: EmulatorThread,
): SheetMessages<OpenSheetNetwork> {
  const { networks, project } = services;
  return {
    allow: ({ network }) => {
      if (!vscode.workspace.isTrusted && network.name !== networks.local().name) {
        throw notTrustedError(`Nothing is sent to ${network.name}`);
      }
    },
    layouts: async () => {
      const { projectLayouts } = await import('../../toolkit/contracts/layouts/projectLayouts');
      return projectLayouts(await project.list());
    },
    contractAt: async (address, { network }, signal) => {
      const { name, file } = await methodsOf(services, network, address, signal);
      return name === undefined ? undefined : { name, file };
    },
    describe: async (model, { accounts }) => {
      const [{ describeTrace }, { namesInTraces }] = await Promise.all([
        import('../../toolkit/workflows/describeTrace'),
        import('../../toolkit/workflows/namesInTraces'),
      ]);
      const names = namesInTraces(networks.local(), accounts);
      return describeTrace(model, { names, coin: coinLabel(), ...projectWords(project) });
    },
    replays: {
      open: async (file) => {
        const { openReplayFile } = await import('../../toolkit/replay/replayFile');
        const uri = vscode.Uri.file(path.resolve(path.dirname(document.uri.fsPath), file));
        return openReplayFile(new TextDecoder().decode(await readBytes(uri, file, 'replayFile')));
      },
      emulator: () => emulator.get(),
    },
    build: async (file) => {
      if (!vscode.workspace.isTrusted) {
        throw notTrustedError('Nothing is compiled or deployed');
      }
      const [{ readBuiltContract }, { oneContract }, { projectStorage }] = await Promise.all([
        import('../../toolkit/build/readBuiltContract'),
        import('../../toolkit/build/oneContract'),
        import('../../toolkit/contracts/layouts/projectLayouts'),
      ]);
      const uri = vscode.Uri.file(path.resolve(path.dirname(document.uri.fsPath), file));
      const built =
        sourceLanguage(file) !== undefined
          ? oneContract(await project.compile(uri), file)
          : readBuiltContract(new TextDecoder().decode(await readBytes(uri, file)), uri.path);
      onBuilt();
      const contract = { name: built.name, file: vscode.workspace.asRelativePath(uri) };
      return { built, contract, storage: await projectStorage(await project.list(), contract) };
    },
  };
}

async function readBytes(
  uri: vscode.Uri,
  file: string,
  limit: 'givenFile' | 'replayFile' = 'givenFile',
): Promise<Uint8Array> {
  try {
    return await readWorkspaceFile(uri, limit);
  } catch (cause) {
    if (WorkbenchError.is(cause, 'over-limit')) {
      throw cause;
    }
    throw new WorkbenchError({
      code: 'file-unreadable',
      kind: 'input',
      message: `The file ${file} cannot be read.`,
      hint: 'Give its path from the folder of the sheet.',
      cause,
    });
  }
}

function notTrustedError(what: string): WorkbenchError {
  return new WorkbenchError({
    code: 'workspace-not-trusted',
    kind: 'input',
    message: `${what}: this window is not trusted.`,
    hint: 'Trust the workspace first (Workspaces: Manage Workspace Trust).',
  });
}
