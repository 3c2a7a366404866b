import { describeContract } from '../abi/describeContract';
import { plainName } from '../abi/projectContract';
import type { ProjectContract } from '../abi/projectContract';
import { bodyReader } from '../layouts/bodyReader';
import type { LayoutSet } from '../layouts/cellLayout';
import type { TraceKnowledge } from './traceKnowledge';

/** What is known of the contracts whose ABIs are at hand. */
export interface AbiSources {
  layouts: readonly LayoutSet[];
  project: readonly ProjectContract[];
  /** Hash of the code cell by account, lower-case hex. */
  codes: ReadonlyMap<string, string>;
  /** The contract of the project that the user said a code is. */
  chosen?: ((codeHash: string) => string | undefined) | undefined;
}

/** Bodies by the ABIs of a project: the receiver's and the sender's own first, as the hash of their code tells. */
export function abiBodies({ layouts, project, codes, chosen }: AbiSources): TraceKnowledge['decodeBody'] {
  if (layouts.length === 0) {
    return undefined;
  }
  const read = bodyReader(layouts);
  const names = new Map<string, string | undefined>();
  const contractOf = (account: string | undefined): string | undefined => {
    const codeHash = account === undefined ? undefined : codes.get(account);
    if (codeHash === undefined) {
      return undefined;
    }
    if (!names.has(codeHash)) {
      const { name } = describeContract({ codeHash }, project, chosen?.(codeHash));
      names.set(codeHash, name === undefined ? undefined : plainName(name));
    }
    return names.get(codeHash);
  };
  return (message, account) => {
    const body = message.message_content?.body;
    const source = message.source ?? undefined;
    const parties = new Set([contractOf(account), contractOf(source)]);
    return typeof body === 'string' ? read(body, (contract) => parties.has(plainName(contract))) : undefined;
  };
}
