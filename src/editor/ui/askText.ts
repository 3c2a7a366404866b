import * as vscode from 'vscode';
import { back } from './back';
import type { Back } from './back';
import { answerOnce } from './answerOnce';
import { titleButtons } from './titleButtons';

export interface AskTextParameters {
  title: string;
  prompt: string;
  placeholder: string;
  step?: number;
  totalSteps?: number;
  value?: string;
  password?: boolean;
  /** An extra button in the title; pressing it closes the box like going back. */
  extra?: { icon: string; tooltip: string; onPress(): void };
  /** Says why the text is invalid, and where; undefined if it is valid. */
  validate(text: string): string | undefined;
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
    const check = (): boolean => {
      input.validationMessage = parameters.validate(input.value) ?? '';
      return input.validationMessage === '';
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
      }
    });
    if (input.value !== '') {
      check();
    }
    input.show();
  });
}
