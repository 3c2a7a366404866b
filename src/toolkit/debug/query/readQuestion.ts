import { WorkbenchError } from '../../base/errors';
import { expressionNames } from '../evaluate';

/** What a recording is asked. */
export type Question =
  /** All runs of a line, with the values of expressions there. */
  | { kind: 'line'; file: string; line: number; values: readonly string[] }
  /** All calls of a function, with arguments and results. */
  | { kind: 'calls'; name: string }
  /** All writes that changed a field of the data; of any contract without one. */
  | { kind: 'writes'; contract: string | undefined; field: string }
  /** All messages that were sent, to an account or to anybody. */
  | { kind: 'sends'; to: string | undefined }
  /** All steps at which an expression has another value. */
  | { kind: 'changes'; expression: string };

/** How questions are written, for hints. */
const questionForms =
  'line FILE:LINE [VALUE, …], calls FUNCTION, writes CONTRACT.FIELD, sends to ACCOUNT, changes EXPRESSION';

const kinds = /^(line|calls|writes|sends|changes)(?:\s+(\S[^]*))?$/;

/**
 * Reads a question: `line counter.tolk:31 storage.value, by`, `calls Storage.save`, `writes Counter.value`,
 * `sends to alice`, `changes c4.total * 2`.
 *
 * @throws WorkbenchError `question-invalid` (input); `expression-invalid` (input) for an expression that cannot be read
 */
export function readQuestion(text: string): Question {
  const [, kind, rest = ''] = kinds.exec(text.trim()) ?? [];
  switch (kind) {
    case 'line':
      return lineQuestion(rest);
    case 'calls':
      if (!/^[\w$.~?!`]+$/.test(rest)) {
        throw invalid('calls needs the name of a function.', 'For example: calls Storage.save');
      }
      return { kind, name: rest };
    case 'writes': {
      const [, contract, field] = /^([^\s.]+)\.(\S+)$/.exec(rest) ?? [];
      const alone = /^[\w$]+$/.test(rest) ? rest : undefined;
      if (field === undefined && alone === undefined) {
        throw invalid(
          'writes needs a contract and a field of its data.',
          'For example: writes Counter.value; writes c4.value asks all contracts.',
        );
      }
      const [first] = expressionNames(`c4.${field ?? alone}`);
      return { kind, contract: contract === 'c4' ? undefined : contract, field: (first ?? '').slice(3) };
    }
    case 'sends': {
      const [, to] = /^to\s+(\S[^]*)$/.exec(rest) ?? [];
      if (rest !== '' && to === undefined) {
        throw invalid(
          'sends needs the word “to” and an account.',
          'For example: sends to alice; sends alone asks for all messages.',
        );
      }
      return { kind, to };
    }
    case 'changes':
      expressionNames(rest);
      return { kind, expression: rest };
    default:
      throw invalid(`${JSON.stringify(text.slice(0, 60))} is not a question.`, `Write ${questionForms}.`);
  }
}

function lineQuestion(text: string): Question {
  const [place = ''] = text.split(/\s/, 1);
  const [, file, line] = /^(.+):(\d{1,7})$/.exec(place) ?? [];
  if (file === undefined || Number(line) === 0) {
    throw invalid('line needs a file and the number of a line.', 'For example: line counter.tolk:31');
  }
  const values = text
    .slice(place.length)
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  values.forEach(expressionNames);
  return { kind: 'line', file: file.replaceAll('\\', '/'), line: Number(line), values };
}

function invalid(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code: 'question-invalid', kind: 'input', message, hint });
}
