import { AsyncLocalStorage } from 'node:async_hooks';
import * as vscode from 'vscode';
import { abortedError } from '../../toolkit/errors';

/** Work shorter than this shows nothing: a notification that flashes is worse than none. */
const quietMs = 400;

/** How the work that is running reports; undefined outside of {@link withProgress}. */
const reporting = new AsyncLocalStorage<(message: string) => void>();

/** Says something in the notification of the work that the caller belongs to, if there is one. */
export function reportProgress(message: string): void {
  reporting.getStore()?.(message);
}

/**
 * Runs `work`; when it takes longer than a moment, a notification names it and can cancel it. Cancelling aborts the
 * signal and rejects with `aborted` at once, so that nobody waits for a stalled connection.
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let message: string | undefined;
  let forward = (text: string): void => {
    message = text;
  };
  const report = (text: string): void => forward(text);
  const running = reporting.run(report, () => work(controller.signal, report));
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
      const cancelled = new Promise<never>((_, reject) => {
        token.onCancellationRequested(() => {
          controller.abort();
          reject(abortedError());
        });
      });
      return Promise.race([running, cancelled]);
    },
  );
}
