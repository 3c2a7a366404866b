import { abiUnreadableError } from './abiErrors';
import { inferFuncResults } from './inferFuncResults';
import { readFuncSource } from './readFuncSource';
import type { GetMethodSignature } from './getMethodSignature';
import { limits, overLimitError } from '../limits';
import { SourceReadings } from './sourceReadings';
import { readTactSource } from './readTactSource';
import { readTolkSource } from './readTolkSource';
import { readWrapperSource } from './readWrapperSource';

/** Extensions of files that signatures can be read from. */
const signatureFileEndings = ['.tolk', '.fc', '.func', '.tact', '.abi', '.pkg', '.json', '.ts'] as const;

/**
 * The get-methods that a file describes, by its extension: Tolk, FunC, and Tact source, the ABI of the Tact compiler
 * (.abi, .pkg) and of the Tolk compiler (.json), TypeScript wrappers.
 *
 * @param imported texts of the same language that declare types used here
 * @param readings caches parsed texts
 * @throws WorkbenchError `abi-unreadable`, `over-limit` (input)
 */
export async function readSignatures(
  fileName: string,
  text: string,
  imported: readonly string[] = [],
  readings = new SourceReadings(),
): Promise<GetMethodSignature[]> {
  const ending = /\.[a-z]+$/i.exec(fileName)?.[0].toLowerCase() ?? '';
  const limit = isSource(ending) ? 'sourceText' : 'projectFileBytes';
  if (text.length > limits[limit].most) {
    throw overLimitError(limit, { what: `The file ${fileName}` });
  }
  switch (ending) {
    case '.tolk':
      return readTolkSource(text, imported, readings);
    case '.fc':
    case '.func':
      return inferFuncResults(
        text,
        readings.of('func', text, () => readFuncSource(text)),
        imported,
        readings,
      );
    case '.tact':
      return readTactSource(text, imported, readings);
    case '.ts':
      return readWrapperSource(text);
    case '.abi':
    case '.pkg':
      return (await import('./readTactAbi')).readTactAbi(text).methods;
    case '.json':
      return /"abi_schema_version"/.test(text)
        ? (await import('./readTolkAbi')).readTolkAbi(text).methods
        : (await import('./readTactAbi')).readTactAbi(text).methods;
    default:
      throw abiUnreadableError(
        'file with get-methods',
        `the extension of ${JSON.stringify(fileName)} is not one of ${signatureFileEndings.join(' ')}`,
      );
  }
}

/** Sources are small; anything larger was generated, or is not a source. */
function isSource(ending: string): boolean {
  return ['.tolk', '.fc', '.func', '.tact', '.ts'].includes(ending);
}
