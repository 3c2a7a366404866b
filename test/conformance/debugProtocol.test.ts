import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { pace } from '../../scripts/lib/pace.mjs';
import { debugCapabilities } from '../../src/toolkit/debug/breakpointRequests';
import { TonDebugSession } from '../../src/toolkit/debug/tonDebugSession';
import { debuggedMethod } from '../unit/debug/support/debuggedMethod';
import type { DebuggedMethod } from '../unit/debug/support/debuggedMethod';
import { walks } from '../unit/debug/support/walks';

type Stopped = DebugProtocol.StoppedEvent['body'];

/** Requests that the debugger does not announce. */
const refused = [
  ...['attach', 'terminateThreads', 'setExpression', 'stepInTargets', 'modules'],
  ...['loadedSources', 'readMemory', 'writeMemory', 'cancel', 'locations', 'runInTerminal', 'nonsense'],
];
/** What is announced, by the request that it is about; others change what requests mean. */
const requests: Partial<Record<keyof DebugProtocol.Capabilities, string>> = {
  supportsConfigurationDoneRequest: 'configurationDone',
  supportsFunctionBreakpoints: 'setFunctionBreakpoints',
  supportsDataBreakpoints: 'setDataBreakpoints',
  supportsInstructionBreakpoints: 'setInstructionBreakpoints',
  supportsBreakpointLocationsRequest: 'breakpointLocations',
  supportsCompletionsRequest: 'completions',
  // Announced so that clients offer it and show the reason why it cannot be.
  supportsSetVariable: 'setVariable',
  supportsStepBack: 'stepBack',
  supportsDisassembleRequest: 'disassemble',
  supportsRestartRequest: 'restart',
  supportsRestartFrame: 'restartFrame',
  supportsGotoTargetsRequest: 'gotoTargets',
  supportsExceptionInfoRequest: 'exceptionInfo',
  supportsTerminateRequest: 'terminate',
};
/** Announced abilities that have no request of their own, each with a test here or of the sessions of a network. */
const options: readonly (keyof DebugProtocol.Capabilities)[] = [
  ...(['supportsConditionalBreakpoints', 'supportsHitConditionalBreakpoints', 'supportsLogPoints'] as const),
  ...(['supportsEvaluateForHovers', 'supportsClipboardContext', 'completionTriggerCharacters'] as const),
  ...(['supportsSteppingGranularity', 'exceptionBreakpointFilters'] as const),
];

