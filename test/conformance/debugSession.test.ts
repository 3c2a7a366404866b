import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { pace } from '../../scripts/lib/pace.mjs';
import { debugCapabilities } from '../../src/toolkit/debug/breakpointRequests';
import { lastError, runCommandLine, startCommandLine, startHere } from '../support/commandLine';
import type { CommandLineRun, StartedHere } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

const ledger = `
struct Ledger {
    total: int64
    rounds: uint32
}

fun Ledger.load() {
    return Ledger.fromCell(contract.getData())
}

fun Ledger.save(self) {
    contract.setData(self.toCell())
}

@noinline
fun slowSum(until: int): int {
    var sum = 0;
    var i = 0;
    while (i < until) {
        i += 1;
        sum += i;
    }
    return sum;
}

struct (0x00000001) Add { until: uint32 }
struct (0x00000002) Refuse { code: uint16 }
type Order = Add | Refuse

fun onInternalMessage(in: InMessage) {
    val order = lazy Order.fromSlice(in.body);
    match (order) {
        Add => {
            var ledger = Ledger.load();
            val sum = slowSum(order.until);
            ledger.total += sum;
            ledger.rounds += 1;
            ledger.save();
        }
        Refuse => {
            val code = order.code;
            assert (code == 0) throw 401;
        }
        else => {}
    }
}

get fun total(): int {
    return Ledger.load().total
}

get fun sumTo(until: int): int {
    assert (until >= 0) throw 402;
    return slowSum(until) + Ledger.load().total;
}
`;

/** The line of a text in the source, from 1. */
function lineOf(text: string): number {
  const index = ledger.split('\n').findIndex((line) => line.includes(text));
  assert.ok(index >= 0, text);
  return index + 1;
}

const add = 'b(u32 1, u32 3)';
const refuse = 'b(u32 2, u16 9)';
/** The thread of the ledger's transaction; the first is that of the wallet. */
const own = 2;

