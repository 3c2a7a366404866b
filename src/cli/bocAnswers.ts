import * as z from 'zod';
import type { BocDifference } from '../toolkit/cell/diffBocs';
import type { CodeListing } from '../toolkit/cell/disassembleCode';
import type { Boc } from '../toolkit/cell/boc';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { bodySchema, bodyToJson } from '../toolkit/contracts/opcodes/bodyToJson';
import type { RootContent } from '../toolkit/contracts/opcodes/describeBoc';
import { structureSchema, structureToJson } from '../toolkit/cell/structures/structureJson';

const contentSchema = z
  .strictObject({
    bytes: z.int(),
    cells: z.int(),
    roots: z.array(
      z.strictObject({
        hash: jsonFacts.hash,
        depth: z.int(),
        kind: z.string(),
        bits: z.int(),
        refs: z.int(),
      }),
    ),
    decoded: bodySchema.nullable(),
    structure: structureSchema
      .nullable()
      .describe(
        'A block, proof, configuration, or another structure of the blockchain; then `decoded` is null.',
      ),
  })
  .meta({ title: 'What is in a bag of cells' });

const codeSchema = z
  .strictObject({
    methods: z.array(
      z.strictObject({ id: z.int().nullable(), name: z.string().nullable(), text: z.string() }),
    ),
    text: z.string(),
  })
  .meta({ title: 'With --code' });

const comparisonSchema = z
  .strictObject({
    equal: z.boolean(),
    differences: z.array(
      z.strictObject({
        path: z
          .string()
          .describe('`root 0`, then the number of each reference on the way: `root 0 › 2 › 1`.'),
        change: z.enum(['data', 'kind', 'added', 'removed']),
        left: z.int().optional(),
        right: z.int().optional(),
        bit: z.int().optional().describe('For `data`: the first bit that differs.'),
      }),
    ),
  })
  .meta({ title: 'With --compare' });

/** The schema of what `boc --json` prints. */
export const bocAnswerSchema = z.union([contentSchema, codeSchema, comparisonSchema]);

/** What is in a bag of cells. */
export function contentAnswer(boc: Boc, content: RootContent): z.infer<typeof contentSchema> {
  const { decoded, structure, isCertain } = content;
  return {
    bytes: boc.header.totalLength,
    cells: boc.cellCount,
    roots: boc.roots.map((root) => ({
      hash: boc.hashHex(root),
      depth: boc.depth(root),
      kind: boc.kind(root),
      bits: boc.bitLength(root),
      refs: boc.referenceCount(root),
    })),
    decoded: decoded === undefined ? null : bodyToJson(decoded),
    structure: structure === undefined ? null : structureToJson(structure, isCertain),
  };
}

/** A disassembled code. */
export function codeAnswer({ methods, text }: CodeListing): z.infer<typeof codeSchema> {
  return { methods: methods.map((one) => ({ id: one.id, name: one.name ?? null, text: one.text })), text };
}

/** How two bags of cells differ. */
export function comparisonAnswer(differences: readonly BocDifference[]): z.infer<typeof comparisonSchema> {
  return { equal: differences.length === 0, differences: [...differences] };
}
