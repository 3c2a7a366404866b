import type { TracePage } from '../../protocol/tracePage';
import { accountOf } from './pageText';

/** Indexes of the nodes matching a text: names, addresses, messages, values, results, changes. None for no text. */
export function findNodes(page: TracePage, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') {
    return [];
  }
  const found: number[] = [];
  page.nodes.forEach((node, index) => {
    const { name, account, letter } = accountOf(page, node);
    const { hash, message, opcode, value, jettons, result, change } = node;
    const fields = [name, account, hash, message, opcode, value, jettons, result, change];
    if (letter.toLowerCase() === wanted || fields.some((field) => field.toLowerCase().includes(wanted))) {
      found.push(index);
    }
  });
  return found;
}
