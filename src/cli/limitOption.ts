/**
 * The number of --limit.
 * @throws WorkbenchError `usage` (input) if it is not one from 1 to 1000
 */
export async function limitOption(text: string): Promise<number> {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1000) {
    return count;
  }
  const { WorkbenchError } = await import('../toolkit/errors');
  throw new WorkbenchError({
    code: 'usage',
    kind: 'input',
    message: `--limit ${JSON.stringify(text)} is not a number from 1 to 1000.`,
  });
}
