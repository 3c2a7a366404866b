import { contractGroup } from './contractGroups';
import type { ContractRef } from './contractGroups';
import type { ProjectContract } from './projectContract';
import { sourceLanguage } from './sourceReadings';

/**
 * The file of a project from which a contract can be deployed: what its build has written, that of the current text first,
 * else its source if that is compiled here; undefined if there is neither.
 */
export function builtFile(project: readonly ProjectContract[], contract: ContractRef): string | undefined {
  const { parts = [], source } = contractGroup(project, contract) ?? {};
  const built = parts.filter(
    ({ file, codeHash }) => codeHash !== undefined && sourceLanguage(file) === undefined,
  );
  const current = built.find(({ hasChanged }) => hasChanged !== true) ?? built[0];
  return current?.file ?? (source?.endsWith('.tolk') === true ? source : undefined);
}
