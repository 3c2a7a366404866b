import { escapeHtml } from '../../escapeHtml';
import { Address, fromNano } from '@ton/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LocalChain } from '../chain/localChain';

const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** The page for browsers: what the network is, its APIs, and its wallets. */
export function mountHome(server: FastifyInstance, chain: LocalChain): void {
  for (const path of ['/', '/api/v2', '/api/v3']) {
    server.get(path, async (request, reply) => home(chain, path, request, reply));
  }
}

function home(chain: LocalChain, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (/\btext\/html\b/.test(request.headers.accept ?? '')) {
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .send(page(chain));
  }
  reply.type('application/json');
  switch (path) {
    case '/api/v2':
      return reply.code(404).send(JSON.stringify({ ok: false, error: 'Not Found', code: 404 }));
    case '/api/v3':
      return reply
        .code(500)
        .send(JSON.stringify({ error: `internal server error: Cannot GET ${request.url.split('?', 1)[0]}` }));
    default:
      return reply.send(JSON.stringify({ v2: '/api/v2', v3: '/api/v3', control: '/control/status' }));
  }
}

function page(chain: LocalChain): string {
  const { ledger, fork, genesis } = chain;
  const what =
    fork === undefined
      ? 'A local TON network'
      : `A fork of ${fork.point.network} at block ${fork.point.seqno}`;
  const accounts = genesis.accounts.map(({ name, kind, address }) => {
    const balance = ledger.accounts.get(address)?.facts.balance;
    const friendly = Address.parseRaw(address).toString({ bounceable: false });
    const states = `/api/v3/accountStates?address=${encodeURIComponent(friendly)}`;
    return row(
      name,
      kind,
      link(states, friendly),
      balance === undefined ? '' : escapeHtml(fromNano(balance)),
    );
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>TON Workbench: local network</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left}code,td{font-family:ui-monospace,monospace;font-size:13px}</style></head><body>
<h1>${escapeHtml(what)}</h1>
<p>Block ${ledger.last.seqno}, ${ledger.transactions.length} transactions. Run by TON Workbench on this machine; its coins are worth nothing.</p>
<h2>APIs</h2>
<ul>
<li><code>/api/v2</code>, JSON-RPC at <code>/api/v2/jsonRPC</code>: ${link('/api/v2/getMasterchainInfo')}</li>
<li><code>/api/v3</code>: ${link('/api/v3/masterchainInfo')}, ${link('/api/v3/transactions?limit=10&sort=desc')}, ${link('/api/v3/traces?limit=5&include_actions=true')}</li>
<li><code>/api/emulate/v1</code>: POST emulateTrace, emulateTonConnect</li>
<li><code>/control</code>, for programs on this machine: <code>curl</code> this address with <code>/control/status</code>, and control/accounts for the wallets' mnemonics</li>
</ul>
<h2>Wallets</h2>
<table><tr><th>name</th><th>kind</th><th>address</th><th>balance</th></tr>
${accounts.join('\n')}
</table></body></html>
`;
}

function row(name: string, kind: string, address: string, balance: string): string {
  return `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(kind)}</td><td>${address}</td><td>${balance}</td></tr>`;
}

function link(path: string, text = path): string {
  return `<a href="${escapeHtml(path)}">${escapeHtml(text)}</a>`;
}
