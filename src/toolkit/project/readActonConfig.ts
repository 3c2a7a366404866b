import { posix } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { TomlTable } from 'smol-toml';
import type { DescribedContract, ProjectDescription, ProjectProblem } from './projectDescription';
import { lineOfOffset, projectProblem } from './projectDescription';

/** What `Acton.toml` says. */
export type ActonConfig = Pick<ProjectDescription, 'contracts' | 'mappings' | 'problems'>;

/**
 * Reads `Acton.toml`: the contracts, where their builds are written, and the mappings of imports. Paths in it are relative
 * to its folder.
 * @param path of the file
 */
export function readActonConfig(text: string, path: string): ActonConfig {
  const problems: ProjectProblem[] = [];
  const toml = parsed(text, path, problems);
  const reader = { text, path, root: posix.dirname(path), problems };
  const contracts = readContracts(toml, reader);
  tellCycles(contracts, reader);
  return { contracts, mappings: readMappings(toml, reader), problems };
}

interface Reader {
  text: string;
  path: string;
  root: string;
  problems: ProjectProblem[];
}

function parsed(text: string, path: string, problems: ProjectProblem[]): TomlTable {
  try {
    return parse(text, { maxDepth: 100 });
  } catch (cause) {
    const line = cause instanceof TomlError ? cause.line : 1;
    const message = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
    const said = message.replace(/^Invalid TOML document: /, '');
    problems.push(projectProblem(path, line, { code: 'project-file-invalid', message: said, cause }));
    return {};
  }
}

function readContracts(toml: TomlTable, reader: Reader): DescribedContract[] {
  const { root, path } = reader;
  const build = tableOf(toml['build']);
  const folders = {
    sources: textOf(build['output-sources']),
    out: textOf(build['out-dir']) ?? 'build',
  };
  return Object.entries(tableOf(toml['contracts'])).flatMap(([name, value]): DescribedContract[] => {
    const contract = tableOf(value);
    const source = textOf(contract['src']);
    if (source === undefined) {
      tell(reader, 'project-file-invalid', [`contracts.${name}`], `the contract ${name} has no src`);
      return [];
    }
    const at = (file: string): string => posix.resolve(root, file);
    const output = textOf(contract['output']);
    const types = textOf(contract['types']);
    return [
      {
        name,
        title: textOf(contract['display-name']) ?? name,
        targets: [at(source)],
        ...(types === undefined ? {} : { types: at(types) }),
        options: {},
        depends: listOf(contract['depends']).flatMap(
          (one) => textOf(one) ?? textOf(tableOf(one)['name']) ?? [],
        ),
        artifacts: [
          ...(folders.sources === undefined ? [] : [at(`${folders.sources}/${name}.source.json`)]),
          at(`${folders.out}/${name}.json`),
          ...(output === undefined ? [] : [at(output)]),
        ],
        describedIn: path,
        notes: [],
      },
    ];
  });
}

/** A contract that needs its own code can't be built. */
function tellCycles(contracts: readonly DescribedContract[], reader: Reader): void {
  const byName = new Map(contracts.map((one) => [one.name, one]));
  for (const { name } of contracts) {
    const seen = new Set<string>();
    const next = [...(byName.get(name)?.depends ?? [])];
    for (const one of next) {
      if (!seen.has(one)) {
        seen.add(one);
        next.push(...(byName.get(one)?.depends ?? []));
      }
    }
    if (seen.has(name)) {
      tell(reader, 'project-cycle', [`contracts.${name}`, 'depends'], `${name} depends on itself`);
      return;
    }
  }
}

function readMappings(toml: TomlTable, reader: Reader): Record<string, string> {
  const found = Object.entries(tableOf(toml['import-mappings'])).flatMap(
    ([key, value]): [string, string][] => {
      const folder = textOf(value);
      if (folder === undefined) {
        tell(reader, 'project-file-invalid', ['import-mappings', key], `the mapping ${key} is not a folder`);
        return [];
      }
      const resolved = posix.resolve(reader.root, folder);
      if (resolved !== reader.root && !resolved.startsWith(reader.root.replace(/\/?$/, '/'))) {
        tell(
          reader,
          'project-mapping-outside',
          ['import-mappings', key],
          `the mapping ${key} leads out of the project, to ${folder}`,
        );
        return [];
      }
      return [[key.startsWith('@') ? key : `@${key}`, resolved]];
    },
  );
  return Object.fromEntries(found);
}

/** @param keys the last is what is wrong; those before it are of the tables around it */
function tell(
  reader: Reader,
  code: 'project-file-invalid' | 'project-mapping-outside' | 'project-cycle',
  keys: readonly string[],
  message: string,
): void {
  let offset = 0;
  for (const key of keys) {
    const at = reader.text.indexOf(key, offset);
    offset = at < 0 ? offset : at;
  }
  reader.problems.push(projectProblem(reader.path, lineOfOffset(reader.text, offset), { code, message }));
}

function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
