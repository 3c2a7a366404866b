import { contractGroups, contractKey } from './contractGroups';
import type { ProjectContract } from './projectContract';

/** A contract of a project, as an item of a list. */
export interface ContractSource {
  /** Name from the most informative file, with its file if others have the name; the key of the saved choice. */
  name: string;
  label: string;
  /** All sources of its get-methods, as text: `Tolk source, contracts/counter.tolk`. */
  detail: string;
}

/** A project's contracts with known get-methods, each listed once, however many files describe it. */
export function contractSources(project: readonly ProjectContract[]): ContractSource[] {
  return contractGroups(project).flatMap((group) => {
    const files = group.parts.filter(({ origin }) => origin !== undefined);
    const [first] = files;
    return first === undefined
      ? []
      : [
          {
            name: contractKey(project, group),
            label: first.name,
            detail: files
              .map(
                ({ origin, file, hasChanged }) =>
                  `${origin}, ${file}${hasChanged === true ? ' (older than its source)' : ''}`,
              )
              .join('; '),
          },
        ];
  });
}
