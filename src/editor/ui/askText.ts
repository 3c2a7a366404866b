import * as vscode from 'vscode';

/** Looks up what a typed text needs before it can be read. */
export interface LookUp {
  /**
   * Undefined if nothing is missing, a promise while it is looked up (it must not reject), or a sentence that says what
   * cannot be found.
   */
  begin(text: string): Promise<void> | string | undefined;
  /** The text, with what was found for its parts. */
  shown(text: string): string;
}

/** The look-ups of one box. While one is under way, Enter waits for it. */
class TypedLookUps {
  readonly #lookUp: LookUp | undefined;
  readonly #onFound: (text: string, isAccepted: boolean) => void;
  readonly #pending = new Set<string>();
  #accepted: string | undefined;

  /** @param onFound called after a look-up; `isAccepted`: Enter was pressed on this text in the meantime */
  constructor(lookUp: LookUp | undefined, onFound: (text: string, isAccepted: boolean) => void) {
    this.#lookUp = lookUp;
    this.#onFound = onFound;
  }

  /** Why the text cannot be read, better than what its reader says: it is being looked up, or cannot be found. */
  reason(text: string): { isPending: boolean; text: string } | undefined {
    const found = this.#pending.has(text) ? undefined : this.#lookUp?.begin(text);
    if (typeof found === 'object') {
      this.#pending.add(text);
      void found.then(() => {
        this.#pending.delete(text);
        this.#onFound(text, this.#accepted === text);
      });
    }
    return this.#pending.has(text)
      ? { isPending: true, text: 'Looking it up…' }
      : typeof found === 'string'
        ? { isPending: false, text: found }
        : undefined;
  }

  /** Enter was pressed on a text that is being looked up. */
  accept(text: string): void {
    this.#accepted = text;
  }
}

/** The input that was shown last, until it is hidden. The window shows one at a time. */
let shown: vscode.QuickInput | undefined;

/** Whether an input of this extension asks for something: after one was hidden, whether another one took its place. */
export function isAsking(): boolean {
  return shown !== undefined;
}

/**
 * Resolves a quick input once, with a value, or with undefined if the user cancels. The input stays visible until the
 * next one replaces it, so that fast typing between two steps is not lost.
 */
export function answerOnce<T>(
  input: vscode.QuickInput,
  resolve: (value: T | undefined) => void,
): (value: T) => void {
  shown = input;
  input.onDidHide(() => {
    if (shown === input) {
      shown = undefined;
    }
    resolve(undefined);
    input.dispose();
  });
  return (value) => {
    resolve(value);
    setTimeout(() => input.dispose(), 0);
  };
}

/** A value offered by the list. */
export interface Suggestion {
  value: string;
  label: string;
  description?: string;
  detail?: string;
  icon?: string;
  /** Heading above this and the following suggestions. */
  group?: string;
}

export interface PickOrTypeParameters {
  title: string;
  placeholder: string;
  step?: number;
  totalSteps?: number;
  /** Whether there is a back button; by default from step 2 on. */
  hasBack?: boolean;
  value?: string;
  suggestions: readonly Suggestion[];
  /** Suggestions still being fetched; they replace the others. Must not reject. */
  later?: Promise<readonly Suggestion[]>;
  /** Says what is wrong with the suggestions; shown above them. */
  problem?: () => { label: string; detail: string } | undefined;
  /** An extra button in the title; pressing it closes the box like going back. */
  extra?: { icon: string; tooltip: string; onPress(): void };
  /** The meaning of valid text; otherwise why it is invalid, and where. */
  read(text: string): { ok: true; label: string; description?: string } | { ok: false; reason: string };
  /** What typed text may need before it can be read. */
  lookUp?: LookUp | undefined;
}

type Item = vscode.QuickPickItem & { value?: string };

/**
 * A quick pick that also accepts typed text: suggestions filter as the user types, and the typed text comes first
 * with its meaning, or with the reason it is invalid; then Enter keeps the input open.
 * @returns the value, `back` if the user went a step back, undefined if they canceled.
 */
