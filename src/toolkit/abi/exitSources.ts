import type { ExitSource } from '../exitCodes';
import { describeContract } from './describeContract';
import type { ProjectContract } from './projectContract';

/**
 * What the project's sources and ABIs say about exit codes, by account, according to the code that runs
 * there.
 *
 * @param codes hash of the code cell by account, lowercase hex
 * @param chosen the user's choice of a project contract for a code
 */
export function exitSources(
  codes: ReadonlyMap<string, string>,
  project: readonly ProjectContract[],
  chosen: (codeHash: string) => string | undefined = () => undefined,
): (account: string) => ExitSource | undefined {
  const known = new Map<string, ExitSource>();
  return (account) => {
    const codeHash = codes.get(account);
    if (codeHash === undefined) {
      return undefined;
    }
    const source = known.get(codeHash) ?? describeContract({ codeHash }, project, chosen(codeHash));
    known.set(codeHash, source);
    return source;
  };
}
