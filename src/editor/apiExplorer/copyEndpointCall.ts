import * as vscode from 'vscode';
import type { EndpointSnippet } from '../../commandTargets';
import type { Services } from '../project/services';

/** Copies a call to the clipboard as a curl command or TypeScript. An API key is referred to, never copied. */
export async function copyEndpointCall(services: Services, snippet: EndpointSnippet): Promise<void> {
  const { endpointById } = await import('../../toolkit/access/listEndpoints');
  const endpoint = endpointById(snippet.endpoint);
  if (endpoint === undefined) {
    return;
  }
  const access = await services.connections.current();
  const { curlOf, typeScriptOf } = await import('../../toolkit/access/snippets');
  const text =
    snippet.as === 'curl'
      ? curlOf(endpoint, snippet.parameters, access.network)
      : typeScriptOf(endpoint, snippet.parameters, access.network);
  await vscode.env.clipboard.writeText(text);
  void vscode.window.setStatusBarMessage(`Copied ${snippet.endpoint} as ${snippet.as}`, 4000);
}
