import { realpathSync } from 'node:fs';
import path from 'node:path';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { measureProject } from './measureProject';
import type { Count, MeasuredProject } from './measureProject';

/**
 * Measures the projects in folders, one after another, on a local network of their own.
 * @param tell is told how far it is
 */
export async function measureProjects(
  folders: readonly string[],
  tell: (line: string) => void,
): Promise<MeasuredProject[]> {
  const localnet = await startLocalnet({ port: 0, log: silentLog });
  const measured: MeasuredProject[] = [];
  try {
    for (const folder of folders) {
      const one = await measureProject(realpathSync(folder), localnet);
      measured.push({ ...one, name: path.basename(folder) });
      tell(rowOf({ ...one, name: path.basename(folder) }));
      one.noes.forEach((no) => tell(`    ${no}`));
    }
  } finally {
    await localnet.close();
  }
  return measured;
}

const heads = [
  'project',
  'contracts found',
  'compiled',
  "code of the project's own build",
  'deployed',
  'get-methods typed',
  'messages named',
  'main handlers with lines',
] as const;

/** The measures as a table in Markdown, and the reasons below it. */
export function projectsTable(measured: readonly MeasuredProject[]): string {
  const sum = (key: keyof Omit<MeasuredProject, 'name' | 'noes'>): Count => ({
    have: measured.reduce((total, one) => total + one[key].have, 0),
    of: measured.reduce((total, one) => total + one[key].of, 0),
  });
  const all: MeasuredProject = {
    ...{ name: `all ${measured.length}`, noes: [] },
    ...{ found: sum('found'), compiled: sum('compiled'), equal: sum('equal'), deployed: sum('deployed') },
    ...{ typed: sum('typed'), named: sum('named'), handlers: sum('handlers') },
  };
  return [
    `| ${heads.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(heads.length - 1)}`,
    ...[...measured, all].map(rowOf),
    '',
    '## Each no, and why',
    '',
    ...measured
      .filter(({ noes }) => noes.length > 0)
      .flatMap(({ name, noes }) => [
        `**${name}**`,
        '',
        ...noes.map((no) => `- ${no.replaceAll(/[<>|*_`]/g, '\\$&')}`),
        '',
      ]),
  ].join('\n');
}

function rowOf({ name, found, compiled, equal, deployed, typed, named, handlers }: MeasuredProject): string {
  const cells = [found, compiled, equal, deployed, typed, named, handlers].map(({ have, of }) =>
    of === 0 ? '–' : `${have} of ${of}`,
  );
  return `| ${[name, ...cells].join(' | ')} |`;
}
