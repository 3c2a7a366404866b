import * as z from 'zod';
import { WorkbenchError, checkVersion } from '../base/errors';
import { jsonFacts } from '../base/jsonFacts';
import { linesOfJson } from './linesOfJson';

/** The folder of a project with the records of its deployments, one file a network; a team commits it. */
export const deploymentsFolder = 'deployments';

const deployment = z
  .object({
    name: z.string().regex(/^[A-Za-z_][\w-]*$/, 'is not a name of letters, digits, _ and -'),
    address: jsonFacts.account,
    codeHash: jsonFacts.hash,
    /** Path of the source or the build output in the project; with the contract's name in it if it has several. */
    source: z.string().optional(),
    contract: z.string().optional(),
    /** What compiled it, and how. */
    compiler: z.string().optional(),
    /** The initial data as it was given: `{owner: …, count: 0}`. */
    data: z.string().optional(),
    /** Of the contract's first transaction; left out if nobody has said which one that is. */
    transaction: jsonFacts.hash.optional(),
    time: jsonFacts.isoTime,
  })
  .loose();

const record = z.object({ version: z.literal(1), deployments: z.array(deployment) }).loose();

/** One contract on one network. */
export type RecordedDeployment = z.infer<typeof deployment>;

/** What was deployed to one network, the oldest first. */
export type DeploymentsRecord = z.infer<typeof record>;

/** The file of a network in the folder of records: `teststand.json`. */
export function deploymentsFile(network: string): string {
  const plain = network
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '');
  return `${plain === '' ? 'network' : plain}.json`;
}

/**
 * Reads a record of deployments.
 *
 * @param file its name, for the errors
 * @throws WorkbenchError `deployments-invalid` (input): each problem with its line; such a file is never written to;
 * `format-newer` (input)
 */
export function parseDeployments(text: string, file: string): DeploymentsRecord {
  const marks = conflictMarks(text);
  if (marks.length > 0) {
    throw deploymentsError(
      marks.map((line) => ({ line, words: 'a conflict that is not resolved' })),
      file,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const at = /position (\d{1,9})/.exec(said)?.[1];
    // Without a position, the text ends too early.
    const line = text.slice(0, at === undefined ? undefined : Number(at)).split('\n').length;
    throw deploymentsError([{ line, words: 'this is not JSON' }], file);
  }
  checkVersion(file, value, 1);
  const read = record.safeParse(value);
  if (!read.success) {
    const lineOf = linesOfJson(text);
    throw deploymentsError(
      read.error.issues.map(({ path, message }) => ({
        line: lineOf(path.map(String)),
        words: `${path.map(String).join('.') || 'the record'}: ${message}`,
      })),
      file,
    );
  }
  return read.data;
}

/**
 * The entry of a contract in the record.
 *
 * @param deployed the contract, how it was given, and its first transaction as far as it is known
 * @param now milliseconds, for a contract whose first transaction is not known
 */
export function deploymentEntry(
  deployed: Pick<RecordedDeployment, 'name' | 'address' | 'codeHash' | 'source' | 'contract' | 'data'> & {
    compiledBy: string | undefined;
    /** `at` in Unix seconds. */
    first: { hash: string; at: number } | undefined;
  },
  now: number,
): RecordedDeployment {
  const { name, address, codeHash, source, contract, compiledBy, data, first } = deployed;
  return {
    ...{ name, address, codeHash, source },
    ...(contract === undefined ? {} : { contract }),
    ...(compiledBy === undefined ? {} : { compiler: compiledBy }),
    ...(data === undefined ? {} : { data }),
    ...(first === undefined ? {} : { transaction: first.hash }),
    time: new Date(first === undefined ? now : first.at * 1000).toISOString(),
  };
}

/**
 * The record with one more deployment; the same one again changes nothing but what was not known of it.
 * @returns undefined if nothing changes
 */
export function withDeployment(
  all: DeploymentsRecord | undefined,
  network: string,
  added: RecordedDeployment,
): DeploymentsRecord | undefined {
  const { deployments = [], ...rest } = all ?? { version: 1 as const, network };
  const { name, address, codeHash } = added;
  const index = deployments.findLastIndex((one) => one.name === name);
  const last = deployments[index];
  if (last?.address === address && last.codeHash === codeHash) {
    if (last.transaction !== undefined || added.transaction === undefined) {
      return undefined;
    }
    const known = { ...last, transaction: added.transaction };
    return { ...rest, version: 1, deployments: deployments.with(index, known) };
  }
  return { ...rest, version: 1, deployments: [...deployments, added] };
}

/** The file's text, as {@link parseDeployments} reads it. */
export function deploymentsText(all: DeploymentsRecord): string {
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

/** Raw addresses by name: of several deployments of one name, the last one counts. */
export function deployedAccounts({ deployments }: DeploymentsRecord): Map<string, string> {
  return new Map(deployments.map(({ name, address }) => [name, address]));
}

function conflictMarks(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (/^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/.test(line) ? [index + 1] : []));
}

function deploymentsError(
  problems: readonly { line: number; words: string }[],
  file: string,
): WorkbenchError {
  const shown = problems.slice(0, 5).map(({ line, words }) => `${file}:${line}: ${words}`);
  const more = problems.length - shown.length;
  return new WorkbenchError({
    code: 'deployments-invalid',
    kind: 'input',
    message: `The record of deployments cannot be used. ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    hint: 'Mend the file; it is never overwritten as it is.',
    details: { file, lines: problems.map(({ line }) => line) },
  });
}
