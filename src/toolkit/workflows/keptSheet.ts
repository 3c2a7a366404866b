import { isSuccessCode } from '../contracts/standardExitCode';
import type { FuzzFinding } from './fuzzSheet';

/**
 * The sheet with the lines of a finding, so that a run of it fails until the fault is mended.
 *
 * @param place as {@link FuzzedSheet} has it
 */
export function keptSheet(
  text: string,
  place: number,
  { fault, lines }: Pick<FuzzFinding, 'fault' | 'lines'>,
): string {
  const added = lines.flatMap(({ text: line, exitCode }, index) => {
    const isFaulty = fault.kind === 'exit' && index === lines.length - 1;
    const failed = exitCode !== null && !isSuccessCode(exitCode);
    return [
      line,
      ...(isFaulty ? [`expect exit != ${fault.code}`] : failed ? [`expect exit ${exitCode}`] : []),
    ];
  });
  const note = fault.kind === 'coins' ? ['# Coins do not add up after this.'] : [];
  const at = insertionPoint(text, place);
  const head = text.slice(0, at);
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${[...added, ...note].map((line) => `${line}\n`).join('')}${text.slice(at)}`;
}

/** The beginning of the line of an expectation, or the end of the line of a message. */
function insertionPoint(text: string, place: number): number {
  if (/^expect\b/.test(text.slice(place, place + 7))) {
    return text.lastIndexOf('\n', place - 1) + 1;
  }
  const end = text.indexOf('\n', place);
  return end < 0 ? text.length : end + 1;
}
