import { WorkbenchError } from '../../base/errors';
import { closestWord, visibleText } from '../../base/text';
import type { RunHits } from './queryHit';
import type { Question } from './readQuestion';

/** How many names a hint lists. */
const mostNames = 12;

/** Which names executions have instead of what a question asks for. */
export class UnknownNames {
  readonly #instead = new Set<string>();
  #reason: string | undefined;
  #areAsked = false;
  #isKnown = false;

  /** Adds what one execution answers. */
  add({ instead, notes }: RunHits): void {
    this.#areAsked = true;
    this.#isKnown ||= instead === undefined;
    instead?.forEach((name) => this.#instead.add(name));
    this.#reason ??= instead === undefined ? undefined : notes[0];
  }

  /** @throws WorkbenchError `question-unknown-name` (input) if none of them has what is asked for */
  check(question: Question): void {
    if (this.#areAsked && !this.#isKnown) {
      // Fields are better known than contracts.
      const fields = [...this.#instead].filter((name) => name.includes('.'));
      const isField = question.kind === 'writes' && fields.length > 0;
      const known = isField ? fields : [...this.#instead];
      throw unknownNameError(messageOf(question, this.#reason), known, wordOf(question), hintOf(question));
    }
  }
}

function messageOf(question: Question, reason: string | undefined): string {
  switch (question.kind) {
    case 'line':
      return `No execution here has code from a file ${visibleText(question.file, 100)}.`;
    case 'calls':
      return `No execution here has a function ${visibleText(question.name, 60)}.`;
    case 'writes':
      return `No contract here has data that is read as ${visibleText(wordOf(question), 60)}.`;
    case 'changes':
      return `No execution here has a value of ${visibleText(question.expression, 60)}${reason === undefined ? '.' : `. ${reason}`}`;
    case 'sends':
      return 'No execution here sends a message.';
  }
}

function wordOf(question: Question): string {
  switch (question.kind) {
    case 'line':
      return question.file;
    case 'calls':
      return question.name;
    case 'writes':
      return `${question.contract ?? 'c4'}.${question.field}`;
    case 'changes':
      return question.expression;
    case 'sends':
      return question.to ?? '';
  }
}

function hintOf({ kind }: Question): string {
  return kind === 'changes'
    ? 'Ask about a variable, a global, a slot such as s0, or a field of c4, such as c4.total.'
    : 'No source is known for the code that ran: name it with --source FILE.';
}

/** A name that nothing here has: `question-unknown-name` (input), with the names that there are. */
export function unknownNameError(
  message: string,
  known: readonly string[],
  wanted = '',
  otherwise?: string,
): WorkbenchError {
  const names = [...new Set(known)].map((name) => visibleText(name, 100));
  const close = closestWord(wanted, names);
  const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : '';
  return new WorkbenchError({
    code: 'question-unknown-name',
    kind: 'input',
    message,
    hint:
      names.length === 0
        ? otherwise
        : `${close === undefined ? '' : `Did you mean ${close}? `}There are: ${names.slice(0, mostNames).join(', ')}${more}.`,
  });
}
