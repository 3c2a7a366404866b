import * as z from 'zod';
import type { Tool } from './tool';
import { defineTool, inputs, onlyDocument, options, word } from './tool';

/** All hits of a question in recordings, as a tool. */
export const queryTool: Tool = defineTool({
  name: 'query',
  title: 'Ask a Recording',
  sentence:
    'Finds every hit of a question in a transaction and its whole trace, or in all that a test ran, in one call: runs of a line with values, calls with arguments and results, writes of a storage field before and after, messages sent, or changes of an expression. Use it instead of stepping to find when a value went wrong; then call "step" with the hit\'s execution ("what") and step.',
  changes: 'nothing',
  input: z.strictObject({
    question: z
      .string()
      .max(2_000)
      .describe(
        'One of: line counter.tolk:31 by, c4.value | calls Storage.save | writes Counter.value | sends to alice | changes c4.total * 2',
      ),
    what: inputs.what,
    only: z.boolean().optional().describe('Only the transaction or record that "what" names.'),
    limit: z.int().min(1).max(1_000).default(100).describe('Hits to tell; all are counted.'),
    source: inputs.source,
    network: inputs.network,
  }),
  output: z.looseObject({
    hits: z.array(
      z.looseObject({
        execution: z.int().describe('Of "executions", from 1.'),
        step: z.int(),
        title: z.string(),
        values: z.array(z.looseObject({ name: z.string(), value: z.string().nullable() })),
      }),
    ),
    total: z.int(),
    executions: z.array(z.looseObject({ name: z.string(), what: z.string().optional(), hits: z.int() })),
    notes: z.array(z.string()).describe('What is unknown.'),
  }),
  run: async ({ question, what, only, limit, source, network }, call) => {
    const words = [...options({ only, limit, source, network }), '--', word(question), word(what)];
    return onlyDocument(await call.host.command('query', words, call.signal), call);
  },
});
