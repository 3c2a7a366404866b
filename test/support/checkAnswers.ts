import assert from 'node:assert/strict';
import * as z from 'zod';
import { createProgram } from '../../src/cli/commandLine';
import { answerSchemaOf } from '../../src/cli/networkHere';

/**
 * Checks what a command has printed if `--json` was among its arguments: every line is one JSON document that fits the
 * command's schema, and has no key that the schema does not name.
 */
export async function checkAnswers(args: readonly string[], stdout: string): Promise<void> {
  const schema = args.includes('--json') ? answerSchemaOf(createProgram(), args) : undefined;
  if (schema === undefined || args.includes('--json-schema')) {
    return;
  }
  const shape = await schema();
  for (const line of stdout.split('\n').slice(0, -1)) {
    const { error } = shape.safeParse(JSON.parse(line));
    const command = `${args.slice(0, 3).join(' ')} … --json`;
    assert.equal(error && z.prettifyError(error), undefined, `${command} printed ${line.slice(0, 2_000)}`);
  }
}
