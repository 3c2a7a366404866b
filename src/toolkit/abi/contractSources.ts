import { plainName } from './projectContract';
import type { ProjectContract } from './projectContract';

/** A contract of a project, as an item of a list. */
export interface ContractSource {
  /** Name from the most informative file; used as the key of the saved choice. */
  name: string;
  label: string;
  /** All sources of its get-methods, as text: `Tolk source, contracts/counter.tolk`. */
  detail: string;
}

/** A project's contracts with known get-methods, each listed once, however many files describe it. */
export function contractSources(project: readonly ProjectContract[]): ContractSource[] {
  const groups = new Map<string, ProjectContract[]>();
  for (const one of project) {
    if (one.origin !== undefined) {
      const key = plainName(one.name);
      groups.set(key, groups.get(key) ?? []);
      groups.get(key)?.push(one);
    }
  }
  return [...groups.values()].flatMap((files) => {
    const [first] = files;
    return first === undefined
      ? []
      : [
          {
            name: first.name,
            label: first.name,
            detail: files.map(({ origin, file }) => `${origin}, ${file}`).join('; '),
          },
        ];
  });
}
