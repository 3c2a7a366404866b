import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { globalAgent } from 'node:https';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { serviceCertificate, startProxiedService } from '../support/proxiedService';
import type { ProxiedService } from '../support/proxiedService';

const address = `0:${'ab'.repeat(32)}`;
const certificates = globalAgent as { testCertificates?: string[] };

/** The editor keeps the certificates that it has once read; its own tests make it forget them in this way. */
function forgetCertificates(): void {
  const from = createRequire(path.join(vscode.env.appRoot, 'package.json'));
  const agent = from('@vscode/proxy-agent') as { resetCaches(): void };
  agent.resetCaches();
}

describe('the editor behind an HTTP proxy', () => {
  const set = (name: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);
  let service: ProxiedService;

  before(() => {
    const root = vscode.extensions.getExtension('ton-workbench.ton-workbench')?.extensionPath ?? '';
    certificates.testCertificates = [readFileSync(serviceCertificate(root), 'utf8')];
    forgetCertificates();
  });
  after(() => {
    delete certificates.testCertificates;
    forgetCertificates();
  });
  beforeEach(async () => {
    const root = vscode.extensions.getExtension('ton-workbench.ton-workbench')?.extensionPath ?? '';
    service = await startProxiedService(root, (at) => ({
      body: { ok: true, result: at.endsWith('sendBoc') ? { '@type': 'ok' } : 'active' },
    }));
  });
  afterEach(async () => {
    await set('proxy', undefined);
    await set('noProxy', undefined);
    await service.close();
  });

  /** As the editor's own connections: over the window's fetch. */
  const at = (base: string): Access =>
    createAccess({
      network: { name: 'Proxied', kind: 'custom', globalId: -239, v2: `${base}/api/v2` },
      apiKey: () => Promise.resolve('key-of-the-service'),
    });
  const state = (base: string): Promise<string> => at(base).v2.getAddressState({ address });
  const refusal = async (base: string): Promise<WorkbenchError> => {
    const error: unknown = await state(base).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof WorkbenchError, String(error));
    return error;
  };

  it('reaches an https service through a tunnel, with the user name and password in http.proxy', async () => {
    await set('proxy', service.proxy);
    assert.equal(await state(service.https), 'active');
    assert.deepEqual(service.asked, [`CONNECT ${new URL(service.https).host}`]);
    // What is for the proxy stays with the proxy, and what is for the service goes through the tunnel.
    assert.equal(service.served[0]?.headers['proxy-authorization'], undefined);
    assert.equal(service.served[0]?.headers['x-api-key'], 'key-of-the-service');
    assert.equal(await state(service.http), 'active');
    assert.equal(service.asked.length, 2);
  });

  it('hands a message over through the tunnel, once', async () => {
    await set('proxy', service.proxy);
    await at(service.https).v2.sendBoc({ boc: 'te6ccgEBAQEAAgAAAA==' });
    assert.deepEqual(
      service.served.map(({ body }) => JSON.parse(body) as unknown),
      [{ boc: 'te6ccgEBAQEAAgAAAA==' }],
    );
  });

  it('says that the proxy requires a user name, and does not repeat a wrong password', async () => {
    for (const user of ['', 'me:wrong%20secret@']) {
      await set('proxy', service.proxy.replace(/me:.*@/, user));
      const error = await refusal(service.https);
      assert.equal(error.code, 'unreachable');
      assert.match(error.message, /the proxy requires a user name and password/);
      assert.doesNotMatch(`${error.message} ${error.hint} ${JSON.stringify(error.details)}`, /secret/);
    }
    assert.deepEqual(service.served, []);
  });

  it('bypasses the proxy for hosts in http.noProxy, and always for this machine', async () => {
    await set('proxy', service.proxy);
    await set('noProxy', ['service.test']);
    // Nobody knows the name but the proxy.
    assert.equal((await refusal(service.https)).code, 'unreachable');
    assert.equal(await state(service.http.replace('service.test', '127.0.0.1')), 'active');
    assert.deepEqual(service.asked, []);
  });
});
