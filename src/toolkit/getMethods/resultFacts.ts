import { groupDigits } from '../text';
import type { GetMethodResult } from './getMethodResult';

/** The exit code for people: `exit 11`, or that it is unknown. */
export function exitFact({ exitCode }: Pick<GetMethodResult, 'exitCode'>): string {
  return exitCode === null ? 'exit code unknown' : `exit ${exitCode}`;
}

/** The gas for people: `gas 1 234`, or that it is unknown. */
export function gasFact({ gasUsed }: Pick<GetMethodResult, 'gasUsed'>): string {
  return gasUsed === null ? 'gas unknown' : `gas ${groupDigits(gasUsed)}`;
}
