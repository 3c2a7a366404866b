import { shortenMiddle } from '../base/text';
import { withoutTrailing } from '../base/errors';
import type { SourcePlace } from './sourceMap';

/** What a value is that is not known. */
const notKnown = '?';
/** Longer values, such as addresses, are shortened. */
const longest = 24;

const tokenPattern =
  /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|0x[0-9a-fA-F]+|\d[\d_]*|==|!=|<=|>=|&&|\|\||<<|>>|[-+*/%<>!&|^]/g;

/** Statements that end an execution, as the three languages write them. */
const throwing = /\b(?:assert|require|(?:nativeT|t)hrow\w*)\b/;

/**
 * What decided that a line threw: its condition, without what it throws, because the verdict has that. Of a statement
 * that goes over several lines it is all of it, of a function that is written in one line only the statement.
 */
export function decidingCode({ text, statement, function: around }: SourcePlace): string {
  const [withoutComment = ''] = (statement ?? text).split(/\/\/|;;/);
  const code = withoutTrailing(statementIn(withoutComment, around), ' \t\r\n;,{}');
  const [, condition] =
    /^(assert\s*\(.*\))\s*throw\b/.exec(code) ??
    /^(?:\} ?)?(?:else ?)?((?:if|ifnot|elseif|elseifnot) ?\(.*\)) ?\{? ?throw\b/.exec(code) ??
    [];
  return condition ?? code;
}

/** The statement that throws in a function that is written in one line. */
function statementIn(text: string, around: string | undefined): string {
  const open = text.indexOf('{');
  const name = around?.slice(around.lastIndexOf('.') + 1) ?? '';
  const head = text.slice(0, Math.max(0, open));
  const rest = text.slice(open + 1).trim();
  if (name === '' || rest === '' || !head.includes(name) || /^(?:if|while|repeat|for|else|\})/.test(head)) {
    return text.trim();
  }
  const [thrown, ...others] = rest.split(';').filter((part) => throwing.test(part));
  // Of several that throw, the line does not tell which it was.
  return thrown === undefined || others.length > 0 ? rest : thrown.trim();
}

/** The names in a line, in its order: `st.spent`; of a method that is called only what it is called on. */
export function namesInCode(text: string): string[] {
  return [...text.matchAll(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g)].flatMap(({ 0: word, index }) => {
    const dot = word.lastIndexOf('.');
    const isCall = text.slice(index + word.length).startsWith('(');
    return !isCall ? [word] : dot < 0 ? [] : [word.slice(0, dot)];
  });
}

/**
 * The values of the names in a code, aligned under it for letters of equal width:
 *
 *     assert (st.spent + amount <= st.limit)
 *             6 TON    + 6 TON  <= 10 TON
 *
 * @param values by name, as the source writes it: `st.spent`
 * @param unknown names without a value: each has a `?`
 * @returns empty if the code names nothing
 */
export function valuesUnder(
  code: string,
  values: ReadonlyMap<string, string>,
  unknown: ReadonlySet<string>,
): string {
  const items = [...code.matchAll(tokenPattern)].flatMap(({ 0: word, index }) => {
    const isName = /^[A-Za-z_$]/.test(word);
    const value = isName ? valueOf(word, values, unknown) : word;
    const isOperand = isName || /^\d/.test(word);
    return value === undefined ? [] : [{ column: index, text: value, isOperand, isName }];
  });
  if (!items.some(({ isName }) => isName)) {
    return '';
  }
  let line = '';
  for (const [index, { column, text: value, isOperand }] of items.entries()) {
    // An operator says nothing without what stands on its sides.
    if (isOperand || (index > 0 && items[index + 1]?.isOperand === true)) {
      const at = Math.max(column, line === '' ? 0 : line.length + 1);
      line = line.padEnd(at) + value;
    }
  }
  return line;
}

function valueOf(
  path: string,
  values: ReadonlyMap<string, string>,
  unknown: ReadonlySet<string>,
): string | undefined {
  const parts = path.split('.');
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count).join('.');
    const value = values.get(name);
    if (value !== undefined) {
      return value.length > longest ? shortenMiddle(value) : value;
    }
    if (unknown.has(name)) {
      return notKnown;
    }
  }
  return undefined;
}
