import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { root } from '../../scripts/lib/root.mjs';
import { runCommandLine as runHere } from '../../src/cli/commandLine';
import { openToolHost } from '../../src/cli/openToolHost';
import { makeToolServer } from '../../src/cli/toolServer';
import { Toolbox } from '../../src/toolkit/tools/toolbox';
import { toolTable } from '../../src/toolkit/tools/toolTable';
import { HastyClock } from '../support/hastyClock';

/**
 * What the protocol's own suite asks of servers that this one is not: other features, tools made for the suite, and
 * sessions over HTTP. The suite fails if one of them passes after all.
 */
const others = [
  ...['logging-set-level', 'completion-complete', 'server-sse-multiple-streams'],
  ...['image', 'audio', 'embedded-resource', 'mixed-content', 'with-logging', 'with-progress'].map(
    (name) => `tools-call-${name}`,
  ),
  ...['tools-call-sampling', 'tools-call-elicitation'],
  ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  ...['list', 'read-text', 'read-binary', 'templates-read', 'subscribe', 'unsubscribe'].map(
    (name) => `resources-${name}`,
  ),
  ...['list', 'get-simple', 'get-with-args', 'get-embedded-resource', 'get-with-image'].map(
    (name) => `prompts-${name}`,
  ),
];

describe('the MCP server', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-mcp-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('serves its tools over standard input and output, with schemas that a client can check', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [path.join(root, 'dist/cli.js'), 'mcp', '--root', folder],
      stderr: 'pipe',
    });
    await client.connect(transport);
    try {
      assert.match(client.getInstructions() ?? '', /real TVM/);
      const { tools } = await client.listTools();
      assert.ok(tools.length > 20);
      for (const { name, description, inputSchema, outputSchema } of tools) {
        assert.match(name, /^[a-z]+(?:_[a-z]+)+$|^[a-z]+$/);
        assert.ok((description?.length ?? 0) > 40, name);
        assert.equal(inputSchema.type, 'object', name);
        assert.equal(outputSchema?.type, 'object', name);
      }
      // The client checks the answer by the tool's schema.
      const found = await client.callTool({ name: 'search_api', arguments: { query: 'traces', api: 'v3' } });
      assert.equal((found.structuredContent as { ok: boolean }).ok, true);
      const refused = await client.callTool({ name: 'compile', arguments: { file: '/etc/passwd' } });
      assert.equal(refused.isError, true);
      assert.match(JSON.stringify(refused.content), /file-outside-root/);
    } finally {
      await client.close();
    }
  });

  it('ends with its client, and writes nothing but the protocol', async () => {
    const child = spawn(process.execPath, [path.join(root, 'dist/cli.js'), 'mcp', '--root', folder], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const asked = [initialize, { jsonrpc: '2.0', id: 2, method: 'tools/list' }].map((one) =>
      JSON.stringify(one),
    );
    // As a pipe does: the end comes before any answer.
    child.stdin.end(`not json\n{"not": "a message"}\n${asked.join('\n')}\n`);
    const [status] = (await once(child, 'close')) as [number];
    assert.equal(status, 0);
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: { code: number } });
    assert.ok(lines.every(({ jsonrpc }) => jsonrpc === '2.0'));
    assert.deepEqual(
      lines.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600],
        [1, undefined],
        [2, undefined],
      ],
    );
  });

  it("passes the protocol's own scenarios", async () => {
    const place = {
      root: folder,
      networks: [],
      environment: process.env,
      clock: new HastyClock(),
      run: runHere,
    };
    const shim = await serveOverHttp(new Toolbox(toolTable, openToolHost(place)));
    const { port } = shim.address() as AddressInfo;
    try {
      const { status, text } = await judge(`http://127.0.0.1:${port}/mcp`, folder);
      assert.equal(status, 0, text);
      for (const name of ['server-initialize', 'ping', 'tools-list', 'tools-call-error']) {
        assert.match(text, new RegExp(`✓.*${name}: 1 passed, 0 failed`), text);
      }
    } finally {
      shim.close();
      shim.closeAllConnections();
    }
  });
});

/** The suite speaks HTTP only: each request gets a server of its own. */
async function serveOverHttp(toolbox: Toolbox): Promise<Server> {
  const shim = createServer((request, response) => {
    void (async () => {
      const { port } = shim.address() as AddressInfo;
      const own = [`127.0.0.1:${port}`, `localhost:${port}`];
      const transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        enableDnsRebindingProtection: true,
        allowedHosts: own,
        allowedOrigins: own.map((host) => `http://${host}`),
      });
      await makeToolServer(toolbox, '1.0.0').connect(transport);
      await transport.handleRequest(request, response);
    })();
  });
  await once(shim.listen(0, '127.0.0.1'), 'listening');
  return shim;
}

/** Runs @modelcontextprotocol/conformance in a process of its own; what of `others` passes after all fails. */
async function judge(url: string, folder: string): Promise<{ status: number; text: string }> {
  const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const expected = path.join(folder, 'expected.yml');
  await writeFile(expected, `server:\n${others.map((name) => `  - ${name}\n`).join('')}`);
  const child = spawn(
    process.execPath,
    ['--import', newerFs, suite, 'server', '--url', url, '--expected-failures', expected],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  return { status, text };
}

/** The suite imports `globSync`, which it does not need here and Node.js 20 does not have. */
const newerFs = moduleOf(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    moduleOf(`
      const shim = 'data:text/javascript,' + encodeURIComponent(
        "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];");
      export const resolve = (name, context, next) =>
        name === 'fs' && context.parentURL?.includes('/conformance/') ? { url: shim, shortCircuit: true } : next(name, context);
    `),
  )});
`);

function moduleOf(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
