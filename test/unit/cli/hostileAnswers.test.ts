import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lastError, runCommandLine, runProcess } from '../../support/commandLine';
import type { CommandLineRun } from '../../support/commandLine';

const address = `0:${'ab'.repeat(32)}`;
const deep = 200_000;

/** Parts of an answer of runGetMethod that are made to trouble whoever reads them. */
const bodies: Record<string, string> = {
  'with 200,000 entries on the stack': `[${'{"type":"num","value":"0x1"},'.repeat(deep)}{"type":"num","value":"0x1"}]`,
  'with tuples 200,000 deep': `${'[{"type":"tuple","value":'.repeat(deep)}[]${'}]'.repeat(deep)}`,
  'with lists 200,000 deep': `${'['.repeat(deep)}${']'.repeat(deep)}`,
  'with objects 200,000 deep': `[${'{"type":'.repeat(deep)}1${'}'.repeat(deep)}]`,
};

describe('cli: answers of a hostile service', () => {
  let server: Server;
  let origin: string;
  let stack: string;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-hostile-answers-'));
    server = createServer((request, response) => {
      request.resume();
      const v2 = request.url?.includes('/v2/') === true;
      const result = `{"gas_used":1,"exit_code":0,"stack":${stack}}`;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(v2 ? `{"ok":true,"result":${result}}` : result);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]): Promise<CommandLineRun> => runCommandLine([...args, '--json']);

  for (const [what, body] of Object.entries(bodies)) {
    for (const api of ['v2', 'v3']) {
      it(`${what} over ${api} are reported as what they are, on one line`, async () => {
        stack = body;
        const done = await run('run', address, 'seqno', '--network', `${origin}/api/${api}`);
        assert.notEqual(done.status, 0);
        assert.equal(done.stderr.trimEnd().split('\n').length, 1, done.stderr.slice(0, 500));
        const { code, message } = lastError(done);
        assert.ok(!['internal-error', 'connection-lost'].includes(code), `${code}: ${message}`);
        assert.doesNotMatch(message, /call stack/);
      });
    }
  }

  it('are requested by many calls of one sheet without a warning on stderr', async () => {
    stack = '[{"type":"num","value":"0x1"}]';
    const file = path.join(folder, 'many.toncall');
    await writeFile(file, `${address} seqno()\n`.repeat(60));
    // Node.js writes its warnings to the stderr of the process.
    const done = await runProcess(['run', file, '--network', origin, '--json']);
    assert.equal(done.status, 0, done.stderr);
    assert.equal(done.stderr, '');
  });
});
