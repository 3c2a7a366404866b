import type * as vscode from 'vscode';

/**
 * Runs something right after activation, in a turn of its own, unless it is disposed of before; what it returns is
 * disposed of with it.
 *
 * All extensions of a window share one thread and start one after the other, so activation only registers what VS Code
 * may ask for next. Reading settings, filling in views, and links and hovers in documents can wait.
 */
export function afterStart(run: () => vscode.Disposable | void): vscode.Disposable {
  let made: vscode.Disposable | void;
  const timer = setTimeout(() => (made = run()));
  return {
    dispose: () => {
      clearTimeout(timer);
      made?.dispose();
    },
  };
}
