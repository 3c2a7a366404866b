import { Address, Cell, beginCell, external, internal, storeMessage, storeMessageRelaxed } from '@ton/core';
import assert from 'node:assert/strict';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { findTrace } from '../../../src/toolkit/trace/findTrace';
import { parseTraceQuery } from '../../../src/toolkit/trace/parseTraceQuery';
import type { TraceParameter, TraceSource } from '../../../src/toolkit/trace/readTraces';
import { completeTrace, readTraces } from '../../../src/toolkit/trace/readTraces';
import type { TraceModel } from '../../../src/toolkit/trace/traceModel';
import { recordedAnswer, recordedNames } from './fixtures';
import { chain, fakeAccount, fakeHash, syntheticTrace } from './syntheticTrace';

type Ask = (endpoint: string, parameters: Readonly<Record<string, TraceParameter>>) => unknown;

function sourceOf(answer: Ask): TraceSource & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    request: (endpoint, parameters) => {
      const key = Object.keys(parameters).find((name) => /hash|account|lt$/.test(name)) ?? '';
      asked.push(`${endpoint} ${key}`);
      return Promise.resolve(answer(endpoint, parameters));
    },
  };
}

const nothing = { traces: [] };
const recorded = recordedNames.length === 0 ? {} : recordedAnswer('ton-sent-traces');
const hex = Buffer.from(recorded.traces?.[0]?.trace_id ?? '', 'base64').toString('hex');

describe('reading a search', () => {
  const account = '0:9da971af38d2f03abdf308d5f91636a97e5a2b07a66c39d71d7cbae3b032eddc';
  const friendly = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4';

  it('reads hashes and accounts in every form', () => {
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    for (const text of [
      hex,
      hex.toUpperCase(),
      base64,
      base64.replaceAll('+', '-').replaceAll('/', '_'),
      ` ${hex}\n`,
    ]) {
      assert.deepEqual(parseTraceQuery(text), { kind: 'hash', hash: hex });
    }
    for (const text of [account, account.toUpperCase(), friendly]) {
      assert.deepEqual(parseTraceQuery(text), { kind: 'account', account });
    }
  });

  it('reads the links of explorers', () => {
    for (const link of [
      `https://tonviewer.com/transaction/${hex}`,
      `https://tonscan.org/tx/${hex}`,
      `https://testnet.tonviewer.com/transaction/${hex}?section=value-flow`,
      `https://dton.io/tx/${hex.toUpperCase()}`,
      `https://tonviewer.com/${friendly}/transaction/${hex}`,
      `https://toncenter.com/api/v3/traces?tx_hash=${encodeURIComponent(Buffer.from(hex, 'hex').toString('base64'))}`,
    ]) {
      assert.deepEqual(parseTraceQuery(link), { kind: 'hash', hash: hex }, link);
    }
    for (const link of [
      `https://tonviewer.com/${friendly}`,
      `https://tonscan.org/address/${friendly}`,
      `ton://transfer/${friendly}?amount=1`,
    ]) {
      assert.deepEqual(parseTraceQuery(link), { kind: 'account', account }, link);
    }
  });

  it('reads the BoC that was sent, by its normalized hash, and those of blocks, by their own', () => {
    const to = Address.parse(account);
    const body = beginCell().storeUint(7, 32).endCell();
    const sent = external({ to, body });
    // Another serialization of the same message: its body inline, and a state init.
    const init = { code: Cell.EMPTY, data: Cell.EMPTY };
    const forms = [
      storeMessage(sent),
      storeMessage(sent, { forceRef: true }),
      storeMessage({ ...sent, init }),
    ].map((store) => beginCell().store(store).endCell());
    const normalized = forms[1]!.hash().toString('hex');
    assert.equal(new Set(forms.map((cell) => cell.hash().toString('hex'))).size, 3);
    for (const cell of forms) {
      for (const text of [cell.toBoc().toString('base64'), ` ${cell.toBoc().toString('hex')}\n`]) {
        assert.deepEqual(parseTraceQuery(text), { kind: 'hash', hash: normalized });
      }
    }
    const between = beginCell()
      .store(storeMessageRelaxed(internal({ to, value: 1n, body })))
      .endCell();
    assert.deepEqual(parseTraceQuery(between.toBoc().toString('base64')), {
      kind: 'hash',
      hash: between.hash().toString('hex'),
    });
    assert.throws(() => parseTraceQuery(body.toBoc().toString('base64')), {
      code: 'trace-query-invalid',
      message: 'The BoC is neither a message nor a transaction, so it names no trace.',
    });
  });

  it('rejects anything else', () => {
    for (const text of ['', 'alice', 'https://tonviewer.com/', hex.slice(1), `${friendly}x`]) {
      assert.throws(() => parseTraceQuery(text), { code: 'trace-query-invalid' }, text);
    }
  });
});

