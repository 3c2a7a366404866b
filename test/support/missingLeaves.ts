import { formatUnits } from '../../src/toolkit/base/text';
import { formatInteger, formatTime } from '../../src/toolkit/trace/figures';
import { traceDocument } from '../../src/toolkit/trace/traceDocument';
import type { TraceContext } from '../../src/toolkit/trace/traceContext';
import type { TraceNode } from '../../src/toolkit/trace/traceModel';
import { hashIn } from '../../src/toolkit/trace/traceKeys';
import { transactionText } from '../../src/toolkit/trace/transactionText';

type Leaf = string | number | boolean;

/** A text this short stands in every document by chance: its name must stand before it. */
const shortest = 6;

/**
 * The values of an answer that its documents do not show: those of a transaction belong into the transaction's own
 * document, hashes of the tree and the order into that of the transaction they name, all others into that of the trace.
 * Short values count only on a line that names them.
 *
 * @param answer an answer of `/traces` whose only trace is the context's
 */
export function missingLeaves(answer: unknown, context: TraceContext): string[] {
  const whole = new Shown(traceDocument(context));
  const own = new Map(context.model.nodes.map((node) => [node.hash, node]));
  const documents = new Map<string, Shown>();
  const byMessage = new Map<string, TraceNode>();
  for (const node of context.model.nodes) {
    byMessage.set(hashIn(node.message?.hash ?? ''), node);
  }
  const documentOf = (path: readonly string[], value: Leaf): Shown => {
    const isStructure = path[2] === 'trace' || path[2] === 'transactions_order';
    const named =
      path[2] === 'transactions' && path.length > 4 ? path[3] : isStructure ? String(value) : undefined;
    const key = named === undefined ? undefined : hashIn(named);
    const node = key === undefined ? undefined : (own.get(key) ?? byMessage.get(key));
    const hash = node?.hash;
    if (hash === undefined || node === undefined) {
      return whole;
    }
    const known = documents.get(hash) ?? new Shown(transactionText(node, context));
    documents.set(hash, known);
    return known;
  };
  return leaves(answer)
    .filter(({ path, value }) => !documentOf(path, value).has(path, value))
    .map(({ path, value }) => `${path.join('/')} = ${value}`);
}

class Shown {
  readonly #lines: readonly string[];

  constructor(readonly text: string) {
    this.#lines = text.split('\n');
  }

  has(path: readonly string[], value: Leaf): boolean {
    const forms = formsOf(value);
    if (typeof value === 'string' && value.length >= shortest) {
      return forms.some((form) => isIn(form, this.text));
    }
    const names = namesOf(path);
    return this.#lines.some((line) => {
      const name = line.trimStart().split(' ', 1)[0] ?? '';
      return (
        names.some((one) => name === one || name.endsWith(`.${one}`)) &&
        forms.some((form) => isIn(form, line))
      );
    });
  }
}

/** The key of a leaf; for a place in a list the list's too; for a part of what the service decodes what it is a part of. */
function namesOf(path: readonly string[]): string[] {
  const last = path.at(-1) ?? '';
  if (path.includes('decoded')) {
    return [last, path.at(-2) ?? ''];
  }
  return /^\d+$/.test(last) ? [`${path.at(-2)}.${last}`, path.at(-2) ?? ''] : [last];
}

/** Every form in which a document may show a leaf of the answer; each says the whole value. */
function formsOf(value: Leaf): string[] {
  if (typeof value === 'boolean') {
    return [value ? 'yes' : 'no', String(value)];
  }
  const text = String(value);
  const forms = [text, text.toLowerCase()];
  if (/^-?\d+$/.test(text)) {
    forms.push(formatInteger(text), formatUnits(BigInt(text), 9));
    if (Number(text) < 1e11) {
      forms.push(formatTime(Number(text)));
    }
  }
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    forms.push(hashIn(text));
  }
  return forms;
}

/** Whether the text holds the form as a value of its own, not as a part of another. */
function isIn(form: string, text: string): boolean {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + form.length] ?? ' ';
    if (!/[\w+]/.test(before) && !/[\w+]/.test(after)) {
      return true;
    }
  }
  return false;
}

function leaves(root: unknown): { path: string[]; value: Leaf }[] {
  const found: { path: string[]; value: Leaf }[] = [];
  const stack: { path: string[]; value: unknown }[] = [{ path: [], value: root }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { path, value } = item;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      found.push({ path, value });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        stack.push({ path: [...path, key], value: child });
      }
    }
  }
  return found;
}
