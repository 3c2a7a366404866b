import type * as vscode from 'vscode';

/**
 * Resolves a quick input once, with a value, or with undefined if the user cancels. The input stays visible until the
 * next one replaces it, so that fast typing between two steps is not lost.
 */
export function answerOnce<T>(
  input: vscode.QuickInput,
  resolve: (value: T | undefined) => void,
): (value: T) => void {
  input.onDidHide(() => {
    resolve(undefined);
    input.dispose();
  });
  return (value) => {
    resolve(value);
    setTimeout(() => input.dispose(), 0);
  };
}
