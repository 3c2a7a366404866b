import { plainName } from './projectContract';
import type { ProjectContract } from './projectContract';

/** A contract of a project, to be chosen from a list. */
export interface ContractSource {
  /** As the file calls it that tells most; what a choice is remembered by. */
  name: string;
  label: string;
  /** All that tell of its get-methods, in words: `Tolk source, contracts/counter.tolk`. */
  detail: string;
}

/** The contracts of which a project tells get-methods: each once, however many of its files tell of it. */
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