describe('a debug session', () => {
  let localnet: LocalnetCommand;
  let folder: string;
  let file: string;
  /** Hashes of the ledger's transactions. */
  let added: string;
  let refused: string;
  let client: DebugClient | undefined;
  let ended: Promise<unknown> | undefined;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine([...args, '--network', localnet.origin], {}, folder);
  const send = async (body: string): Promise<string> => {
    const sent = await run('send', '--compose', `Ledger 0.5ton body ${body} from alice`, '--anyway');
    assert.notEqual(sent.status, 2, sent.stderr);
    const { stdout } = await run('trace', 'Ledger', '--limit', '1');
    return /B Ledger .* ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-debug-'));
    await mkdir(path.join(folder, 'contracts'));
    await writeFile(path.join(folder, 'package.json'), '{}');
    file = path.join(folder, 'contracts/ledger.tolk');
    await writeFile(file, ledger);
    localnet = await startLocalnetCommand();
    const deployed = await run('deploy', 'contracts/ledger.tolk', '--data', '{total: 10, rounds: 0}');
    assert.equal(deployed.status, 0, deployed.stdout + deployed.stderr);
    added = await send(add);
    refused = await send(refuse);
  });
  afterEach(async () => {
    await client?.stop().catch(() => undefined);
    client = undefined;
    await ended;
  });
  after(async () => {
    await localnet?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the command for a transaction, and connects to it. */
  const connect = async (...what: string[]): Promise<DebugClient> => {
    return attach(
      await startHere(['debug', ...what, '--dap', '0', '--json', '--network', localnet.origin], folder),
    );
  };
  const attach = async (started: StartedHere): Promise<DebugClient> => {
    ended = started.ended;
    const { port } = JSON.parse(started.firstLine) as { port: number };
    client = new DebugClient('', '', 'ton');
    client.defaultTimeout = 20_000 * pace;
    await client.start(port);
    return client;
  };
  /** Launches, sets breakpoints at lines, and waits for the first stop. */
  const launch = async (
    dc: DebugClient,
    breakpoints: readonly DebugProtocol.SourceBreakpoint[] = [],
    more: object = {},
  ): Promise<DebugProtocol.Breakpoint[]> => {
    const stopped = dc.waitForEvent('stopped');
    const initialized = dc.waitForEvent('initialized');
    await dc.initializeRequest();
    await Promise.all([dc.launchRequest(more as DebugProtocol.LaunchRequestArguments), initialized]);
    const { body } = await dc.setBreakpointsRequest({
      source: { path: file },
      breakpoints: [...breakpoints],
    });
    await dc.configurationDoneRequest();
    await stopped;
    return body.breakpoints;
  };
  const here = async (dc: DebugClient, threadId: number): Promise<DebugProtocol.StackFrame> => {
    const { body } = await dc.stackTraceRequest({ threadId });
    return body.stackFrames[0]!;
  };
  /** Makes a request, and waits until the session has stopped again. */
  const moved = async (
    dc: DebugClient,
    request: () => Promise<unknown>,
  ): Promise<DebugProtocol.StoppedEvent['body']> => {
    const stopped = dc.waitForEvent('stopped');
    await request();
    return (await stopped).body as DebugProtocol.StoppedEvent['body'];
  };
  const scopesOf = async (dc: DebugClient, frame: DebugProtocol.StackFrame): Promise<Map<string, number>> => {
    const { body } = await dc.scopesRequest({ frameId: frame.id });
    return new Map(body.scopes.map((scope) => [scope.name, scope.variablesReference]));
  };
  const listed = async (dc: DebugClient, variablesReference = 0): Promise<DebugProtocol.Variable[]> =>
    (await dc.variablesRequest({ variablesReference })).body.variables;

  it('says what it can do, and refuses what it cannot', async () => {
    const dc = await connect(added);
    const { body } = await dc.initializeRequest();
    assert.deepEqual(body, debugCapabilities);
    const early = await dc.evaluateRequest({ expression: '1' }).catch((error: unknown) => error);
    assert.match(String(early), /has not begun: send a launch request first/);
    for (const command of ['setVariable', 'setExpression']) {
      await assert.rejects(
        dc.customRequest(command, {}),
        /A recording is the past: its values cannot be changed.*Run Again With Changes…/,
      );
    }
    for (const command of ['readMemory', 'attach', 'nonsense']) {
      await assert.rejects(dc.customRequest(command, {}), /does not support the request/, command);
    }
  });

  it('says which port it cannot have', async () => {
    const problem = async (port: string): Promise<string> =>
      lastError(await run('debug', added, '--dap', port, '--json')).code;
    assert.equal(await problem(new URL(localnet.origin).port), 'port-in-use');
    assert.equal(await problem('70000'), 'port-invalid');
  });

  it('debugs a get-method with its arguments', async () => {
    const dc = await connect('--call', 'Ledger', 'sumTo', '3');
    const [set] = await launch(dc, [{ line: lineOf('sum += i;') }]);
    assert.equal(set?.verified, true, set?.message);
    const { body } = await dc.threadsRequest();
    assert.deepEqual(
      body.threads.map(({ name }) => name),
      ['sumTo on Ledger'],
    );
    await moved(dc, () => dc.continueRequest({ threadId: 1 }));
    const frames = (await dc.stackTraceRequest({ threadId: 1 })).body.stackFrames;
    assert.deepEqual(
      frames.map(({ name }) => name.replace(/, block \d+$/, '')),
      ['slowSum', 'sumTo', 'get-method sumTo on Ledger'],
    );
    const locals = (await scopesOf(dc, frames[1]!)).get('Locals');
    assert.equal((await listed(dc, locals)).find(({ name }) => name === 'until')?.value, '3');
  });

  it('debugs a get-method that throws from where it does, and says what it lacks', async () => {
    const dc = await connect('--call', 'Ledger', 'sumTo', ' -1');
    const stopped = dc.waitForEvent('stopped');
    await launch(dc);
    assert.match(((await stopped) as DebugProtocol.StoppedEvent).body.text ?? '', /^Exit code 402/);
    assert.equal((await here(dc, 1)).line, lineOf('throw 402'));
    const wrong = lastError(await run('debug', '--call', 'Ledger', 'sumTo', 'x', '--dap', '0', '--json'));
    assert.match(wrong.message, /^Argument 1 \(x\)/);
    for (const words of [
      ['--call', 'Ledger'],
      ['Ledger', 'sumTo'],
    ]) {
      assert.equal(lastError(await run('debug', ...words, '--dap', '0', '--json')).code, 'usage');
    }
  });

  it('has the transactions of the trace as threads, and the message that caused one under its functions', async () => {
    const dc = await connect(added);
    const [breakpoint] = await launch(dc, [{ line: lineOf('sum += i;') }]);
    assert.equal(breakpoint?.verified, true);
    const { body } = await dc.threadsRequest();
    assert.deepEqual(
      body.threads.map(({ name }) => name),
      ['1 alice', '2 Ledger'],
    );
    const stop = await moved(dc, () => dc.continueRequest({ threadId: own }));
    assert.deepEqual([stop.reason, stop.hitBreakpointIds], ['breakpoint', [breakpoint?.id]]);
    const stack = (await dc.stackTraceRequest({ threadId: own })).body.stackFrames;
    assert.deepEqual(
      stack.map(({ name, line }) => [name, line]),
      [
        ['slowSum', lineOf('sum += i;')],
        ['onInternalMessage', lineOf('slowSum(order.until)')],
        ['alice → Ledger: Add, 0.5 TON', 0],
      ],
    );
    assert.equal(stack[0]?.source?.path, file);
    // Back before its beginning is the transaction that sent the message: the wallet, which has no source here.
    await moved(dc, () => dc.reverseContinueRequest({ threadId: own }));
    const wallet = (await dc.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!;
    assert.match(wallet.source?.name ?? '', /^1 alice\.tasm$/);
    const source = await dc.sourceRequest({
      source: wallet.source!,
      sourceReference: wallet.source!.sourceReference!,
    });
    assert.match(source.body.content.split('\n')[wallet.line - 1] ?? '', /^[A-Z]/);
  });

  it('tells which lines of the sources an execution ran', async () => {
    const dc = await connect(added);
    await launch(dc);
    const { body } = (await dc.customRequest('executedLines', { threadId: own })) as {
      body: { files: { path: string; lines: number[] }[] };
    };
    const lines = body.files.find((one) => one.path === file)?.lines ?? [];
    assert.ok(lines.includes(lineOf('sum += i;')), JSON.stringify(body));
    assert.ok(!lines.includes(lineOf('throw 401')));
    const none = (await dc.customRequest('executedLines', { threadId: 9 })) as { body: { files: object[] } };
    assert.deepEqual(none.body.files, []);
  });

  it('begins at the failure, and shows the values there', async () => {
    const dc = await connect(refused);
    const stopped = dc.waitForEvent('stopped');
    await launch(dc);
    const { body } = (await stopped) as DebugProtocol.StoppedEvent;
    assert.equal(body.reason, 'exception', JSON.stringify(body));
    assert.match(body.text ?? '', /^Exit code 401/);
    const frame = await here(dc, own);
    assert.equal(frame.line, lineOf('throw 401'));
    const info = await dc.exceptionInfoRequest({ threadId: own });
    assert.match(info.body.exceptionId, /^Exit code 401/);
    assert.equal(info.body.description, 'assert (code == 0) throw 401;\ncode = 9');
    const scopes = await scopesOf(dc, frame);
    const locals = await listed(dc, scopes.get('Locals'));
    assert.equal(locals.find(({ name }) => name === 'code')?.value, '9');
    const { body: code } = await dc.evaluateRequest({ expression: 'code', context: 'watch' });
    assert.equal(code.result, '9');
    const { body: after } = await dc.evaluateRequest({ expression: 'code * 2 + 1 == 19 && code != 0' });
    assert.equal(after.result, 'true');
    await assert.rejects(dc.evaluateRequest({ expression: 'code = 0' }), /A recording is the past/);
    await assert.rejects(dc.evaluateRequest({ expression: 'nobody' }), /nobody is not known here/);
  });

  it('stops at what nothing catches, also for a client that sets no breakpoints of any kind', async () => {
    const dc = await connect(refused);
    const stopped = dc.waitForEvent('stopped');
    const initialized = dc.waitForEvent('initialized');
    await dc.initializeRequest();
    const entry = { stopOnEntry: true } as DebugProtocol.LaunchRequestArguments;
    await Promise.all([dc.launchRequest(entry), initialized]);
    await dc.configurationDoneRequest();
    await stopped;
    const { reason, text } = await moved(dc, () => dc.continueRequest({ threadId: own }));
    assert.deepEqual([reason, text?.slice(0, 13)], ['exception', 'Exit code 401']);
  });

  it('steps over, into, and out of functions, and back', async () => {
    const dc = await connect(added);
    const call = lineOf('val sum = slowSum');
    await launch(dc, [{ line: call }], { stopOnEntry: true });
    await moved(dc, () => dc.continueRequest({ threadId: own }));
    const lines = [];
    for (const step of ['stepIn', 'next', 'stepOut', 'stepBack', 'stepBack', 'stepBack', 'next'] as const) {
      const request = `${step}Request` as const;
      const { reason } = await moved(dc, () => dc[request]({ threadId: own }));
      assert.ok(reason === 'step' || reason === 'breakpoint', reason);
      lines.push((await here(dc, own)).line);
    }
    assert.deepEqual(lines, [
      lineOf('var sum = 0;'),
      lineOf('var i = 0;'),
      lineOf('ledger.total += sum;'),
      lineOf('var i = 0;'),
      lineOf('var sum = 0;'),
      call,
      lineOf('ledger.total += sum;'),
    ]);
    const { body } = await dc.stackTraceRequest({ threadId: own });
    await moved(dc, () => dc.restartFrameRequest({ frameId: body.stackFrames[0]!.id }));
    assert.equal((await here(dc, own)).line, lineOf('fun onInternalMessage'));
    const { targets } = (await dc.gotoTargetsRequest({ source: { path: file }, line: lineOf('return sum;') }))
      .body;
    await moved(dc, () => dc.gotoRequest({ threadId: own, targetId: targets[0]!.id }));
    assert.equal((await here(dc, own)).line, lineOf('return sum;'));
    const back = await dc.gotoTargetsRequest({ source: { path: file }, line: call });
    await moved(dc, () => dc.gotoRequest({ threadId: own, targetId: back.body.targets[0]!.id }));
    assert.equal((await here(dc, own)).line, call);
  });

  it('takes conditions, hit counts, log messages, and functions as breakpoints', async () => {
    const dc = await connect(added);
    await launch(
      dc,
      [
        { line: lineOf('sum += i;'), condition: 'i >= 2' },
        { line: lineOf('i += 1;'), hitCondition: '>= 2' },
        { line: lineOf('return sum;'), logMessage: 'the sum is {sum}' },
      ],
      { stopOnEntry: true },
    );
    const functions = await dc.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'save' }] });
    assert.equal(functions.body.breakpoints[0]?.verified, true);
    const output = dc.assertOutput('stdout', 'the sum is 6');
    const visited = [];
    for (;;) {
      const { reason } = await moved(dc, () => dc.continueRequest({ threadId: own }));
      if (reason === 'pause') {
        break;
      }
      visited.push(`${reason} at ${(await here(dc, own)).line}`);
    }
    await output;
    const [adds, next, saves] = [lineOf('sum += i;'), lineOf('i += 1;'), lineOf('contract.setData(self')];
    assert.deepEqual(visited, [
      `breakpoint at ${next}`,
      `breakpoint at ${adds}`,
      `breakpoint at ${next}`,
      `breakpoint at ${adds}`,
      `function breakpoint at ${saves}`,
    ]);
  });

  it('says at a change what was, what is, and which line wrote it', async () => {
    const dc = await connect(added);
    await launch(dc, [{ line: lineOf('return sum;') }], { stopOnEntry: true });
    await moved(dc, () => dc.continueRequest({ threadId: own }));
    const scopes = await scopesOf(dc, await here(dc, own));
    const info = async (scope: string, name: string): Promise<string> => {
      const { body } = await dc.dataBreakpointInfoRequest({ variablesReference: scopes.get(scope)!, name });
      return body.dataId ?? assert.fail(body.description);
    };
    const none = await dc.dataBreakpointInfoRequest({ variablesReference: scopes.get('Gas')!, name: 'left' });
    assert.equal(none.body.dataId, null);
    const watched = [{ dataId: await info('Locals', 'sum') }, { dataId: await info('Registers', 'c4') }];
    await dc.setBreakpointsRequest({ source: { path: file }, breakpoints: [] });
    const set = await dc.setDataBreakpointsRequest({ breakpoints: watched });
    assert.ok(set.body.breakpoints.every(({ verified }) => verified));
    await moved(dc, () => dc.reverseContinueRequest({ threadId: own }));
    const sums = [];
    let told = '';
    const back = await moved(dc, () => dc.reverseContinueRequest({ threadId: own }));
    assert.equal(back.reason, 'data breakpoint');
    await moved(dc, () => dc.restartRequest({}));
    for (;;) {
      const { reason, description } = await moved(dc, () => dc.continueRequest({ threadId: own }));
      if (reason !== 'data breakpoint') {
        break;
      }
      const { name, line } = await here(dc, own);
      told = `${description} in ${name}, ${line}`;
      const value = await dc.evaluateRequest({ expression: 'sum' }).catch(() => undefined);
      const total = await dc.evaluateRequest({ expression: 'c4.total' });
      sums.push([value?.body.result, total.body.result]);
    }
    assert.deepEqual(sums.slice(0, 3), [
      ['1', '10'],
      ['3', '10'],
      ['6', '10'],
    ]);
    assert.equal(sums.at(-1)?.[1], '16');
    const writes = lineOf('contract.setData(self');
    assert.equal(told, `c4.total 10 → 16, c4.rounds 0 → 1 in Ledger.save (inlined), ${writes}`);
  });

  it('has instructions: a disassembly, breakpoints in it, and steps', async () => {
    const dc = await connect(added);
    await launch(dc, [{ line: lineOf('sum += i;') }], { stopOnEntry: true });
    await moved(dc, () => dc.continueRequest({ threadId: own }));
    const { instructionPointerReference } = await here(dc, own);
    const { body } = await dc.disassembleRequest({
      memoryReference: instructionPointerReference!,
      instructionOffset: -300,
      instructionCount: 600,
    });
    const { instructions } = body!;
    assert.equal(instructions.length, 600);
    assert.equal(new Set(instructions.map(({ address }) => address)).size, 600);
    const now = instructions.findIndex(({ address }) => address === instructionPointerReference);
    assert.equal(now, 300);
    assert.equal(instructions[now]?.line, lineOf('sum += i;'));
    const next = instructions[now + 1]!;
    const set = await dc.customRequest('setInstructionBreakpoints', {
      breakpoints: [{ instructionReference: next.address }, { instructionReference: '0x1' }],
    });
    const { breakpoints } = set.body as { breakpoints: DebugProtocol.Breakpoint[] };
    assert.deepEqual(
      breakpoints.map(({ verified }) => verified),
      [true, false],
    );
    const stop = await moved(dc, () => dc.continueRequest({ threadId: own }));
    assert.equal(stop.reason, 'instruction breakpoint');
    assert.equal((await here(dc, own)).instructionPointerReference, next.address);
    await moved(dc, () => dc.stepBackRequest({ threadId: own, granularity: 'instruction' }));
    assert.equal((await here(dc, own)).instructionPointerReference, instructionPointerReference);
  });

  it('shows structs folded, the stack in pages, and the data by its layout, and copies values as stack text', async () => {
    const dc = await connect(added);
    await launch(dc, [{ line: lineOf('ledger.rounds += 1;') }], { stopOnEntry: true });
    await moved(dc, () => dc.continueRequest({ threadId: own }));
    const frame = await here(dc, own);
    const scopes = await scopesOf(dc, frame);
    const locals = await listed(dc, scopes.get('Locals'));
    const struct = locals.find(({ name }) => name === 'ledger');
    const fields = await listed(dc, struct?.variablesReference);
    assert.deepEqual(Object.fromEntries(fields.map(({ name, value }) => [name, value])), {
      total: '16',
      rounds: '0',
    });
    // The sum is added: it is no longer on the stack.
    assert.equal(locals.find(({ name }) => name === 'sum')?.value, '6 (last seen)');
    const stack = await listed(dc, scopes.get('Stack'));
    assert.deepEqual(stack.map(({ name }) => name).slice(0, 2), ['s0', 's1']);
    const page = await dc.variablesRequest({ variablesReference: scopes.get('Stack')!, start: 1, count: 1 });
    assert.deepEqual(
      page.body.variables.map(({ name, value }) => [name, value]),
      [[stack[1]?.name, stack[1]?.value]],
    );
    const registers = await listed(dc, scopes.get('Registers'));
    const c4 = await listed(dc, registers.find(({ name }) => name === 'c4')?.variablesReference);
    assert.deepEqual(
      c4.slice(0, 2).map(({ name, value }) => [name, value]),
      [
        ['total', '10'],
        ['rounds', '0'],
      ],
    );
    const copied = await dc.evaluateRequest({ expression: 's0', context: 'clipboard', frameId: frame.id });
    assert.equal(copied.body.result, stack[0]?.value);
    const { body } = await dc.completionsRequest({ frameId: frame.id, text: 'led', column: 4 });
    assert.deepEqual(
      body.targets.map(({ label }) => label),
      ['ledger'],
    );
  });

  it('says which lines are never reached, and which have no code', async () => {
    const dc = await connect(added);
    const breakpoints = await launch(dc, [{ line: lineOf('throw 401') }, { line: 1 }], { stopOnEntry: true });
    assert.deepEqual(
      breakpoints.map(({ verified, message }) => [verified, message]),
      [
        [false, 'This execution never reached the line.'],
        [false, 'No instruction comes from this line.'],
      ],
    );
    const locations = (await dc.customRequest('breakpointLocations', {
      source: { path: file },
      line: 1,
      endLine: 100,
    })) as DebugProtocol.BreakpointLocationsResponse;
    assert.ok(locations.body.breakpoints.length > 8);
  });

  it('ends with its client, and after the end of the recording, as its process does', async () => {
    const command = ['debug', added, '--dap', '0', '--json', '--network', localnet.origin];
    const dc = await attach(await startCommandLine(command, folder));
    await launch(dc, [], { stopOnEntry: true });
    const end = await moved(dc, () => dc.continueRequest({ threadId: own }));
    assert.equal(end.description, 'End of the recording');
    const terminated = dc.waitForEvent('terminated');
    await dc.continueRequest({ threadId: own });
    await terminated;
    await dc.disconnectRequest({});
    client = undefined;
    assert.equal(await ended, 0);
  });
});
