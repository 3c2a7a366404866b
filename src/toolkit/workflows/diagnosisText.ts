import type { Finding } from './diagnosedProject';

const marks: Readonly<Record<Finding['state'], string>> = { good: '✓', wrong: '✗', open: '·' };

/**
 * The findings as text to read and to copy into a report: the first cause, then all that was looked at.
 * @param facts versions and places, which a report needs
 */
export function diagnosisText(
  findings: readonly Finding[],
  facts: readonly (readonly [name: string, value: string])[],
): string {
  const [first] = findings;
  const isFine = first?.state !== 'wrong';
  return [
    isFine || first === undefined ? 'Nothing is wrong.' : first.text,
    ...(isFine || first?.next === undefined ? [] : [first.next]),
    '',
    ...findings.flatMap(({ subject, state, text, next }) => [
      `${marks[state]} ${subject}: ${text}`,
      ...(next === undefined ? [] : [`    ${next}`]),
    ]),
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
  ].join('\n');
}
