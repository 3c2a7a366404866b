import { AsyncLocalStorage } from 'node:async_hooks';
import * as vscode from 'vscode';
import { abortedError } from '../../toolkit/base/errors';

/** Milliseconds; shorter work shows nothing, because a flashing notification is worse than none. */
const quietMs = 400;

/** The reporter of the running work; undefined outside {@link withProgress}. */
const reporting = new AsyncLocalStorage<(message: string) => void>();

/** Shows a message in the notification of the caller's work, if there is one. */
export function reportProgress(message: string): void {
  reporting.getStore()?.(message);
}

/**
 * Runs `work`; if it takes longer than a moment, a notification names it and can cancel it. Canceling aborts the
 * signal and rejects with `aborted` at once, so that nothing waits for a stalled connection.
 *
 * @param outer aborts the work, too
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const controller = new AbortController();
  let message: string | undefined;
  let forward = (text: string): void => {
    message = text;
  };
  const report = (text: string): void => forward(text);
  const signal = outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]);
  const running = reporting.run(report, () => work(signal, report));
  const quick = await Promise.race([
    running.then(
      () => true,
      () => true,
    ),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), quietMs)),
  ]);
  if (quick) {
    return running;
  }
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      forward = (text) => progress.report({ message: text });
      if (message !== undefined) {
        forward(message);
      }
      const canceled = new Promise<never>((_, reject) => {
        token.onCancellationRequested(() => {
          controller.abort();
          reject(abortedError());
        });
      });
      return Promise.race([running, canceled]);
    },
  );
}