describe('finding traces that are not in a block', () => {
  const account = fakeAccount(1);
  const done = syntheticTrace(4, chain);
  const waiting: V3Trace = {
    ...syntheticTrace(2, chain),
    trace_id: fakeHash('waiting', 0),
    external_hash: fakeHash('waiting', 1),
    end_lt: null,
    trace: null,
    transactions: {
      [fakeHash('waiting', 2)]: {
        hash: fakeHash('waiting', 2),
        in_msg: { hash: fakeHash('waiting', 1) },
        out_msgs: [],
        emulated: true,
      },
    },
    transactions_order: [fakeHash('waiting', 2)],
    trace_info: { trace_state: 'pending', transactions: 1, messages: 1, pending_messages: 1 },
  };

  it('lists those of an account before those in blocks', async () => {
    const source = sourceOf((endpoint) => ({ traces: endpoint === 'pendingTraces' ? [waiting] : [done] }));
    assert.deepEqual(
      (await findTrace(source, account)).map(({ state }) => state),
      ['pending', 'complete'],
    );
    const only = sourceOf((endpoint) => (endpoint === 'pendingTraces' ? { traces: [waiting] } : nothing));
    assert.equal((await findTrace(only, account)).length, 1);
  });

  it('lists once what got into a block between two requests', async () => {
    const early = { ...done, end_lt: null, trace_info: { ...done.trace_info, trace_state: 'pending' } };
    const source = sourceOf((endpoint) => ({ traces: endpoint === 'pendingTraces' ? [early] : [done] }));
    assert.deepEqual(
      (await findTrace(source, account)).map(({ state }) => state),
      ['complete'],
    );
  });

  it('counts only those in blocks when paging', async () => {
    const source = sourceOf(() => ({ traces: [done] }));
    await findTrace(source, account, { offset: 10 });
    assert.deepEqual(source.asked, ['traces account']);
  });

  it('treats a service without them as having none', async () => {
    for (const details of [
      { status: 500, serviceText: 'emulatedTracesRepository is not initialized' },
      { status: 404 },
    ]) {
      const refusal = new WorkbenchError({
        code: 'service-failure',
        kind: 'service',
        message: 'no',
        details,
      });
      const source: TraceSource = {
        request: (endpoint) =>
          endpoint === 'pendingTraces' ? Promise.reject(refusal) : Promise.resolve(nothing),
      };
      await assert.rejects(findTrace(source, 'ab'.repeat(32)), { code: 'trace-not-found' });
      await assert.rejects(findTrace(source, account), { code: 'trace-not-found' });
    }
  });
});

describe('finding a trace', () => {
  it('looks for a hash among transactions first, then messages, then pending ones', async () => {
    const pending = sourceOf((endpoint) => (endpoint === 'pendingTraces' ? recorded : nothing));
    const [model] = await findTrace(pending, hex);
    assert.equal(model?.nodes.length, 2);
    assert.deepEqual(pending.asked, ['traces tx_hash', 'traces msg_hash', 'pendingTraces ext_msg_hash']);

    const indexed = sourceOf(() => recorded);
    await findTrace(indexed, hex);
    assert.deepEqual(indexed.asked, ['traces tx_hash']);
  });

  it("returns an account's newest traces, page by page", async () => {
    const seen: Readonly<Record<string, TraceParameter>>[] = [];
    const source = sourceOf((_, parameters) => {
      seen.push(parameters);
      return recorded;
    });
    await findTrace(source, `0:${hex}`, { limit: 5, offset: 10, startTime: 7 });
    assert.deepEqual(
      [seen[0]?.account, seen[0]?.limit, seen[0]?.offset, seen[0]?.start_utime],
      [`0:${hex}`, 5, 10, 7],
    );
  });

  it('says if there is none', async () => {
    const source = sourceOf((endpoint) => (endpoint === 'pendingTraces' ? { traces: null } : nothing));
    await assert.rejects(findTrace(source, hex), { code: 'trace-not-found' });
    await assert.rejects(findTrace(source, `0:${hex}`), { code: 'trace-not-found' });
    assert.deepEqual(
      await findTrace(source, `0:${hex}`, { offset: 10 }),
      [],
      'the end of the pages is no error',
    );
  });
});

describe("a trace above the service's limit", () => {
  const whole = syntheticTrace(2500, chain);
  const refused = {
    ...whole,
    is_incomplete: true,
    warning: 'trace is too large',
    trace: undefined,
    transactions: undefined,
    transactions_order: undefined,
  };
  const others = Object.values(syntheticTrace(300, chain).transactions ?? {}).map((t, i) => ({
    ...t,
    hash: fakeHash('other', i),
    trace_id: fakeHash('other', 0),
  }));
  const all = [...Object.values(whole.transactions ?? {}), ...others];
  const asked: number[] = [];
  const pages = sourceOf((_, { limit, offset }) => {
    asked.push(Number(offset));
    return { transactions: all.slice(Number(offset), Number(offset) + Number(limit)) };
  });

  it('is assembled from pages of transactions', async () => {
    const [model] = readTraces({ traces: [refused] });
    const complete = await completeTrace(pages, model as TraceModel);
    assert.equal(complete.nodes.length, 2500);
    assert.equal(complete.incomplete, false);
    assert.equal(complete.roots.length, 1);
    assert.deepEqual(asked, [0, 1000, 2000]);
  });

  it('stays labeled incomplete when the pages run out', async () => {
    const [model] = readTraces({ traces: [refused] });
    const partial = await completeTrace(pages, model as TraceModel, { maximumPages: 1 });
    assert.equal(partial.incomplete, true);
    assert.equal(partial.nodes.filter((node) => node.isCarried).length, 1000);
  });
});
