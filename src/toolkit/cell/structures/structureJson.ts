import * as z from 'zod';
import { keyText } from './structureText';
import type { StructurePlace, ReadStructure, StructureField, StructureValue } from './structure';
import { flatFields, cellPathText } from './structure';

interface PlaceJson {
  cell: number;
  path: string;
  bits: number[];
}

/** A field of a structure for `--json`. */
export interface StructureFieldJson {
  name: string;
  place: PlaceJson;
  value?: string | boolean | null | undefined;
  type?: string | undefined;
  form?: string | undefined;
  fields?: StructureFieldJson[] | undefined;
  entries?: StructureFieldJson[] | undefined;
  sum?: StructureFieldJson | undefined;
  absent?: { prefix: string; field: StructureFieldJson }[] | undefined;
  same?: string | undefined;
  problem?: string | undefined;
}

const placeSchema: z.ZodType<PlaceJson> = z
  .strictObject({
    cell: z.int().describe('The number of the cell in the BoC.'),
    path: z.string().describe('`root`, or the number of each reference on the way from it: `0.2.1`.'),
    bits: z.array(z.int()).length(2).describe('The first bit, and the one after the last.'),
  })
  .meta({ id: 'StructurePlace' });

/** The schema of one field of a structure. */
export const structureFieldSchema: z.ZodType<StructureFieldJson> = z
  .lazy(() =>
    z.strictObject({
      name: z.string().describe('Of an entry, its key.'),
      place: placeSchema,
      value: z.union([z.string(), z.boolean(), z.null()]).optional(),
      type: z.string().optional().describe('The type in block.tlb.'),
      form: z.string().optional().describe('The constructor.'),
      fields: z.array(structureFieldSchema).optional(),
      entries: z.array(structureFieldSchema).optional().describe('Of a dictionary.'),
      sum: structureFieldSchema.optional().describe('Of a dictionary with sums: that of all entries.'),
      absent: z
        .array(z.strictObject({ prefix: z.string(), field: structureFieldSchema }))
        .optional()
        .describe(
          'Branches of a dictionary that are pruned or do not fit, by what their keys begin with (bits).',
        ),
      same: z
        .string()
        .optional()
        .describe('The same cell as the one at this path, whose fields are given there.'),
      problem: z.string().optional().describe('Why it does not fit.'),
    }),
  )
  .meta({
    id: 'StructureField',
    description: 'Numbers are decimal text, addresses raw, bits hex; undecoded cells are given by hash.',
  });

/** The schema of a structure of the blockchain. */
export const structureSchema = z
  .strictObject({
    type: z.string().nullable().describe('Null: an exotic cell about a cell of unknown type.'),
    isCertain: z.boolean().describe('False: its tag is short, but it fits to the last bit.'),
    isWhole: z.boolean().describe('Whether every bit fits the type.'),
    problems: z.array(z.strictObject({ place: placeSchema, reason: z.string() })),
    pruned: z.int().describe('Branches that are not in this BoC.'),
    root: structureFieldSchema,
  })
  .meta({ id: 'Structure' });

/** A structure for `--json`. */
export function structureToJson(read: ReadStructure, isCertain: boolean): z.infer<typeof structureSchema> {
  return {
    type: read.type ?? null,
    isCertain,
    isWhole: read.problems.length === 0,
    problems: read.problems.map(({ place, reason }) => ({ place: placeJson(place), reason })),
    pruned: read.pruned,
    root: fieldToJson(read, read.root),
  };
}

/** A field for `--json`; a cell that occurs again refers to the first one. */
export function fieldToJson(
  read: ReadStructure,
  field: StructureField,
  shown = new Map<StructureValue, string>(),
): StructureFieldJson {
  const { name, value } = field;
  const inner = (one: StructureField): StructureFieldJson => fieldToJson(read, one, shown);
  const head = { name, place: placeJson(field.place) };
  const same = shown.get(value);
  if (same !== undefined) {
    return { ...head, same };
  }
  if (field.isReferred && (value.kind === 'record' || value.kind === 'map')) {
    shown.set(value, cellPathText(field.place.at));
  }
  switch (value.kind) {
    case 'record':
      return { ...head, type: value.type, form: value.name, fields: flatFields(value.fields).map(inner) };
    case 'group':
      return { ...head, fields: flatFields(value.fields).map(inner) };
    case 'map':
      return {
        ...head,
        entries: value.entries.map((entry) =>
          inner({ ...entry.field, name: keyText(entry.key, value.key.isSigned) }),
        ),
        ...(value.extra === undefined ? {} : { sum: inner(value.extra) }),
        ...(value.branches.length === 0
          ? {}
          : { absent: value.branches.map(({ prefix, field: one }) => ({ prefix, field: inner(one) })) }),
      };
    case 'misfit':
      return { ...head, problem: value.reason };
    case 'number':
    case 'variable':
      return { ...head, value: value.value.toString() };
    case 'bits':
    case 'flag':
      return { ...head, value: value.value };
    case 'address':
      return { ...head, value: value.value ?? null };
    case 'none':
      return { ...head, value: null };
    case 'present':
      return { ...head, value: true };
    case 'cell':
      return { ...head, value: read.boc.hashHex(value.cell) };
    case 'rest':
      return {
        ...head,
        value: value.value,
        fields: value.cells.map((cell, reference) => ({
          name: `reference ${reference}`,
          place: placeJson({
            at: { cell, parent: field.place.at, reference },
            from: 0,
            to: read.boc.bitLength(cell),
          }),
          value: read.boc.hashHex(cell),
        })),
      };
  }
}

function placeJson({ at, from, to }: StructurePlace): PlaceJson {
  return { cell: at.cell, path: cellPathText(at), bits: [from, to] };
}
