import type { Cell } from '@ton/core';
import { codeNamesIn } from '../../toolkit/build/codeNamesIn';
import { inputReason } from '../../toolkit/inputReason';
import { perWindow } from '../networks/perWindow';
import type { LookUp } from '../ui/lookUp';
import { workspaceCodes } from './workspaceCodes';
import type { ProjectServices } from './methodsOf';

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