export function pickOrType(parameters: PickOrTypeParameters): Promise<string | Back | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Item>();
    pick.title = parameters.title;
    pick.placeholder = parameters.placeholder;
    pick.step = parameters.step;
    pick.totalSteps = parameters.totalSteps;
    pick.ignoreFocusOut = true;
    // Only names are matched: digits of an address must not match the accounts that have it.
    pick.buttons = titleButtons(parameters);
    let { suggestions } = parameters;
    let isOpen = true;
    let isFetching = parameters.later !== undefined;
    const lookUps = new TypedLookUps(parameters.lookUp, (text, isAccepted) => {
      if (isOpen) {
        offer();
      }
      if (isOpen && isAccepted && pick.value.trim() === text) {
        accept();
      }
    });
    const offer = (): void => {
      const text = pick.value.trim();
      const reason = lookUps.reason(text);
      pick.busy = isFetching || reason?.isPending === true;
      const typed = typedItem({ ...parameters, suggestions }, text, reason?.text);
      const problem = parameters.problem?.();
      const warning: Item[] =
        problem === undefined ? [] : [{ ...problem, label: `$(warning) ${problem.label}`, alwaysShow: true }];
      pick.items = [...typed, ...warning, ...suggestedItems(suggestions)];
      const [first] = pick.items.filter(({ value }) => value !== undefined);
      if (warning.length > 0 && typed.length === 0 && first !== undefined) {
        pick.activeItems = [first];
      }
    };
    const answer = answerOnce(pick, (value: string | Back | undefined) => {
      isOpen = false;
      resolve(value);
    });
    void parameters.later?.then((found) => {
      if (isOpen) {
        suggestions = found;
        isFetching = false;
        offer();
      }
    });
    pick.onDidChangeValue(offer);
    pick.onDidTriggerButton((button) => {
      if (button !== vscode.QuickInputButtons.Back) {
        parameters.extra?.onPress();
      }
      answer(back);
    });
    const accept = (): void => {
      const text = pick.value.trim();
      const [selected] = pick.selectedItems;
      // Enter can be faster than the list, which may still show the suggestions for earlier text; then the
      // typed text counts.
      const value =
        selected !== undefined && (text === '' || selected.value === text || matches(selected.label, text))
          ? selected.value
          : isUsable(text, suggestions, parameters)
            ? text
            : undefined;
      if (value !== undefined) {
        answer(value);
      } else if (lookUps.reason(text)?.isPending === true) {
        lookUps.accept(text);
      }
    };
    pick.onDidAccept(accept);
    pick.value = parameters.value ?? '';
    offer();
    pick.show();
  });
}

function isUsable(
  text: string,
  suggestions: readonly Suggestion[],
  { read }: Pick<PickOrTypeParameters, 'read'>,
): boolean {
  return text !== '' && (suggestions.some(({ value }) => value === text) || read(text).ok);
}

/** Whether the list can offer this label for the text: it contains the text's characters in order. */
function matches(label: string, text: string): boolean {
  let position = 0;
  for (const character of text.toLowerCase()) {
    position = label.toLowerCase().indexOf(character, position) + 1;
    if (position === 0) {
      return false;
    }
  }
  return true;
}

/** @param better a better reason than that of the reader */
function typedItem(parameters: PickOrTypeParameters, text: string, better: string | undefined): Item[] {
  const known = parameters.suggestions.some((suggestion) => suggestion.value === text);
  if (text === '' || known) {
    return [];
  }
  const reading = parameters.read(text);
  if (reading.ok) {
    const label = reading.label === text ? (parameters.lookUp?.shown(text) ?? text) : reading.label;
    const item: Item = { label: `$(arrow-right) ${label}`, value: text, alwaysShow: true };
    return [reading.description === undefined ? item : { ...item, description: reading.description }];
  }
  // While the text narrows the list down, a reason in front of the matches would be noise that takes Enter away.
  const narrows = parameters.suggestions.some(({ label }) =>
    label.toLowerCase().includes(text.toLowerCase()),
  );
  return narrows ? [] : [{ label: `$(error) ${better ?? reading.reason}`, alwaysShow: true }];
}

