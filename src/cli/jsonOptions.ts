import type { Command } from 'commander';
import type * as z from 'zod';

/** Loads the schema of what a command prints with `--json`: each line is one such document. */
export type AnswerSchema = () => Promise<z.ZodType>;

const schemas = new WeakMap<Command, AnswerSchema>();

/**
 * Adds `--json`, and `--json-schema`, which is answered before anything else of the line is read.
 *
 * @param words what `--json` prints
 */
export function addJsonOptions(command: Command, words: string, schema: AnswerSchema): Command {
  schemas.set(command, schema);
  return command
    .option('--json', words)
    .option('--json-schema', 'print the JSON Schema of that output instead of running');
}

/** The schema of the command that a line names; undefined if it names none that prints JSON. */
export function answerSchemaOf(program: Command, args: readonly string[]): AnswerSchema | undefined {
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((one) => one.name() === arg);
    if (next === undefined) {
      break;
    }
    command = next;
  }
  return schemas.get(command);
}

/** Answers `--json-schema`. False if the line does not ask for it. */
export async function printJsonSchema(program: Command, args: readonly string[]): Promise<boolean> {
  const schema = args.includes('--json-schema') ? answerSchemaOf(program, args) : undefined;
  if (schema === undefined) {
    return false;
  }
  const [{ toJSONSchema }, { writePrettyJson }] = await Promise.all([import('zod'), import('./output')]);
  writePrettyJson(toJSONSchema(await schema()));
  return true;
}
