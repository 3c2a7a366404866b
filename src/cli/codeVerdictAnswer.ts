import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { RecordedDeployment } from '../toolkit/project/deployments';
import type { SourceVerdict } from '../toolkit/workflows/verifyContract';
import { changeWords } from '../toolkit/workflows/verifyContract';

/** The schema of what `verify --json` prints. */
export const codeVerdictSchema = z
  .strictObject({
    address: jsonFacts.account,
    name: z.string().nullable().describe('Null: it is in no record.'),
    state: z.enum(['same', 'differs', 'absent']),
    source: z.string(),
    compiledBy: z.string().nullable().describe('Null: it was not compiled from a source here.'),
    recordedCompiler: z.string().nullable(),
    codeHash: jsonFacts.hash.nullable().describe('On the chain; null: there is no code.'),
    sourceHash: jsonFacts.hash,
    methods: z
      .array(
        z.strictObject({
          id: z.int(),
          name: z.string(),
          change: z.enum(['changed', 'only on the chain', 'only in the source']),
        }),
      )
      .nullable()
      .describe('That differ; null: the code is not made of methods that can be read.'),
    verifier: z.string().nullable().describe('What the verifier says; null: none was asked.'),
  })
  .meta({ title: 'A contract and its source' });

/** A verdict for programs. */
export function codeVerdictAnswer(given: {
  address: string;
  file: string;
  verdict: SourceVerdict;
  said: string | undefined;
  compiledBy: string | undefined;
  recorded: RecordedDeployment | undefined;
}): z.infer<typeof codeVerdictSchema> {
  const { address, file, verdict, said, compiledBy, recorded } = given;
  return {
    address,
    name: recorded?.name ?? null,
    state: verdict.state,
    source: file,
    compiledBy: compiledBy ?? null,
    recordedCompiler: recorded?.compiler ?? null,
    codeHash: verdict.chainHash ?? null,
    sourceHash: verdict.sourceHash,
    methods:
      verdict.methods?.map(({ id, name, change }) => ({ id, name, change: changeWords[change] })) ?? null,
    verifier: said ?? null,
  };
}
