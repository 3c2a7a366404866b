import type { WebhookNode } from './webhookNode';

/** Problems of the journal found when the listener started; a click opens the log. */
export function journalProblemNodes(problems: readonly string[]): WebhookNode[] {
  return problems.map((problem, index) => ({
    id: `journal problem ${index}`,
    label: 'Problem with the saved deliveries',
    description: problem,
    standing: 'warning',
    tooltip: problem,
    value: problem,
    action: 'showLog',
  }));
}
