import type * as vscode from 'vscode';

/**
 * Answers for a quick input: once, with a value, or with undefined when the user leaves. The input stays up until the next
 * one has replaced it, so that what a fast typist enters between two steps is not lost.
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
