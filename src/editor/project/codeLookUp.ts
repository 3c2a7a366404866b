import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { codeNamesIn } from '../../toolkit/build/olderCodeTitle';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { inputReason } from '../../toolkit/base/text';
import { perWindow } from '../networks/sourceNames';
import type { LookUp } from '../ui/askText';
import type { ProjectServices } from './methodsOf';
import type { ProjectContracts } from './projectContracts';

/** The codes that were compiled for texts, by the names in these, until a file changes. */
const compiled = perWindow(({ project }: ProjectServices) => {
  const codes = new Map<string, Cell>();
  project.onDidChange(() => codes.clear());
  return codes;
});

/** The codes of the workspace's contracts that texts may use by name: those that {@link codeLookUp} has found. */
export function compiledCodes(services: ProjectServices): ReadonlyMap<string, Cell> {
  return compiled(services);
}

/** Compiles the contracts whose codes a typed text uses by name, `code JettonWallet`, besides what `other` looks up. */
export function codeLookUp(services: ProjectServices, other: LookUp): LookUp {
  const problems = new Map<string, string>();
  const look = async (text: string, names: readonly string[]): Promise<void> => {
    try {
      const found = await workspaceCodes(services.project, text);
      found.forEach((code, name) => compiled(services).set(name, code));
      names
        .filter((name) => !found.has(name))
        .forEach((name) => problems.set(name, `No contract of the workspace is called “${name}”.`));
    } catch (error) {
      names.forEach((name) => problems.set(name, inputReason(error)));
    }
  };
  return {
    begin: (text) => {
      const missing = codeNamesIn(text).filter((name) => !compiled(services).has(name));
      const [problem] = missing.flatMap((name) => problems.get(name) ?? []);
      const rest = other.begin(text);
      if (problem !== undefined || typeof rest === 'string' || missing.length === 0) {
        return problem ?? rest;
      }
      return Promise.all([rest, look(text, missing)]).then(() => undefined);
    },
    shown: (text) => other.shown(text),
  };
}

/**
 * The codes of the workspace's contracts that a text uses by name, `code JettonWallet`. They are remembered, so that
 * contracts with them are recognized later, whoever deploys these. In an untrusted window, nothing is compiled.
 *
 * @throws WorkbenchError those of compiling and of reading build output
 */
export async function workspaceCodes(
  project: ProjectContracts,
  text: string,
): Promise<ReadonlyMap<string, Cell>> {
  if (codeNamesIn(text).length === 0 || !vscode.workspace.isTrusted) {
    return new Map();
  }
  const { namedCodes } = await import('../../toolkit/build/namedCodes');
  return namedCodes(text, await project.list(), async (file): Promise<readonly BuiltContract[]> => {
    const uri = project.uriOf(file);
    if (uri === undefined) {
      return [];
    }
    if (sourceLanguage(file) !== undefined) {
      return project.compile(uri);
    }
    const [{ readBuiltContract }, { readWorkspaceText }] = await Promise.all([
      import('../../toolkit/build/readBuiltContract'),
      import('../ui/readWorkspaceFile'),
    ]);
    return [readBuiltContract(await readWorkspaceText(uri, 'givenFile'), uri.path)];
  });
}
