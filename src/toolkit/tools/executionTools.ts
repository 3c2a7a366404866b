import * as z from 'zod';
import { WorkbenchError } from '../base/errors';
import type { Tool, ToolCall } from './tool';
import { defineTool, documentsOf, inputs, onlyDocument, options, word } from './tool';

const runGetMethod = defineTool({
  name: 'run_get_method',
  title: 'Run a Get-Method',
  sentence:
    'Runs a get-method of a deployed contract on the real TVM and returns its exit code, gas, and values, decoded by their types. Use it instead of guessing what a contract answers.',
  changes: 'nothing',
  input: z.strictObject({
    address: z
      .string()
      .max(300)
      .describe('An address in any form, a name on the local network, or a domain.'),
    method: z.string().max(200).describe('Its name or number.'),
    arguments: z
      .string()
      .max(200_000)
      .default('')
      .describe(
        'Stack text, values separated by spaces or commas: 42 -1 0x2a 1.5ton true null "addr EQ…" cell te6cc… b(u32 7, coins 1ton) [1, 2].',
      ),
    network: inputs.network,
  }),
  output: z.looseObject({
    exitCode: z.int().nullable().optional(),
    gasUsed: z.int().nullable().optional(),
    typed: z.unknown().optional().describe('The result by its declared type.'),
    stack: z.array(z.unknown()).optional(),
  }),
  run: async ({ address, method, arguments: text, network }, call) => {
    const words = [word(address), word(method), ...(text.trim() === '' ? [] : [word(text.trim())])];
    const answer = await call.host.command('run', [...options({ network }), '--', ...words], call.signal);
    return onlyDocument(answer, call);
  },
});

