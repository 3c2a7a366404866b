/** Longest text of one value in a summary, and of all of them, in characters. */
const longest = { value: 24, all: 72 };

/** What is in a struct, short: `{owner: alice, total: 2 TON, …}`. */
export function partsSummary(
  fields: readonly { name: string; value: { text: string; note?: string | undefined } }[],
): string {
  let text = '';
  for (const [index, { name, value }] of fields.entries()) {
    // An account's name says more than its address.
    const plain = value.text.replace(/^(.+) \(-?\d+:[0-9a-f]{64}\)$/, '$1');
    const short =
      plain.length <= longest.value
        ? plain
        : plain.startsWith('{')
          ? '{…}'
          : `${plain.slice(0, 10)}…${plain.slice(-6)}`;
    const next = `${index === 0 ? '' : ', '}${name}: ${short}`;
    if (text.length + next.length > longest.all) {
      return `{${text}${index === 0 ? '' : ', '}…}`;
    }
    text += next;
  }
  return `{${text}}`;
}
