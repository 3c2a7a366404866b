import type * as vscode from 'vscode';

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
