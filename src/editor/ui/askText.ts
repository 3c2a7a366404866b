import * as vscode from 'vscode';
import { back } from './back';
import type { Back } from './back';
import { answerOnce } from './answerOnce';
import type { LookUp } from './lookUp';
import { TypedLookUps } from './lookUp';
import { titleButtons } from './titleButtons';

export interface AskTextParameters {
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
