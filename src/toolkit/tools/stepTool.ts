import * as z from 'zod';
import type { Tool } from './tool';
import { defineTool, inputs } from './tool';

/** How a call moves from where it begins. */
const moves = ['here', 'forward', 'into', 'out', 'back', 'instruction', 'instruction back'] as const;

/** The debugger as a tool. */
export const stepTool: Tool = defineTool({
  name: 'step',
  title: 'Step Through an Execution',
  sentence:
    'A debugger in one call, forward and backward: stops at a step of a transaction or test record and shows the source line, the function, and the values of its variables before and after the line. Begin with at "failure" or "start", then move from the "step" that it returns. It keeps no session: each call says where from.',
  changes: 'nothing',
  input: z.strictObject({
    what: inputs.what,
    at: z
      .union([z.enum(['start', 'failure', 'end']), z.int().positive()])
      .default('failure')
      .describe(
        'Where to begin: a step by its number, or a place. "failure" is the line that threw, else the end.',
      ),
    move: z
      .enum(moves)
      .default('here')
      .describe(
        'From there: a line "forward" (over calls), "into" a call, "out" of the function, or "back".',
      ),
    count: z.int().min(1).max(1_000).default(1).describe('How often to move.'),
    transaction: z
      .int()
      .nonnegative()
      .optional()
      .describe('Which of "transactions" (from 0). Default: the one that "what" names.'),
    source: inputs.source,
    network: inputs.network,
  }),
  output: z.looseObject({
    step: z.int().describe('Where it stops.'),
    steps: z.int(),
    file: z.string().optional(),
    line: z.int().optional(),
    text: z.string().optional().describe('The source line.'),
    before: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    after: z.array(z.looseObject({ name: z.string(), value: z.string() })).optional(),
  }),
  // The debugger is loaded with the first step.
  run: async (input, call) => (await import('./stepAt')).stepAt(input, call),
});
