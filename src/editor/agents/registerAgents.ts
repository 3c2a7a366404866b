import * as vscode from 'vscode';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import type { AgentTools } from './agentTools';

/** Registers the tools of package.json with the editor's language models, and their server for other agents. */
export function registerAgents(services: Pick<Services, 'context' | 'log'>): vscode.Disposable {
  const { contributes } = services.context.extension.packageJSON as {
    contributes: { languageModelTools: { name: string }[] };
  };
  let made: Promise<AgentTools> | undefined;
  const tools = (): Promise<AgentTools> =>
    (made ??= import('./agentTools').then((module) => new module.AgentTools(services)));
  return vscode.Disposable.from(
    ...contributes.languageModelTools.map(({ name }) =>
      vscode.lm.registerTool<object>(name, {
        invoke: async ({ input }, token) => (await tools()).invoke(name, input, token),
      }),
    ),
    afterStart(() => void tools()),
    { dispose: () => void made?.then((one) => one.dispose()) },
  );
}