const explainTrace = defineTool({
  name: 'explain_trace',
  title: 'Explain a Trace',
  sentence:
    'Explains what a transaction set off: the verdict, why and where it failed (source line and values), actions, money, fees, and changed data of known contracts. Without "what", the newest failure on the local network. Use it first when something failed.',
  changes: 'nothing',
  input: z.strictObject({
    what: inputs.what
      .optional()
      .describe(
        'The hash of a transaction or message, an account (its newest trace), an explorer link, a BoC that was sent, a saved trace (file), or a record of a test (FILE.tontests#12). Default: the newest failure on the local network.',
      ),
    network: inputs.network,
  }),
  output: z.looseObject({
    traceId: z.string().nullable().optional(),
    verdict: z.string().nullable().optional(),
    failure: z.unknown().optional(),
    thrownAt: z
      .looseObject({ file: z.string(), line: z.int(), text: z.string() })
      .optional()
      .describe('The source line that threw, with the values there.'),
    actions: z.array(z.string()).optional(),
    money: z.array(z.unknown()).optional(),
  }),
  run: async ({ what, network }, call) => {
    if (what !== undefined && /\.tontests(?:#|$)/.test(what)) {
      return replayed(what, network, [], call);
    }
    const target = what ?? (await newestFailure(network, call));
    const args = [...options({ network, limit: 1 }), '--', word(target)];
    const trace = onlyDocument(await call.host.command('trace', args, call.signal), call);
    const hash = failedStep(trace);
    if (hash === undefined) {
      return trace;
    }
    // The trace is told even if its failed transaction cannot be run again.
    const again = await call.host.command('replay', [...options({ network }), '--', hash], call.signal);
    const [replay] = again.documents as [{ thrownAt?: unknown }?];
    if (replay?.thrownAt === undefined) {
      call.note(`No source line is known for the failure. "step" with ${hash} shows every instruction.`);
      return trace;
    }
    return { ...trace, thrownAt: replay.thrownAt as { file: string; line: number; text: string } };
  },
});

/** The transaction that failed first; undefined if none did in a block. */
function failedStep(trace: object): string | undefined {
  const { steps = [] } = trace as {
    steps?: { hash: string | null; outcome: string; exitCode: number | null; emulated: boolean }[];
  };
  const failed = steps.filter(
    ({ outcome, emulated, hash }) => outcome === 'failed' && !emulated && hash !== null,
  );
  const thrown = failed.find(({ exitCode }) => exitCode !== null && exitCode > 1);
  return (thrown ?? failed[0])?.hash ?? undefined;
}

/** @throws WorkbenchError `trace-not-found` if nothing has failed */
async function newestFailure(network: string, call: ToolCall): Promise<string> {
  const [{ openTraces }, { failedNodes }] = await Promise.all([
    import('../trace/traceFile'),
    import('../trace/verdict'),
  ]);
  const args = ['v3', 'traces', 'limit=50', 'sort=desc', ...options({ network })];
  const answer = onlyDocument(await call.host.command('api', args, call.signal), call);
  const { traces = [] } = answer as { traces?: unknown[] };
  const models = traces.length === 0 ? [] : openTraces(JSON.stringify(answer));
  const failed = models.find((model) => failedNodes(model).length > 0);
  const hash = failed?.nodes[0]?.hash ?? failed?.id;
  if (hash === undefined) {
    throw new WorkbenchError({
      code: 'trace-not-found',
      kind: 'input',
      message: `None of the newest ${models.length} traces has failed.`,
      hint: 'Name a hash or an account. For a failed test, call run_tests.',
    });
  }
  return hash;
}

/** What `replay` prints; one whose result differs is told with what differs. */
async function replayed(
  what: string,
  network: string,
  args: readonly string[],
  call: ToolCall,
): Promise<object> {
  const words = [...options({ network }), ...args, '--', word(what)];
  return onlyDocument(await call.host.command('replay', words, call.signal), call);
}

const replay = defineTool({
  name: 'replay',
  title: 'Replay a Transaction',
  sentence:
    'Runs a transaction, or a record of a test, again on the state it ran on: as it was, which says whether the result is identical, or with edits to find out what would change. Nothing is sent. Use it to check an idea about a failure.',
  changes: 'nothing',
  input: z.strictObject({
    what: inputs.what,
    edits: z
      .array(z.string().max(100_000))
      .max(20)
      .default([])
      .describe(
        'KEY=VALUE: body, value (2ton), sender, time, balance, code (a .boc, build output), data, config.N, signature=ignored.',
      ),
    source: inputs.source,
    network: inputs.network,
  }),
  output: z.looseObject({
    verdict: z.string().nullable().optional(),
    exitCode: z.int().nullable().optional(),
    thrownAt: z.unknown().optional(),
  }),
  run: ({ what, edits, source, network }, call) =>
    replayed(what, network, [...edits.map((edit) => `--edit=${edit}`), ...options({ source })], call),
});

const profile = defineTool({
  name: 'profile',
  title: 'Profile Gas',
  sentence:
    'Shows where the gas of a transaction or of a record of a test went, by function and source line. Use it before you optimize.',
  changes: 'nothing',
  input: z.strictObject({ what: inputs.what, source: inputs.source, network: inputs.network }),
  output: z.looseObject({
    gasUsed: z.int().optional(),
    functions: z.array(z.unknown()).optional(),
    lines: z.array(z.unknown()).optional(),
  }),
  run: async ({ what, source, network }, call) => {
    const args = [...options({ network, source }), '--', word(what)];
    return onlyDocument(await call.host.command('profile', args, call.signal), call);
  },
});

const rehearse = defineTool({
  name: 'rehearse',
  title: 'Rehearse a Message',
  sentence:
    'Runs a message and all that it sets off on the current state, without sending it: whether it is accepted, fees, exit codes, the predicted trace. Takes a signed external message (BoC) on any allowed network, or on the local network a line such as: bob 0.1ton comment "rent" from alice.',
  changes: 'nothing',
  input: z.strictObject({
    boc: z.string().max(400_000).optional().describe('A signed external message: base64, hex, or a file.'),
    line: z
      .string()
      .max(200_000)
      .optional()
      .describe(
        'Local network only: TO COINS [MESSAGE {field: value} | comment "…" | body b(u32 7)] [from WALLET].',
      ),
    network: inputs.network,
  }),
  output: z.looseObject({
    accepted: z.boolean().nullable().optional(),
    reason: z.string().nullable().optional(),
    fees: z.string().nullable().optional(),
    trace: z.unknown().optional(),
  }),
  run: async ({ boc, line, network }, call) => {
    const args = ['--dry-run', ...options({ network, compose: line })];
    const words = boc === undefined ? [] : ['--', word(boc)];
    return onlyDocument(await call.host.command('send', [...args, ...words], call.signal), call);
  },
});

const runCallSheet = defineTool({
  name: 'run_call_sheet',
  title: 'Run a Call Sheet',
  sentence:
    'Runs the steps of a call sheet (*.toncall): calls, messages, and deployments with what they expect, and says which expectation is not met. Messages are sent on the local network only.',
  changes: 'local network',
  input: z.strictObject({
    file: z
      .string()
      .max(1_000)
      .regex(/\.toncall$/i)
      .describe('The call sheet, by its path from the root.'),
    network: inputs.network,
  }),
  output: z.looseObject({
    passed: z.int(),
    failed: z.int(),
    steps: z.array(z.unknown()),
  }),
  run: async ({ file, network }, call) => {
    const answer = await call.host.command('run', [...options({ network }), '--', word(file)], call.signal);
    const steps = documentsOf(answer, call) as { passed?: boolean; skipped?: boolean }[];
    const passed = steps.filter((step) => step.passed === true).length;
    return { passed, failed: steps.length - passed, steps };
  },
});

const runTests = defineTool({
  name: 'run_tests',
  title: 'Run the Tests',
  sentence:
    "Runs this project's own tests (Jest, Vitest, Mocha, or node --test with @ton/sandbox) and, for each that fails, names the transaction or get-method it was about, the line of the contract that threw, and the values there. Use it instead of running the test command, and again to check a fix.",
  changes: 'files',
  input: z.strictObject({
    patterns: z
      .array(z.string().max(1_000))
      .max(20)
      .default([])
      .describe('Test files or names, as the runner takes them. Default: all.'),
    gas: z.boolean().optional().describe('Also the gas of each message and get-method.'),
  }),
  output: z.looseObject({
    passed: z.int().optional(),
    failed: z.int().optional(),
    failures: z.array(z.unknown()).optional(),
  }),
  run: async ({ patterns, gas }, call) => {
    const args = [...options({ gas }), '--', ...patterns.map(word)];
    return onlyDocument(await call.host.command('test', args, call.signal), call);
  },
});

/** Tools that run code, or explain what ran. */
export const executionTools: readonly Tool[] = [
  runGetMethod,
  explainTrace,
  replay,
  profile,
  rehearse,
  runCallSheet,
  runTests,
];