describe('the Debug Adapter Protocol', () => {
  let debugged: DebuggedMethod;
  let server: Server;
  let dc: DebugClient;

  before(async () => {
    debugged = await debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n]);
    server = createServer((socket) => {
      const session = new TonDebugSession(() => Promise.resolve(debugged.program));
      session.setRunAsServer(true);
      session.start(socket, socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(async () => {
    dc = new DebugClient('', '', 'ton');
    dc.defaultTimeout = 10_000 * pace;
    await dc.start((server.address() as AddressInfo).port);
  });
  afterEach(() => dc.stop());
  after(() => new Promise((resolve) => server.close(resolve)));

  const launch = async (filters?: readonly string[]): Promise<void> => {
    const [stopped, initialized] = [dc.waitForEvent('stopped'), dc.waitForEvent('initialized')];
    await dc.initializeRequest();
    const launched = dc.launchRequest({ stopOnEntry: true } as DebugProtocol.LaunchRequestArguments);
    await Promise.all([launched, initialized]);
    if (filters !== undefined) {
      await dc.setExceptionBreakpointsRequest({ filters: [...filters] });
    }
    await dc.configurationDoneRequest();
    await stopped;
  };
  const moved = async (request: () => Promise<unknown>): Promise<Stopped> => {
    const stopped = dc.waitForEvent('stopped');
    await request();
    return (await stopped).body as Stopped;
  };
  const frame = async (): Promise<DebugProtocol.StackFrame> =>
    (await dc.stackTraceRequest({ threadId: 1 })).body.stackFrames[0]!;

  it('announces only what a request answers, and answers all that it announces', async () => {
    const { body } = await dc.initializeRequest();
    assert.deepEqual(body, debugCapabilities);
    const announced = Object.keys(debugCapabilities) as (keyof DebugProtocol.Capabilities)[];
    assert.deepEqual(
      announced.filter((one) => requests[one] === undefined && !options.includes(one)),
      [],
    );
    assert.deepEqual([...Object.keys(requests), ...options].sort(), announced.sort());
    for (const command of Object.values(requests)) {
      const error = await dc.customRequest(command, { breakpoints: [] }).catch(String);
      assert.doesNotMatch(JSON.stringify(error), /does not support the request/, command);
    }
  });

  it('refuses what it does not announce, and changes, with a reason', async () => {
    await launch();
    for (const command of [...refused, 'setVariable']) {
      await assert.rejects(
        dc.customRequest(command, {}),
        command.startsWith('set')
          ? /A recording is the past.*“Run Again With Changes…”/
          : /does not support the request/,
        command,
      );
    }
  });

  it('refuses what was never there: frames, targets, sources, values', async () => {
    await launch();
    await assert.rejects(dc.restartFrameRequest({ frameId: 99 }), /no longer exists/);
    await assert.rejects(dc.gotoRequest({ threadId: 1, targetId: 99 }), /no longer exists/);
    await assert.rejects(dc.sourceRequest({ sourceReference: 99 }), /not part of the session/);
    assert.deepEqual((await dc.scopesRequest({ frameId: 99 })).body.scopes, []);
    assert.deepEqual((await dc.variablesRequest({ variablesReference: 99 })).body.variables, []);
    assert.deepEqual((await dc.gotoTargetsRequest({ source: { path: '/no' }, line: 1 })).body.targets, []);
    const disassembled = await dc.disassembleRequest({ memoryReference: 'no', instructionCount: 3 });
    const hints = disassembled.body?.instructions.map(({ presentationHint }) => presentationHint);
    assert.deepEqual(hints, ['invalid', 'invalid', 'invalid']);
    const set = await dc.setDataBreakpointsRequest({ breakpoints: [{ dataId: 'no' }] });
    assert.equal(set.body.breakpoints[0]?.verified, false);
  });

  it('stops at exceptions as its filters say, and tells about them', async () => {
    await launch(['all']);
    const { reason, text } = await moved(() => dc.continueRequest({ threadId: 1 }));
    assert.equal(reason, 'exception');
    assert.match(text ?? '', /^Exit code 77/);
    const { body } = await dc.exceptionInfoRequest({ threadId: 1 });
    assert.match(`${body.breakMode}: ${body.exceptionId}`, /^always: Exit code 77/);
    await moved(() => dc.restartRequest({}));
    await dc.setExceptionBreakpointsRequest({ filters: [] });
    const end = await moved(() => dc.continueRequest({ threadId: 1 }));
    assert.equal(end.description, 'End of the recording');
  });

  it('shows values to those who hover, and completes names', async () => {
    await launch();
    await moved(() => dc.nextRequest({ threadId: 1 }));
    await moved(() => dc.nextRequest({ threadId: 1 }));
    const { id } = await frame();
    const { body } = await dc.evaluateRequest({ expression: 'total', context: 'hover', frameId: id });
    assert.equal(body.result, '0');
    const completed = await dc.completionsRequest({ text: '1 + tot', column: 8, frameId: id });
    assert.deepEqual(completed.body.targets, [{ label: 'total', start: 4, length: 3 }]);
  });

  it('has the globals in a scope of their own, which are watched', async () => {
    await launch();
    const { body } = await dc.scopesRequest({ frameId: (await frame()).id });
    const { variablesReference } = body.scopes.find(({ name }) => name === 'Globals')!;
    const info = await dc.dataBreakpointInfoRequest({ variablesReference, name: 'total' });
    assert.equal(info.body.description, 'total');
    const set = await dc.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId! }] });
    assert.equal(set.body.breakpoints[0]?.verified, true);
    const totals = [];
    const told = [];
    for (;;) {
      const { reason, description } = await moved(() => dc.continueRequest({ threadId: 1 }));
      if (reason !== 'data breakpoint' || totals.length === 6) {
        break;
      }
      totals.push((await dc.evaluateRequest({ expression: 'total' })).body.result);
      told.push(`${description} in ${(await frame()).name}`);
    }
    // At the line that wrote it, not at the one that runs next.
    assert.deepEqual(told.slice(0, 3), [
      'total null → 0 in walk',
      'total 0 → 20 in half',
      'total 20 → 30 in half',
    ]);
    assert.deepEqual(totals, ['0', '20', '30', '35', '37', '38']);
    await moved(() => dc.reverseContinueRequest({ threadId: 1 }));
    assert.equal((await dc.evaluateRequest({ expression: 'total' })).body.result, '38');
  });

  it('says which functions are never reached, and which there are not', async () => {
    await launch();
    const names = ['half', 'onInternalMessage', 'nope'];
    const { body } = await dc.setFunctionBreakpointsRequest({ breakpoints: names.map((name) => ({ name })) });
    assert.deepEqual(
      body.breakpoints.map(({ verified, message }) => [verified, message]),
      [
        [true, undefined],
        [false, 'This execution never reached the function.'],
        [false, 'There is no function nope in the sources of this trace.'],
      ],
    );
  });

  it('names the line of a condition that cannot be evaluated', async () => {
    await launch();
    const output = dc.assertOutput(
      'console',
      'The condition of the breakpoint at line 31 cannot be evaluated: ',
    );
    const breakpoints = [{ line: 31, condition: '1 +' }];
    await dc.setBreakpointsRequest({ source: { path: debugged.file }, breakpoints });
    await moved(() => dc.continueRequest({ threadId: 1 }));
    await output;
  });

  it('watches what is named without a scope, and describes it by its whole name', async () => {
    await launch();
    for (let step = 0; step < 10; step += 1) {
      await moved(() => dc.nextRequest({ threadId: 1 }));
    }
    for (const name of ['c4', 'total', 'span.high', 'here.low']) {
      const { body } = await dc.dataBreakpointInfoRequest({ name });
      assert.deepEqual([typeof body.dataId, body.description], ['string', name]);
    }
    const { body } = await dc.dataBreakpointInfoRequest({ name: 'nope' });
    assert.equal(body.dataId, null);
  });

  it('pauses nothing that is not running, and ends when it is asked to', async () => {
    await launch();
    await dc.pauseRequest({ threadId: 1 });
    assert.match((await frame()).name, /^walk/);
    const terminated = dc.waitForEvent('terminated');
    await dc.customRequest('terminate', {});
    await terminated;
  });
});