function suggestedItems(suggestions: readonly Suggestion[]): Item[] {
  const items: Item[] = [];
  for (const suggestion of suggestions) {
    if (suggestion.group !== undefined) {
      items.push({ label: suggestion.group, kind: vscode.QuickPickItemKind.Separator });
    }
    const icon = suggestion.icon === undefined ? '' : `$(${suggestion.icon}) `;
    const item: Item = { label: icon + suggestion.label, value: suggestion.value };
    if (suggestion.description !== undefined) {
      item.description = suggestion.description;
    }
    if (suggestion.detail !== undefined) {
      item.detail = suggestion.detail;
    }
    items.push(item);
  }
  return items;
}

/** A step's result when the user wants the previous step. */
export const back = Symbol('back');
export type Back = typeof back;

/** A step's title buttons: back if possible, and the step's own. */
export function titleButtons({
  step = 1,
  hasBack = step > 1,
  extra,
}: {
  step?: number;
  hasBack?: boolean;
  extra?: { icon: string; tooltip: string };
}): vscode.QuickInputButton[] {
  const own =
    extra === undefined ? [] : [{ iconPath: new vscode.ThemeIcon(extra.icon), tooltip: extra.tooltip }];
  return [...(hasBack ? [vscode.QuickInputButtons.Back] : []), ...own];
}

interface AskTextParameters {
  title: string;
  prompt: string;
  placeholder: string;
  step?: number;
  totalSteps?: number;
  /** Whether there is a back button; by default from step 2 on. */
  hasBack?: boolean;
  value?: string;
  password?: boolean;
  /** An extra button in the title; pressing it closes the box like going back. */
  extra?: { icon: string; tooltip: string; onPress(): void };
  /** Says why the text is invalid, and where; undefined if it is valid. */
  validate(text: string): string | undefined;
  /** What the text may need before it can be validated. */
  lookUp?: LookUp | undefined;
}

/**
 * An input box that validates as the user types and shows why input is rejected.
 * @returns the text, `back` if the user went a step back, undefined if they canceled.
 */
export function askText(parameters: AskTextParameters): Promise<string | Back | undefined> {
  return new Promise((resolve) => {
    const input = vscode.window.createInputBox();
    input.title = parameters.title;
    input.prompt = parameters.prompt;
    input.placeholder = parameters.placeholder;
    input.step = parameters.step;
    input.totalSteps = parameters.totalSteps;
    input.value = parameters.value ?? '';
    input.password = parameters.password ?? false;
    input.ignoreFocusOut = true;
    input.buttons = titleButtons(parameters);
    const answer = answerOnce(input, resolve);
    let isOpen = true;
    const lookUps = new TypedLookUps(parameters.lookUp, (text, isAccepted) => {
      if (isOpen && input.value === text && check() && isAccepted) {
        answer(text);
      }
    });
    const check = (): boolean => {
      const problem = parameters.validate(input.value);
      const reason = lookUps.reason(input.value);
      const found = parameters.lookUp?.shown(input.value) ?? input.value;
      input.prompt = found === input.value ? parameters.prompt : found;
      input.busy = reason?.isPending === true;
      input.validationMessage = problem === undefined ? '' : (reason?.text ?? problem);
      return problem === undefined;
    };
    input.onDidChangeValue(check);
    input.onDidTriggerButton((button) => {
      if (button !== vscode.QuickInputButtons.Back) {
        parameters.extra?.onPress();
      }
      answer(back);
    });
    input.onDidAccept(() => {
      if (check()) {
        answer(input.value);
      } else {
        lookUps.accept(input.value);
      }
    });
    input.onDidHide(() => {
      isOpen = false;
    });
    if (input.value !== '') {
      check();
    }
    input.show();
  });
}
