import { methodNamed } from '../contracts/abi/methodNamed';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import { knownMethodName } from '../getMethods/knownMethodName';
import type { SourceMap } from '../sourceMap/sourceMap';
import type { TestRecord, TestRecording } from './testRecording';

/** The hash of the code of the wallets that the sandbox makes for tests. */
export const treasuryCode = 'd992502b94ea96e7b34e5d62ffb0c6fc73d78b3e61f11f0848fb3a1eb1afc912';

/** What a record is, in a few words: `get-method total`, `an external message that was not accepted`. */
export function recordWords(
  record: TestRecord,
  description?: Pick<ContractDescription, 'methods'>,
  map?: Pick<SourceMap, 'methods'>,
): string {
  switch (record.kind) {
    case 'get': {
      const id = record.methodId;
      const compiled = map?.methods.find((method) => method.id === id)?.name;
      const name = compiled ?? methodNamed(description, String(id))?.name ?? knownMethodName(id);
      return `get-method ${name ?? id}`;
    }
    case 'message':
      return record.transaction === undefined ? 'a message that was not accepted' : 'a message';
    default:
      return `a ${record.kind}`;
  }
}

/** Where a test made the call: `tests/Till.spec.ts:32`. */
export function recordPlace({ header }: Pick<TestRecording, 'header'>, { at }: TestRecord): string {
  return at === undefined ? header.file : `${at.file ?? header.file}:${at.line}`;
}

/** Why a record may not run again exactly, in a word each. */
export function recordDoubts(
  { header }: Pick<TestRecording, 'header'>,
  { replaced, seed }: TestRecord,
  engine: string,
): RecordDoubt[] {
  return [
    ...(seed === undefined ? ['seed unknown' as const] : []),
    ...(header.versions.engine !== undefined && header.versions.engine !== engine
      ? ['other engine' as const]
      : []),
    ...(replaced === true ? ['executor replaced' as const] : []),
  ];
}

/** A reason why a record may not run again exactly. */
type RecordDoubt = 'seed unknown' | 'other engine' | 'executor replaced';
