import { formatTable } from '../../base/formatTable';
import type { NetworkDiagnosis, NetworkFinding } from './chainFindings';

const marks: Readonly<Record<NetworkFinding['state'], string>> = {
  good: '✓',
  wrong: '✗',
  open: '·',
  'not asked': '?',
};

/** A diagnosis as text to read and to copy: what is wrong first, each line with what to do about it. */
export function networkDiagnosisText(
  name: string,
  { findings, requests, elapsedMs }: Pick<NetworkDiagnosis, 'findings' | 'requests' | 'elapsedMs'>,
): string {
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  const unasked = findings.filter(({ state }) => state === 'not asked').length;
  const summary = [
    wrong === 0 ? 'nothing found that is wrong' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong`,
    ...(unasked === 0 ? [] : [`${unasked} not asked`]),
  ].join(', ');
  const lines = formatTable(
    findings.map(({ subject, state, text }) => [
      marks[state],
      subject,
      state === 'not asked' ? `Not asked. ${text}` : text,
    ]),
    ['left', 'left', 'left'],
  );
  const indent = ' '.repeat(4);
  return [
    `${name}: ${summary}.`,
    '',
    ...findings.flatMap(({ next }, index) => [
      lines[index] ?? '',
      ...(next === undefined ? [] : [`${indent}${next}`]),
    ]),
    '',
    `${requests} ${requests === 1 ? 'request' : 'requests'} in ${(elapsedMs / 1000).toFixed(1)} s. Nothing was sent to the chain.`,
  ].join('\n');
}
