import type { Back, LookUp, Suggestion } from '../ui/askText';
import { askText, back, pickOrType } from '../ui/askText';

/** A value asked for in one input box: an argument of a get-method, or a field of a struct. */
export interface AskedField {
  name: string;
  /** `uint32` */
  type: string;
  /** The comment in the source, and how to write the value, as sentences; can be empty. */
  help: string;
  /** The initial text of the box. */
  value?: string | undefined;
  /** What is known about a text besides its type, for the row of a form. */
  note?: ((text: string) => string | undefined) | undefined;
  /** `isStart`: the value is then completed in another box. */
  suggestions: readonly (Suggestion & { isStart?: true })[];
  /** Says why the text is invalid, and where; undefined if it is valid. */
  refuses: (text: string) => string | undefined;
  /** What the text may need before it can be read. */
  lookUp?: LookUp | undefined;
}

/** The box's title and step number, or just that one can go back from it. */
export interface FieldBox {
  title: string;
  step?: number;
  totalSteps?: number;
  hasBack?: boolean;
  extra?: { icon: string; tooltip: string; onPress(): void };
}

/** Asks for one value: as text, or from a list that also accepts text. */
export async function askField(field: AskedField, box: FieldBox): Promise<string | Back | undefined> {
  const { name, type, help, suggestions } = field;
  const text = fieldPrompt(name, type, help);
  if (suggestions.length === 0) {
    return askAsText(field, box, field.value);
  }
  for (;;) {
    const answer = await pickOrType({
      ...box,
      ...(field.value === undefined ? {} : { value: field.value }),
      placeholder: text,
      suggestions,
      read: (typed) => {
        const reason = field.refuses(typed);
        return reason === undefined ? { ok: true, label: typed, description: type } : { ok: false, reason };
      },
      lookUp: field.lookUp,
    });
    const picked = suggestions.find(({ value }) => value === answer);
    if (picked?.isStart !== true) {
      return answer;
    }
    const completed = await askAsText(field, { ...box, hasBack: true }, picked.value);
    if (completed !== back) {
      return completed;
    }
  }
}

function askAsText(
  { name, type, help, refuses, lookUp }: AskedField,
  box: FieldBox,
  value: string | undefined,
): Promise<string | Back | undefined> {
  return askText({
    ...box,
    prompt: fieldPrompt(name, type, help),
    placeholder: type,
    ...(value === undefined ? {} : { value }),
    validate: refuses,
    lookUp,
  });
}

function fieldPrompt(name: string, type: string, help: string): string {
  return `${name}: ${type}. ${help}`.trim();
}
