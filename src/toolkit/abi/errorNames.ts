import { describeContract } from './describeContract';
import type { ProjectContract } from './projectContract';

/**
 * The contracts' own names of exit codes, by account: from the project's sources and ABIs for the code that runs
 * there.
 *
 * @param codes hash of the code cell by account, lowercase hex
 * @param chosen the user's choice of a project contract for a code
 */
export function errorNames(
  codes: ReadonlyMap<string, string>,
  project: readonly ProjectContract[],
  chosen: (codeHash: string) => string | undefined = () => undefined,
): (account: string, exitCode: number) => string | undefined {
  const known = new Map<string, ReadonlyMap<number, string>>();
  return (account, exitCode) => {
    const codeHash = codes.get(account);
    if (codeHash === undefined) {
      return undefined;
    }
    const errors = known.get(codeHash) ?? describeContract({ codeHash }, project, chosen(codeHash)).errors;
    known.set(codeHash, errors);
    return errors.get(exitCode);
  };
}
