import * as vscode from 'vscode';
import { back } from './back';
import type { Back } from './back';
import { answerOnce } from './answerOnce';
import type { LookUp } from './lookUp';
import { TypedLookUps } from './lookUp';
import { titleButtons } from './titleButtons';

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
