import * as vscode from 'vscode';
import type { AnswerRef } from '../../commandTargets';
import type { Services } from '../project/services';
import { withProgress } from '../ui/withProgress';
import type { OpenTraces } from './openTraces';
import { openModels } from './openTraceCommand';

/** The lens "Open as traces" on an answer in the API explorer. */
export async function openAnswerTracesCommand(
  services: Services,
  traces: OpenTraces,
  { document, network: name }: AnswerRef,
): Promise<void> {
  const network = services.networks.find(name);
  const text = services.documents.find(document)?.text;
  if (text === undefined || network === undefined) {
    return;
  }
  const models = await withProgress(`Opening traces of ${name}`, async (signal) => {
    const [{ answerTraces, fetchAnswerTraces }, { traceSourceOf }] = await Promise.all([
      import('../../toolkit/trace/readTraces'),
      import('../../toolkit/access/traceSourceOf'),
    ]);
    const found = answerTraces(JSON.parse(text));
    return found === undefined
      ? []
      : fetchAnswerTraces(traceSourceOf(await services.connections.to(network)), found, signal);
  });
  if (models.length === 0) {
    void vscode.window.showInformationMessage(`${name} has no traces for this answer.`);
    return;
  }
  await openModels(services, traces, models, { network: name });
}
