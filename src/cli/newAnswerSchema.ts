import * as z from 'zod';

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
