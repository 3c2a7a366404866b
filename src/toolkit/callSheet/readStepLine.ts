import type { CallSheetProblem, SheetDeploy, SheetReplay, SheetSend } from './callSheet';
import { placeOf } from './sheetText';
import type { Line } from './sheetText';

/** A parsed `send`, `deploy`, or `replay` line. */
export type StepLine =
  | Pick<SheetSend, 'kind' | 'line'>
  | Pick<SheetDeploy, 'kind' | 'file' | 'data' | 'value' | 'name' | 'from'>
  | Pick<SheetReplay, 'kind' | 'file' | 'source'>;

/** Whether a line is a `send`, `deploy`, or `replay` step, and not a call of an account with that name. */
export function beginsStep(text: string): boolean {
  return /^\s*(?:send|deploy|replay)(?:\s|$)/.test(text) && !/^\s*\w+\s+[^\s({["']+\s*\(/.test(text);
}

/** Reads a `send …`, `deploy …`, or `replay …` line without its comment; it may have line breaks inside brackets. */
export function readStepLine(line: Line): StepLine | CallSheetProblem {
  const [head = '', word = ''] = /^\s*(send|deploy|replay)\s*/.exec(line.text) ?? [];
  const rest = placed(line, head.length, line.text.slice(head.length).trimEnd());
  if (word === 'replay') {
    return readReplay(line, head.length);
  }
  if (rest.text === '') {
    return {
      ...placeOf(line, word),
      message: word === 'send' ? 'This message is incomplete.' : 'This deployment is incomplete.',
      suggestion:
        word === 'send' ? 'Write send Counter Increase {queryId: 0, by: 5} 0.1ton from alice.' : deployForm,
    };
  }
  return word === 'send' ? { kind: 'send', line: rest } : readDeploy(line, head.length);
}

const deployForm = 'Write deploy contracts/counter.tolk {owner: alice, value: 0} as Counter.';

/** `FILE [with SOURCE]`. */
function readReplay(line: Line, start: number): StepLine | CallSheetProblem {
  const words: ReturnType<typeof placed>[] = [];
  for (let at = start; at < line.text.trimEnd().length; at += /^\s*/.exec(line.text.slice(at))![0].length) {
    const end = endOfWord(line.text, at);
    const isQuoted = /^["']/.test(line.text.slice(at, end));
    words.push(
      placed(line, at + (isQuoted ? 1 : 0), line.text.slice(at, end).replace(/^(["'])(.*)\1$/, '$2')),
    );
    at = end;
  }
  const [file, joint, source] = words;
  const isWhole = words.length === 1 || (words.length === 3 && joint?.text === 'with');
  return file === undefined || !isWhole
    ? {
        ...placeOf(line, line.text.trim()),
        message: file === undefined ? 'The saved replay is missing.' : 'This is not a replay of a file.',
        suggestion: 'Write replay failed.tonreplay with contracts/counter.tolk.',
      }
    : { kind: 'replay', file, ...(source && { source }) };
}

/** `FILE [DATA] [VALUE] as NAME [from WALLET]`. */
function readDeploy(line: Line, start: number): StepLine | CallSheetProblem {
  const text = line.text.trimEnd();
  const tail = /(?<!\s)\s+as\s+([\w-]+)(?:(\s+from\s+)(@?[\w.-]+))?$/.exec(text);
  if (tail === null || tail.index < start) {
    return {
      ...placeOf(line, text.trim()),
      message: 'The name of the contract is missing.',
      suggestion: deployForm,
    };
  }
  const [whole, name = '', gap = '', from] = tail;
  const fileEnd = endOfWord(text, start);
  const file = text.slice(start, fileEnd);
  const middle = text.slice(fileEnd, tail.index);
  const coins = /(?:^|\s)(\d[\d_.]*(?:ton)?)$/.exec(middle);
  const data = (coins === null ? middle : middle.slice(0, coins.index)).trim();
  const nameAt =
    tail.index + whole.length - (from === undefined ? 0 : gap.length + from.length) - name.length;
  const isQuoted = /^["']/.test(file);
  return {
    kind: 'deploy',
    file: placed(line, start + (isQuoted ? 1 : 0), isQuoted ? file.slice(1, -1) : file),
    ...(data === '' ? {} : { data: placed(line, text.indexOf(data, fileEnd), data) }),
    ...(coins === null
      ? {}
      : {
          value: placed(
            line,
            fileEnd + coins.index + coins[0].length - (coins[1] ?? '').length,
            coins[1] ?? '',
          ),
        }),
    name: placed(line, nameAt, name),
    ...(from === undefined ? {} : { from: placed(line, tail.index + whole.length - from.length, from) }),
  };
}

/** The end of the word or quoted text at `start`. */
function endOfWord(text: string, start: number): number {
  const word = /"[^"\n]*"|'[^'\n]*'|\S+/y;
  word.lastIndex = start;
  return word.test(text) ? word.lastIndex : start;
}

function placed(line: Line, start: number, text: string): { text: string; offset: number; length: number } {
  return { text, offset: line.offset + start, length: text.length };
}
