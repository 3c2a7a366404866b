import { describeContract } from './describeContract';
import type { ProjectContract } from './projectContract';

/**
 * The contracts' own names of exit codes, by account: what the project's sources and ABIs tell of the code that runs there.
 *
 * @param codes hash of the code cell by account, lower-case hex
 * @param chosen the contract of the project that the user said a code is
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
