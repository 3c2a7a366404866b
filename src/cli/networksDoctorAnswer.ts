import * as z from 'zod';
import type { Network } from '../toolkit/access/network';
import { networkSubjects } from '../toolkit/access/doctor/chainFindings';
import type { NetworkDiagnosis } from '../toolkit/access/doctor/chainFindings';
import { jsonFacts } from '../toolkit/base/jsonFacts';

/** The schema of what `networks doctor --json` prints. */
export const networksDoctorSchema = z
  .strictObject({
    name: z.string(),
    findings: z
      .array(
        z.strictObject({
          subject: z.enum(networkSubjects),
          state: z
            .enum(['good', 'wrong', 'open', 'not asked'])
            .describe('open: neither good nor wrong; not asked: nothing is known.'),
          text: z.string(),
          next: z.string().optional().describe('What to do.'),
        }),
      )
      .describe('What is wrong comes first.'),
    v2: z
      .strictObject({ implementation: z.enum(['C++', 'Python']).nullable(), version: z.string().nullable() })
      .nullable()
      .describe('Null if it did not answer.'),
    v3: z.strictObject({ version: z.string().nullable() }).nullable().describe('Null if it did not answer.'),
    streaming: z.boolean().nullable().describe('Null if it was not asked.'),
    lacks: z.array(z.string()).describe('Endpoints that do not exist there, of those that were asked.'),
    tvmVersion: z.int().nullable(),
    requests: z.int(),
    elapsedMs: jsonFacts.milliseconds,
  })
  .meta({ title: 'What the services of a network are' });

/** A network that was looked at. */
export function networksDoctorAnswer(
  { name }: Network,
  { findings, elapsedMs, lacks, ...facts }: NetworkDiagnosis,
): z.infer<typeof networksDoctorSchema> {
  return { name, findings: [...findings], ...facts, lacks: [...lacks], elapsedMs: Math.round(elapsedMs) };
}
