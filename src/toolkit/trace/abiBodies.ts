import { describeContract } from '../abi/describeContract';
import { plainName } from '../abi/projectContract';
import type { ProjectContract } from '../abi/projectContract';
import { bodyReader } from '../layouts/bodyReader';
import type { LayoutSet } from '../layouts/cellLayout';
import type { TraceKnowledge } from './traceKnowledge';

/** What is known about contracts with available ABIs. */
export interface AbiSources {
  layouts: readonly LayoutSet[];
  project: readonly ProjectContract[];
  /** Code hash by account, lowercase hex. */
  codes: ReadonlyMap<string, string>;
  /** The user's choice of a project contract for a code. */
  chosen?: ((codeHash: string) => string | undefined) | undefined;
}

/** Decodes bodies with a project's ABIs: those of receiver and sender first, identified by code hash. */
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
