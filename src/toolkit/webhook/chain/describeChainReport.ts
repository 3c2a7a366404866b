import { visibleText } from '../../base/text';
import type { ChainField, ChainReport } from './checkAgainstChain';

const symbols: Readonly<Record<ChainField['verdict'], string>> = { equal: '✓', differs: '✗', unknown: '·' };

/** A comparison with the chain, as text. */
export function describeChainReport(report: ChainReport, network: string): string {
  const count = (verdict: ChainField['verdict']): number =>
    report.fields.filter((field) => field.verdict === verdict).length;
  const verdict =
    report.traceId === undefined
      ? `· not found on ${network}`
      : report.ok
        ? `✓ as recorded on ${network}`
        : `✗ not as recorded on ${network}`;
  const lines = report.fields.flatMap(({ field, verdict: one, payload, chain, note }) => {
    const remark = note === '' ? '' : `  (${visibleText(note)})`;
    const first = `  ${symbols[one]} ${field.padEnd(9)}  ${one.padEnd(7)}  ${shown(payload)}${remark}`;
    return one === 'differs' ? [first, `${' '.repeat(22)}${shown(chain ?? '')}  on the chain`] : [first];
  });
  return `${[
    `${verdict}: ${count('equal')} fields equal, ${count('differs')} different, ${count('unknown')} unknown`,
    ...lines,
  ].join('\n')}\n`;
}

function shown(text: string): string {
  return text === '' ? '(none)' : visibleText(text, 200);
}
