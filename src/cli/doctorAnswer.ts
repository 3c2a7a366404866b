import * as z from 'zod';
import { findingSubjects } from '../toolkit/workflows/diagnosedProject';

/** The schema of what `doctor --json` prints. */
export const doctorAnswerSchema = z
  .strictObject({
    findings: z
      .array(
        z.strictObject({
          subject: z.enum(findingSubjects),
          state: z
            .enum(['good', 'wrong', 'open'])
            .describe('wrong: why something is not there; open: neither good nor wrong.'),
          text: z.string(),
          next: z.string().optional().describe('What to do.'),
        }),
      )
      .describe('What causes the rest comes first.'),
    'TON Workbench': z.string(),
    'Node.js': z.string(),
    system: z.string(),
    folder: z.string(),
  })
  .meta({ title: 'What keeps contracts, names, or source lines from being found' });

/** What `doctor --json` prints. */
export type DoctorAnswer = z.infer<typeof doctorAnswerSchema>;

/** The schema of what `new --json` prints. */
export const newAnswerSchema = z
  .strictObject({
    files: z.array(z.string()).describe('In this folder. The first one is the contract to deploy.'),
    sheet: z.string(),
    test: z.string(),
    packages: z.array(z.string()).describe('The npm packages that the test imports.'),
    compiler: z
      .string()
      .nullable()
      .describe('The npm package without which it is not compiled here. Null: nothing is needed.'),
  })
  .meta({ title: 'A new contract' });

/** The schema of what `keep --json` prints. */
export const keepAnswerSchema = z
  .strictObject({
    as: z.enum(['sheet', 'jest', 'vitest', 'mocha', 'node']),
    files: z.array(z.string()).describe('The test first, then its data.'),
    was: z.string().describe('How the transaction ended.'),
    today: z.string().describe('How it ends with the source of today.'),
    expected: z.int().describe('The exit code that the test expects.'),
    run: z.string().describe('The command that runs it.'),
  })
  .meta({ title: 'A transaction that was kept as a test' });
