import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { GetMethodSignature } from '../../toolkit/abi/getMethodSignature';
import { readSignatures } from '../../toolkit/abi/readSignatures';
import { WorkbenchError } from '../../toolkit/errors';
import type { Services } from '../services';
import { deployedOf } from './deployedOf';

/** The lenses of a source: above each get-method, where it was last run, and a choice of where to run it. */
export async function lensesOf(
  services: Services,
  document: vscode.TextDocument,
): Promise<vscode.CodeLens[]> {
  let signatures: GetMethodSignature[];
  try {
    signatures = await readSignatures(document.fileName, document.getText());
  } catch (error) {
    if (!WorkbenchError.is(error, 'over-limit')) {
      throw error;
    }
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title: error.message, command: '' })];
  }
  const network = services.networks.current().name;
  return signatures.flatMap(({ name, contract, offset }) => {
    if (offset === undefined) {
      return [];
    }
    const start = document.positionAt(offset);
    const range = new vscode.Range(start, start);
    const target = { method: name, contract: contract ?? baseName(document.fileName) };
    const last = deployedOf(services, network, target.contract);
    const again =
      last === undefined
        ? []
        : [
            asCommand('tonWorkbench.runOnContract', `$(play) Run on ${last.label}`, {
              ...target,
              address: last.address,
            }),
          ];
    const choose = asCommand(
      'tonWorkbench.runOnContract',
      last === undefined ? '$(play) Run on…' : 'another…',
      target,
    );
    return [...again, choose].map((command) => new vscode.CodeLens(range, command));
  });
}

function baseName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.[a-z]+$/i, '');
}
