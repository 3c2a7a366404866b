import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { toolInstructions } from '../toolkit/tools/toolTable';
import type { Tool } from '../toolkit/tools/tool';
import type { Toolbox } from '../toolkit/tools/toolbox';
import { answerSchema, answerText } from '../toolkit/tools/toolbox';

/** The tools as a server of the Model Context Protocol, not yet connected. */
export function makeToolServer(toolbox: Toolbox, version: string): McpServer {
  const server = new McpServer(
    { name: 'ton-workbench', title: 'TON Workbench', version },
    { instructions: toolInstructions },
  );
  for (const tool of toolbox.tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.sentence,
        inputSchema: tool.input,
        outputSchema: answerSchema(tool),
        annotations: hintsOf(tool),
      },
      async (input: unknown, { signal }: { signal: AbortSignal }): Promise<CallToolResult> => {
        const answer = await toolbox.call(tool.name, input, signal);
        return {
          content: [{ type: 'text', text: answerText(tool.name, answer) }],
          structuredContent: { ...answer },
          // What ran and failed is an answer; what could not be done is an error.
          ...(answer.error !== undefined && answer.data === undefined ? { isError: true } : {}),
        };
      },
    );
  }
  return server;
}

function hintsOf({ changes, name }: Tool): Record<string, boolean> {
  return {
    readOnlyHint: changes === 'nothing',
    destructiveHint: name === 'local_restore',
    openWorldHint: changes !== 'local network',
  };
}

/** Where a server reads and writes. */
interface ToolStreams {
  version: string;
  input: Readable;
  output: Writable;
  signal: AbortSignal;
}

/**
 * Serves them over standard input and output until the client closes its end and has all its answers, or the command is
 * stopped.
 */
export async function serveTools(
  toolbox: Toolbox,
  { version, input, output, signal }: ToolStreams,
): Promise<void> {
  const server = makeToolServer(toolbox, version);
  const transport = new StdioServerTransport(input, output);
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    server.server.onclose = () => resolve();
  });
  const closed = new Promise<void>((resolve) => void input.once('end', resolve).once('close', resolve));
  const answered = followRequests(transport);
  transport.onerror = (error) => void answerUnread(transport, error);
  await server.connect(transport);
  await Promise.race([stopped, closed.then(answered)]);
  await server.close();
}

/** What is no JSON, or no message, has no id that could be repeated (JSON-RPC 2.0, section 5). */
async function answerUnread(transport: Transport, error: Error): Promise<void> {
  const isJson = !(error instanceof SyntaxError);
  if (isJson && error.name !== 'ZodError') {
    return;
  }
  const answer = {
    jsonrpc: '2.0',
    id: null,
    error: isJson
      ? { code: -32600, message: 'Invalid request: it is no message of JSON-RPC 2.0.' }
      : { code: -32700, message: 'Parse error: a line is not valid JSON.' },
  };
  await transport.send(answer as unknown as JSONRPCMessage);
}

/**
 * @param transport before a server is connected to it
 * @returns a function that resolves when each request that has come in is answered
 */
function followRequests(transport: Transport): () => Promise<void> {
  const open = new Set<RequestId>();
  let notify = (): void => undefined;
  const send = transport.send.bind(transport);
  const end = (id: unknown): void => {
    open.delete(id as RequestId);
    notify();
  };
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) {
      open.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // It gets no answer.
      end(message.params?.['requestId']);
    }
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if (!('method' in message)) {
      end(message.id);
    }
  };
  return async () => {
    while (open.size > 0) {
      await new Promise<void>((resolve) => (notify = resolve));
    }
  };
}
